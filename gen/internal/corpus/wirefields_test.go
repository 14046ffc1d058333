package corpus_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

const wireManifest = `sculpt: 1
package: p
toolkit: P
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
env: {K: {description: k, default: k}, L: {description: l, default: l}}
apis:
  a: {openapi: a.yaml, auth: {key: env:K, other: env:L}}
tools:
  t:
    version: 1
    description: Sends a thing.
    steps:
      s:
        call: 'a POST /things/{id}'
        with: {id: x1, q: 'a/b', l: '${["a/b", "b"]}'}
        body: {name: n/1, count: 2, names: [n, m]}
    outputs: {done: {value: '${s["x"] == "y"}', description: Whether it was sent.}}
`

// A wireBase is an operation that a manifest calls.
type wireBase struct {
	api      *spec.API
	op       *operation.Operation
	manifest string
}

func newWireBase() *wireBase {
	text, list := types.StringType, types.ListOf(types.StringType)
	op := &operation.Operation{
		API: "a", Method: "POST", Path: "/things/{id}",
		Parts:  []operation.PathPart{{Literal: "/things/"}, {Param: "id"}},
		Server: operation.Server{URL: "https://a.example"},
		Params: []*operation.Param{
			{Name: "id", In: operation.Path, Required: true, Type: text, Style: "simple"},
			{Name: "q", In: operation.Query, Type: text, Style: "form", Explode: true},
			{Name: "l", In: operation.Query, Type: list, Style: "form", Explode: true},
			{Name: "more", In: operation.Query, Type: text, Style: "form", Explode: true},
		},
		Body: &operation.Body{Media: []operation.Media{{
			Type: "application/x-www-form-urlencoded",
			Schema: &types.Type{Kind: types.Object, Name: "Thing", Fields: []*types.Field{
				{Name: "name", Type: text}, {Name: "count", Type: types.IntType}, {Name: "note", Type: text}, {Name: "names", Type: list},
			}},
		}}},
		Responses: []*operation.Response{{Status: "200", Media: []operation.Media{{Type: "application/json", Schema: types.MapOf(text, text)}}}},
		Security:  [][]string{{"key"}},
	}
	api := &spec.API{Name: "a", Server: operation.Server{URL: "https://a.example"}, Operations: []*operation.Operation{op}, Schemes: map[string]*operation.Scheme{
		"key":   {Name: "key", Type: "apiKey", In: operation.Header, Param: "X-Key"},
		"other": {Name: "other", Type: "http", HTTP: "bearer"},
	}}
	return &wireBase{api, op, wireManifest}
}

// outcome is what is sent, and what is found.
func (b *wireBase) outcome(t *testing.T) string {
	t.Helper()
	p, _, findings := planned(b.manifest, &spec.Set{APIs: map[string]*spec.API{"a": b.api}})
	var out strings.Builder
	for _, f := range findings {
		out.WriteString(f.Rule.String() + ": " + f.Message + "\n")
	}
	if !findings.HasErrors() {
		for _, r := range sent(t, p) {
			out.WriteString(r.text())
		}
	}
	return out.String()
}

func (b *wireBase) media() *operation.Media  { return &b.op.Body.Media[0] }
func (b *wireBase) key() *operation.Scheme   { return b.api.Schemes["key"] }
func (b *wireBase) answer() *operation.Media { return &b.op.Responses[0].Media[0] }

// encoding gives the field name an encoding, which alone says nothing.
func (b *wireBase) encoding() *operation.Encoding {
	b.media().Encoding = []operation.Encoding{{Name: "name"}}
	return &b.media().Encoding[0]
}

// namesEncoding says how the field names is written, which is a list.
func (b *wireBase) namesEncoding(style string, explode bool) {
	b.media().Encoding = []operation.Encoding{{Name: "names", Style: style, Explode: explode}}
}

// fieldRow sets one field of an operation to another value than it has.
type fieldRow struct {
	field string
	set   func(*wireBase)
}

var fieldRows = []fieldRow{
	{"Operation.Method", func(b *wireBase) {
		b.op.Method = "PUT"
		b.manifest = strings.Replace(b.manifest, "a POST", "a PUT", 1)
	}},
	{"Operation.Parts", func(b *wireBase) { b.op.Parts[0].Literal = "/others/" }},
	{"Operation.Query", func(b *wireBase) { b.op.Query = "beta=true" }},
	{"Operation.Server", func(b *wireBase) { b.op.Server.URL = "https://uploads.a.example" }},
	{"Operation.Server", func(b *wireBase) { b.op.Server, b.api.Server = operation.Server{}, operation.Server{} }},
	{"Operation.Server", func(b *wireBase) {
		b.op.Server.URL = "https://uploads.a.example"
		b.manifest = strings.Replace(b.manifest, "a.yaml,", "a.yaml, base_url: 'https://a.example',", 1)
	}},
	{"Operation.Params", func(b *wireBase) { b.op.Params = b.op.Params[:2] }},
	{"Operation.Body", func(b *wireBase) { b.op.Body = nil }},
	{"Operation.Responses", func(b *wireBase) { b.op.Responses = nil }},
	{"Operation.Security", func(b *wireBase) { b.op.Security = [][]string{{"other"}} }},
	{"Operation.Security", func(b *wireBase) { b.op.Security = [][]string{{"key", "other"}} }},
	{"Operation.Security", func(b *wireBase) { b.op.Security = [][]string{} }},
	{"Operation.Security", func(b *wireBase) { b.op.Security = nil }},
	{"Operation.Deprecated", func(b *wireBase) { b.op.Deprecated = true }},
	{"PathPart.Literal", func(b *wireBase) { b.op.Parts = append(b.op.Parts, operation.PathPart{Literal: "/end"}) }},
	{"PathPart.Param", func(b *wireBase) { b.op.Parts[1] = operation.PathPart{Literal: "fixed"} }},
	{"Param.Name", func(b *wireBase) { b.op.Params[1].Name = "other" }},
	{"Param.In", func(b *wireBase) { b.op.Params[1].In = operation.Header }},
	{"Param.In", func(b *wireBase) { b.op.Params[1].In = operation.Cookie }},
	{"Param.Required", func(b *wireBase) { b.op.Params[3].Required = true }},
	{"Param.Type", func(b *wireBase) { b.op.Params[1].Type = types.IntType }},
	{"Param.Style", func(b *wireBase) { b.op.Params[2].Style = "deepObject" }},
	{"Param.Style", func(b *wireBase) { b.op.Params[1].Style = "strange" }},
	{"Param.Style", func(b *wireBase) { b.op.Params[0].Style = "matrix" }},
	{"Param.Style", func(b *wireBase) { b.op.Params[2].Style, b.op.Params[2].Explode = "pipeDelimited", false }},
	{"Param.Style", func(b *wireBase) { b.op.Params[2].Style, b.op.Params[2].Explode = "tabDelimited", false }},
	{"Param.Explode", func(b *wireBase) { b.op.Params[2].Explode = false }},
	{"Param.AllowReserved", func(b *wireBase) { b.op.Params[1].AllowReserved = true }},
	{"Param.AllowReserved", func(b *wireBase) { b.op.Params[2].AllowReserved = true }},
	{"Param.Media", func(b *wireBase) { b.op.Params[1].Media = "application/json" }},
	{"Param.Media", func(b *wireBase) { b.op.Params[1].Media = "application/xml" }},
	{"Param.Media", func(b *wireBase) { b.op.Params[2].Media = "application/json" }},
	{"Param.Media", func(b *wireBase) { b.op.Params[0].Media = "application/json" }},
	{"Param.Asserts", func(b *wireBase) { b.op.Params[1].Asserts = chooseNumber }},
	{"Media.Asserts", func(b *wireBase) { b.media().Asserts = chooseNumber }},
	{"Body.Required", func(b *wireBase) {
		b.op.Body.Required = true
		b.manifest = strings.Replace(b.manifest, "        body: {name: n/1, count: 2, names: [n, m]}\n", "", 1)
	}},
	{"Body.Media", func(b *wireBase) { b.op.Body.Media = nil }},
	{"Media.Type", func(b *wireBase) { b.media().Type = "application/vnd.a+json" }},
	{"Media.Type", func(b *wireBase) { b.media().Type = "application/xml" }},
	{"Media.Schema", func(b *wireBase) { b.media().Schema = types.ListOf(types.StringType) }},
	{"Media.Nullable", func(b *wireBase) { b.answer().Nullable = true }},
	{"Media.Encoding", func(b *wireBase) { b.encoding().ContentType = "application/json" }},
	{"Encoding.Name", func(b *wireBase) {
		b.encoding().ContentType = "application/json"
		b.media().Encoding[0].Name = "names"
	}},
	{"Encoding.ContentType", func(b *wireBase) { b.encoding().ContentType = "application/json" }},
	{"Encoding.ContentType", func(b *wireBase) { b.encoding().ContentType = "application/xml" }},
	{"Encoding.Style", func(b *wireBase) { b.namesEncoding("deepObject", true) }},
	{"Encoding.Explode", func(b *wireBase) { b.namesEncoding("form", false) }},
	{"Encoding.AllowReserved", func(b *wireBase) { b.encoding().AllowReserved = true }},
	{"Response.Status", func(b *wireBase) { b.op.Responses[0].Status = "400" }},
	{"Response.Status", func(b *wireBase) {
		b.op.Responses = append(b.op.Responses, &operation.Response{Status: "204"})
	}},
	{"Response.Media", func(b *wireBase) { b.answer().Type = "application/geo+json" }},
	{"Scheme.Name", func(b *wireBase) { b.api.Schemes["keys"] = b.key(); delete(b.api.Schemes, "key") }},
	{"Scheme.Type", func(b *wireBase) { b.key().Type = "http"; b.key().HTTP = "bearer" }},
	{"Scheme.Type", func(b *wireBase) { b.key().Type = "mutualTLS" }},
	{"Scheme.In", func(b *wireBase) { b.key().In = operation.Query }},
	{"Scheme.In", func(b *wireBase) { b.key().In = operation.Cookie }},
	{"Scheme.In", func(b *wireBase) { b.key().In = "body" }},
	{"Scheme.Param", func(b *wireBase) { b.key().Param = "X-Other" }},
	{"Scheme.Param", func(b *wireBase) { b.key().Param = "" }},
	{"Scheme.HTTP", func(b *wireBase) { b.api.Schemes["other"].HTTP = "digest" }},
	{"Scheme.HTTP", func(b *wireBase) {
		b.op.Security = [][]string{{"other"}}
		b.api.Schemes["other"].HTTP = "basic"
	}},
	{"Scheme.TokenURL", func(b *wireBase) { // it is asked for a token, and so it is judged
		b.api.Schemes["other"].HTTP, b.api.Schemes["other"].TokenURL = "bearer", "http://id.example/token"
		b.manifest = strings.Replace(b.manifest, "other: env:L", "other: {client_credentials: {id: 'env:L', secret: 'env:L'}}", 1)
	}},
	{"Scheme.AuthorizationURL", func(b *wireBase) { // so it is where users agree
		b.api.Schemes["other"].HTTP, b.api.Schemes["other"].TokenURL, b.api.Schemes["other"].AuthorizationURL = "bearer", "https://id.example/token", "http://id.example/agree"
		b.manifest = strings.Replace(b.manifest, "other: env:L", "other: {authorization_code: {id: 'env:L'}}", 1)
	}},
}

// chooseNumber wants one of two kinds that are never bound.
var chooseNumber = &operation.Assertions{Choices: []*operation.Choice{{
	Variants: []*operation.Assertions{{Kinds: []types.Kind{types.Int}}, {Kinds: []types.Kind{types.Bool}}}, Keys: [][]string{nil, nil},
}}}

// toldFields have no effect on what is sent, and are told elsewhere.
var toldFields = map[string]string{
	"Operation.API":         "comments: the address names the api of a call",
	"Operation.Path":        "addresses and messages: Parts are sent",
	"Operation.ID":          "addresses and messages",
	"Operation.Summary":     "the first manifest of sculpt init",
	"Operation.Description": "the first manifest of sculpt init",
	"Operation.Span":        "the place of findings",
	"Operation.Variant":     "tells operations with another answer apart",
	"Operation.Digest":      "the plan of a release",
	"Param.Description":     "inputs that inherit from the parameter",
	"Param.Span":            "the place of findings",
	"Body.Span":             "the place of findings",
	"Response.Span":         "the place of findings",
}

// TestOwnHeaders: what a manifest is refused for is what the run time refuses.
func TestOwnHeaders(t *testing.T) {
	refuses := func(name string) bool {
		_, err := upstream.New(upstream.Spec{BaseURL: "https://a.example", Headers: []upstream.Header{{Name: name, Value: "x"}}}, upstream.API{})
		return err != nil
	}
	for _, name := range resolve.OwnHeaders {
		if !refuses(name) {
			t.Error(name, "is fine at run time")
		}
	}
	for _, name := range []string{"X-A", "Date", "If-Match", "Range", "Content-Language", "Via", "Origin", "Referer", "Upgrade-Insecure-Requests"} {
		if refuses(name) {
			t.Error(name, "is refused at run time alone")
		}
	}
}

// TestEveryFieldOfAnOperationCounts sets every field that is read from a
// document to another value: other bytes are sent, or there is a finding.
func TestEveryFieldOfAnOperationCounts(t *testing.T) {
	rows := map[string]bool{}
	plain := newWireBase().outcome(t)
	if !strings.Contains(plain, "POST https://a.example/things/x1?q=a%2Fb&l=a%2Fb&l=b\n") || !strings.Contains(plain, "X-Key: secret-of-key") {
		t.Fatal(plain)
	}
	for _, row := range fieldRows {
		rows[row.field] = true
		b := newWireBase()
		row.set(b)
		got := b.outcome(t)
		t.Logf("%s:\n%s\n", row.field, got)
		if got == plain {
			t.Errorf("%s has no effect", row.field)
		}
	}
	for _, x := range []any{
		operation.Operation{}, operation.PathPart{}, operation.Param{}, operation.Body{}, operation.Media{}, operation.Encoding{},
		operation.Response{}, operation.Scheme{},
	} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(x)) {
			name := reflect.TypeOf(x).Name() + "." + f.Name
			if !rows[name] && toldFields[name] == "" {
				t.Errorf("%s has no row: what is read from a document has an effect or a finding", name)
			}
		}
	}
}
