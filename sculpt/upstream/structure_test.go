package upstream

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// sentBy is the request that a call makes, with its body.
func sentBy(t *testing.T, build func(*Call)) (*http.Request, string, error) {
	t.Helper()
	var got *http.Request
	body := ""
	u := newTestUpstream(t, Spec{BaseURL: "https://a.example"}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
		if got = r; r.Body != nil {
			data, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			body = string(data)
		}
		return nil, io.EOF
	})})
	c := u.Call("send", "POST", EffectUnsafe)
	build(c)
	_, err := Do(context.Background(), c, scanThing)
	return got, body, err
}

// The forms of values are in gen/internal/corpus/testdata/wire.txt; here is what
// that table cannot have: null, values with the place of others after them, bytes.
func TestStructured(t *testing.T) {
	for _, c := range []struct {
		name, want string
		build      func(*Call)
	}{
		{"null", "/", func(c *Call) {
			c.Structured("query", "a", "form", []byte("null"))
			c.Structured("query", "a", "deepObject*", []byte(`{"b":null,"c":[null]}`))
			c.Structured("header", "X-A", "simple", []byte(`[null]`))
		}},
		{"null in a list takes no place", "/?a%5B0%5D=1&a%5B1%5D=2", func(c *Call) { c.Structured("query", "a", "deepObject", []byte(`[1,null,2]`)) }},
		{"numbers keep their spelling", "/?a=1.50,-2e9", func(c *Call) { c.Structured("query", "a", "form", []byte(`[1.50,-2e9]`)) }},
		{"path goes on", "/x,y/z/a%2Fb;m=1;m=2.json", func(c *Call) {
			c.Path("/")
			c.Structured("path", "v", "simple", []byte(`["x","y"]`))
			c.Path("/z/", "a/b")
			c.Structured("path", "m", "matrix*", []byte(`[1,2]`))
			c.Path(".json")
		}},
	} {
		got, _, err := sentBy(t, c.build)
		if got == nil {
			t.Errorf("%s: %v", c.name, err)
		} else if text := strings.TrimPrefix(got.URL.String(), "https://a.example"); text != c.want || got.Header.Get("X-A") != "" {
			t.Errorf("%s: got %s, want %s", c.name, text, c.want)
		}
	}
}

func TestStructuredRefused(t *testing.T) {
	for name, c := range map[string]struct {
		kind  tool.Kind
		build func(*Call)
	}{
		"dot segment":         {tool.KindRejected, func(c *Call) { c.Path("/"); c.Structured("path", "a", "label", []byte(`"."`)) }},
		"dots after another":  {tool.KindRejected, func(c *Call) { c.Path("/x/"); c.Structured("path", "a", "simple", []byte(`[".."]`)); c.Path("/y") }},
		"nothing in the path": {tool.KindRejected, func(c *Call) { c.Path("/"); c.Structured("path", "a", "simple", []byte(`[]`)) }},
		"dot in a label":      {tool.KindRejected, func(c *Call) { c.Path("/"); c.Structured("path", "a", "label*", []byte(`["a.b"]`)) }},
		"bracket in a name":   {tool.KindRejected, func(c *Call) { c.Structured("query", "a", "deepObject*", []byte(`{"b":{"c]":1}}`)) }},
		"line in a header":    {tool.KindRejected, func(c *Call) { c.Structured("header", "a", "simple", []byte(`["b\r\nc"]`)) }},
		"comma in a member":   {tool.KindRejected, func(c *Call) { c.Structured("header", "a", "simple*", []byte(`{"b,c":1}`)) }},
		"equal sign":          {tool.KindRejected, func(c *Call) { c.Structured("header", "a", "simple*", []byte(`{"b=c":1}`)) }},
		"nested":              {tool.KindInternal, func(c *Call) { c.Structured("query", "a", "form*", []byte(`{"b":[1]}`)) }},
		"no JSON":             {tool.KindInternal, func(c *Call) { c.Structured("query", "a", "form", []byte(`[`)) }},
		"no documents":        {tool.KindInternal, func(c *Call) { c.Structured("form", "a", "json", []byte(`{}`)) }},
		"no place":            {tool.KindInternal, func(c *Call) { c.Structured("trailer", "a", "form", []byte(`[1]`)) }},
		"no media type":       {tool.KindInternal, func(c *Call) { c.Part("a", "text/plain\r\nX: y", "", nil) }},
	} {
		if got, _, err := sentBy(t, c.build); got != nil || tool.KindOf(err) != c.kind {
			t.Errorf("%s: %v, want %v", name, err, c.kind)
		}
	}
}

// TestParts: any bytes arrive, no name leaves its quotes, and the same parts are
// the same request, as a recording needs it.
func TestParts(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	build := func(c *Call) {
		c.Part("a\"\r\nX: y", "", "", []byte("text"))
		c.Part("file", "image/png", `f".png`, all)
		c.Structured("multipart", "list", "json", []byte(`[{"n":1},null,{"n":2}]`))
	}
	r, body, _ := sentBy(t, build)
	if _, again, _ := sentBy(t, build); again != body {
		t.Error("the same parts give another body")
	}
	r.Body = io.NopCloser(strings.NewReader(body))
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		t.Fatal(err)
	}
	if got := r.MultipartForm.Value["a%22%0D%0AX: y"]; len(got) != 1 || got[0] != "text" {
		t.Errorf("%v", r.MultipartForm.Value)
	}
	if got := strings.Join(r.MultipartForm.Value["list"], " "); got != `{"n":1} {"n":2}` {
		t.Error(got)
	}
	head := r.MultipartForm.File["file"][0]
	f, err := head.Open()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(f)
	if err != nil || string(data) != string(all) || head.Filename != "f%22.png" || head.Header.Get("Content-Type") != "image/png" {
		t.Errorf("%s %v %q %v", head.Filename, head.Header, data, err)
	}
}
