package corpus_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// A wireRequest is a request as it leaves the program.
type wireRequest struct {
	Method, URL string
	Header      http.Header
	Body        string
}

// text is all of it, for comparing.
func (r *wireRequest) text() string {
	var b bytes.Buffer
	b.WriteString(r.Method + " " + r.URL + "\n")
	_ = r.Header.Write(&b)
	return b.String() + "\n" + r.Body
}

// planned resolves a manifest over documents that are loaded already. The
// requests of its first tool are planned where nothing is wrong.
func planned(text string, set *spec.Set) (*plan.Package, *ir.Program, diag.List) {
	m, findings := manifest.Parse("sculpt.yaml", []byte(text))
	if findings.HasErrors() {
		return nil, nil, findings
	}
	program, more := resolve.Program(m, set, nil)
	if findings = append(findings, more...); findings.HasErrors() {
		return nil, program, findings
	}
	p, more := plan.New(program)
	return p, program, append(findings, more...)
}

// sent makes the requests of a planned tool with the run time, as the generated
// code would: without compiling it, since all that they send is constant.
func sent(t *testing.T, p *plan.Package) []*wireRequest {
	t.Helper()
	s := &sender{t: t, p: p, locals: map[string]lower.Value{}}
	for _, tool := range p.Tools {
		s.block(tool.Body)
	}
	return s.requests
}

type sender struct {
	t        *testing.T
	p        *plan.Package
	locals   map[string]lower.Value
	requests []*wireRequest
}

// RoundTrip keeps a request instead of sending it.
func (s *sender) RoundTrip(r *http.Request) (*http.Response, error) {
	out := &wireRequest{Method: r.Method, URL: r.URL.String(), Header: r.Header}
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			s.t.Error(err)
		}
		out.Body = string(body)
	}
	s.requests = append(s.requests, out)
	return nil, io.EOF
}

func (s *sender) block(b *lower.Block) {
	for _, st := range b.Stmts {
		switch st := st.(type) {
		case lower.Define:
			s.locals[st.Name] = st.V
		case lower.Node:
			if call, ok := st.Data.(*plan.Call); ok {
				s.call(call)
			}
			for _, inner := range st.Blocks {
				s.block(inner)
			}
		}
	}
}

// secretOf is the credential of a security scheme here.
func secretOf(scheme string) string { return "secret-of-" + scheme }

func (s *sender) upstream(local string) *upstream.Client {
	a := s.p.APIs[slices.IndexFunc(s.p.APIs, func(a *plan.API) bool { return a.Local == local })]
	spec := upstream.Spec{Name: a.Name, BaseURL: a.BaseURL, Servers: a.Servers, Attempts: 1}
	for _, h := range a.Headers {
		spec.Headers = append(spec.Headers, upstream.Header{Name: h.Name, Value: h.Parts[0].Text})
	}
	for _, c := range a.Credentials {
		spec.Credentials = append(spec.Credentials, upstream.Credential{Scheme: c.Scheme, In: c.In, Name: c.Name, Prefix: c.Prefix, Value: secretOf(c.Scheme)})
	}
	u, err := upstream.New(spec, upstream.API{Transport: s})
	if err != nil {
		s.t.Fatal(err)
	}
	return u
}

var (
	wireEffects = map[plan.Effect]upstream.Effect{plan.EffectRead: upstream.EffectRead, plan.EffectIdempotent: upstream.EffectIdempotent, plan.EffectUnsafe: upstream.EffectUnsafe}
	wireStyles  = map[string]upstream.ListStyle{"ListExplode": upstream.ListExplode, "ListComma": upstream.ListComma, "ListSpace": upstream.ListSpace, "ListPipe": upstream.ListPipe, "ListTab": upstream.ListTab}
)

func (s *sender) call(k *plan.Call) {
	c := s.upstream(k.Upstream).Call(k.Step, k.Method, wireEffects[k.Effect])
	if k.Server != "" {
		c.Server(k.Server)
	}
	c.Credentials(k.Schemes...)
	var parts []string
	for _, p := range k.Parts {
		parts = append(parts, s.text(nil, p))
	}
	c.Path(parts...)
	for _, then := range k.Then {
		if then.Param.Method == "Path" {
			c.Path("", s.text(then.Param.JSON, nil))
		} else {
			s.param(c, then.Param)
		}
		var parts []string
		for _, p := range then.Parts {
			parts = append(parts, s.text(nil, p))
		}
		if parts != nil {
			c.Path(parts...)
		}
	}
	if k.Query != "" {
		c.FixedQuery(k.Query)
	}
	for _, p := range k.Params {
		s.param(c, p)
	}
	if k.Accept != "" {
		c.Accept(k.Accept)
	}
	for _, f := range k.Form {
		s.field(c, &f)
	}
	switch {
	case k.Body == nil:
	case k.Body.Raw != nil:
		c.Body(k.Body.Media, []byte(s.text(nil, k.Body.Raw)))
	default:
		c.Body(k.Body.Media, s.json(k.Body.Root))
	}
	_, err := upstream.Do[struct{}](s.t.Context(), c, nil)
	if tool.KindOf(err) == tool.KindInternal {
		s.t.Errorf("%s %s cannot be sent: %v", k.Method, k.Comment, err)
	}
}

func (s *sender) field(c *upstream.Call, f *plan.FormField) {
	in, file := "form", ""
	if f.Multipart {
		in = "multipart"
	}
	if f.File {
		file = f.Name
	}
	switch {
	case f.Style != "":
		c.Structured(in, f.Name, f.Style, s.json(f.JSON.Root))
	case f.Multipart:
		c.Part(f.Name, f.Type, file, []byte(s.text(f.JSON, f.Value)))
	default:
		c.Form(f.Name, s.text(f.JSON, f.Value))
	}
}

func (s *sender) param(c *upstream.Call, p plan.Param) {
	switch p.Method {
	case "Structured":
		c.Structured(string(p.In), p.Name, p.Style, s.json(p.JSON.Root))
	case "Query":
		c.Query(p.Name, s.text(p.JSON, p.Value))
	case "QueryReserved":
		c.QueryReserved(p.Name, s.text(p.JSON, p.Value))
	case "Header":
		c.Header(p.Name, s.text(p.JSON, p.Value))
	case "Cookie":
		c.Cookie(p.Name, s.text(p.JSON, p.Value))
	case "QueryList":
		c.QueryList(p.Name, s.texts(p.Value), wireStyles[p.Style])
	case "HeaderList":
		c.HeaderList(p.Name, s.texts(p.Value))
	default:
		s.t.Fatal("no method", p.Method)
	}
}

func (s *sender) text(document *plan.Body, v lower.Value) string {
	if document != nil {
		return string(s.json(document.Root))
	}
	switch v := s.eval(v).(type) {
	case string:
		return v
	case bool, int64, float64:
		return strings.Trim(string(s.marshal(v)), `"`)
	}
	s.t.Fatalf("%#v is not a text", v)
	return ""
}

func (s *sender) texts(v lower.Value) []string {
	var out []string
	for _, x := range s.eval(v).([]any) {
		text, ok := x.(string)
		if !ok {
			text = string(s.marshal(x))
		}
		out = append(out, text)
	}
	return out
}

func (s *sender) json(n *plan.BodyNode) []byte {
	switch {
	case n.Null:
		return []byte("null")
	case n.Object:
		var parts []string
		for _, m := range n.Members {
			parts = append(parts, string(s.marshal(m.Name))+":"+string(s.json(m.Value)))
		}
		return []byte("{" + strings.Join(parts, ",") + "}")
	case n.List:
		var parts []string
		for _, i := range n.Items {
			parts = append(parts, string(s.json(i)))
		}
		return []byte("[" + strings.Join(parts, ",") + "]")
	}
	return s.marshal(s.eval(n.Value))
}

func (s *sender) marshal(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

// eval is the value of a constant.
func (s *sender) eval(v lower.Value) any {
	switch v := v.(type) {
	case lower.Const:
		return v.V
	case lower.Local:
		return s.eval(s.locals[v.Name])
	case lower.List:
		out := []any{}
		for _, x := range v.Values {
			out = append(out, s.eval(x))
		}
		return out
	case lower.Call: // of a function that makes text of a number or a list of texts
		return s.eval(v.Args[0])
	}
	s.t.Fatalf("%#v is not constant", v)
	return nil
}
