package corpus_test

import (
	"os"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// wireCalls are calls of real documents, and what they send: address, media type
// and body.
var wireCalls = []struct{ file, call, want string }{
	{"stripe.json", `{call: a.PostCheckoutSessions, body: {mode: payment, line_items: [{price: p1, quantity: 2}, {price: p2, quantity: 1}], metadata: {order: '42'}, expand: [line_items]}}`,
		"https://api.stripe.com/v1/checkout/sessions application/x-www-form-urlencoded mode=payment&line_items%5B0%5D%5Bprice%5D=p1&line_items%5B0%5D%5Bquantity%5D=2" +
			"&line_items%5B1%5D%5Bprice%5D=p2&line_items%5B1%5D%5Bquantity%5D=1&metadata%5Border%5D=42&expand%5B0%5D=line_items"},
	{"stripe.json", `{call: a.GetCharges, with: {created: {gte: 5, lt: 7}, limit: 3, expand: [data.customer]}}`,
		"https://api.stripe.com/v1/charges?created%5Bgte%5D=5&created%5Blt%5D=7&expand%5B0%5D=data.customer&limit=3"},
	{"stripe.json", `{call: a.PostFiles, body: {purpose: dispute_evidence, file: abc, file_link_data: {create: true}}}`,
		"https://files.stripe.com/v1/files multipart/form-data"},
	{"github.json", `{call: a.repos/upload-release-asset, with: {owner: o, repo: r, release_id: 1, name: a b.zip}, body: bytes of it}`,
		"https://uploads.github.com/repos/o/r/releases/1/assets?name=a%20b.zip application/octet-stream bytes of it"},
	{"kubernetes-swagger2.json", `{call: a.patchCoreV1NamespacedPod, with: {name: n, namespace: d}, body: {metadata: {labels: {a: b, old: null}}}}`,
		`https://k8s.example/api/v1/namespaces/d/pods/n application/merge-patch+json {"metadata":{"labels":{"a":"b","old":null}}}`},
}

// TestWireOfRealDocuments sends what vendors' documents describe.
func TestWireOfRealDocuments(t *testing.T) {
	dir := golden.Shared(t, "openapi")
	for _, c := range wireCalls {
		t.Run(c.file+" "+strings.Fields(c.call)[1], func(t *testing.T) {
			base := ""
			if strings.HasPrefix(c.file, "kubernetes") {
				base = ", base_url: 'https://k8s.example'"
			}
			text := "sculpt: 1\npackage: p\ntoolkit: P\nnamespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11\napis: {a: {openapi: " + c.file + base + "}}\n" +
				"tools: {t: {version: 1, description: Sends., inputs: {n: {type: int, description: N., min: 0, max: 9}}, steps: {s: " + c.call + "}, outputs: {n: {value: '${input.n}', description: N.}}}}\n"
			m, findings := manifest.Parse("sculpt.yaml", []byte(text))
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			set, findings := spec.Load(os.DirFS(dir), resolve.Sources(m))
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			p, _, findings := planned(text, set)
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			r := sent(t, p)[0]
			media, _, multipart := strings.Cut(r.Header.Get("Content-Type"), "; boundary=")
			got := strings.TrimSpace(r.URL + " " + media)
			if !multipart && r.Body != "" {
				got += " " + r.Body
			}
			if got != c.want {
				t.Errorf("sends\n%s, want\n%s", got, c.want)
			}
			if multipart && !(strings.Contains(r.Body, `name="file"; filename="file"`) && strings.Contains(r.Body, "name=\"file_link_data[create]\"\r\n\r\ntrue\r\n")) {
				t.Error(r.Body)
			}
		})
	}
}
