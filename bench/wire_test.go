package bench

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/oapi-codegen/runtime"

	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// plain objects are what the decoder reads in the styles of OpenAPI: it makes a
// text of every member.
type plain struct {
	A string `json:"a"`
	B string `json:"b"`
}

// A deep object is what has a form with brackets.
type flat struct {
	A string  `json:"a"`
	B int     `json:"b"`
	C bool    `json:"c"`
	D float64 `json:"d"`
}

type deep struct {
	Name  string            `json:"name"`
	Flat  flat              `json:"flat"`
	Items []flat            `json:"items"`
	Words []string          `json:"words"`
	Map   map[string]string `json:"map"`
}

type recorder struct {
	request *http.Request
	body    string
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.request = req
	if req.Body != nil {
		data, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		r.body = string(data)
	}
	return nil, io.EOF
}

// wireOf is the request of a call with one structured value.
func wireOf(t *testing.T, in, how string, value any) *recorder {
	t.Helper()
	r := &recorder{}
	u, err := upstream.New(upstream.Spec{Name: "a", BaseURL: "https://a.example"}, upstream.API{Transport: r})
	if err != nil {
		t.Fatal(err)
	}
	document, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	c := u.Call("s", "POST", upstream.EffectUnsafe)
	c.Path("/")
	c.Structured(in, "v", how, document)
	if _, err = upstream.Do[struct{}](context.Background(), c, nil); r.request == nil {
		t.Fatalf("%s %s %s: %v", in, how, document, err)
	}
	return r
}

// bind reads the value of a request back.
func (r *recorder) bind(in, style string, explode bool, to any) error {
	options := runtime.BindStyledParameterOptions{Explode: explode, Required: true}
	switch {
	case strings.HasSuffix(style, "Delimited"):
		//nolint:staticcheck // the newer one knows no separators that are escaped, and a URI has no others
		return runtime.BindQueryParameter(style, explode, true, "v", r.request.URL.Query(), to)
	case in == "query":
		return runtime.BindRawQueryParameter(style, explode, true, "v", r.request.URL.RawQuery, to)
	case in == "path":
		options.ParamLocation = runtime.ParamLocationPath
		return runtime.BindStyledParameterWithOptions(style, "v", strings.TrimPrefix(r.request.URL.EscapedPath(), "/"), to, options)
	case in == "header":
		options.ParamLocation = runtime.ParamLocationHeader
		return runtime.BindStyledParameterWithOptions(style, "v", r.request.Header.Get("v"), to, options)
	}
	options.ParamLocation = runtime.ParamLocationCookie
	cookie, err := r.request.Cookie("v")
	if err != nil {
		return err
	}
	return runtime.BindStyledParameterWithOptions("simple", "v", cookie.Value, to, options)
}

// word has no character that oapi-codegen/runtime, which splits what is unescaped
// already, takes for one between words; in a query it splits first. Quotes and
// backslashes are lost in its objects.
func word(r *rand.Rand, in string) string {
	letters := []rune("abXYZ019-_~")
	if in == "query" || in == "form" {
		letters = append(letters, []rune("&+,./:;=?@#%|^'é 😀")...)
	}
	out := []rune{'w'}
	for range r.IntN(8) {
		out = append(out, letters[r.IntN(len(letters))])
	}
	return string(out)
}

func words(r *rand.Rand, in string) []string {
	var out []string
	for range 1 + r.IntN(4) {
		out = append(out, word(r, in))
	}
	return out
}

func newFlat(r *rand.Rand, in string) flat {
	return flat{word(r, in), r.IntN(2000) - 1000, r.IntN(2) == 0, float64(r.IntN(9))}
}

func newDeep(r *rand.Rand) deep {
	d := deep{Name: word(r, "form"), Flat: newFlat(r, "form"), Words: words(r, "form"), Map: map[string]string{}}
	for range 1 + r.IntN(3) {
		d.Items = append(d.Items, newFlat(r, "form"))
		d.Map[word(r, "path")] = word(r, "form")
	}
	return d
}

// TestWireOfOapiCodegen has the decoder that servers of oapi-codegen use read
// random values back, in every place and style that it knows.
func TestWireOfOapiCodegen(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	for _, c := range []struct {
		in, style string
		flags     string
	}{
		{"path", "simple", " *"}, {"path", "label", " *"}, {"path", "matrix", " *"}, {"header", "simple", " *"},
		{"query", "form", " *"}, {"query", "spaceDelimited", "l"}, {"query", "pipeDelimited", "l"}, {"cookie", "form", " "},
	} {
		for _, flag := range c.flags {
			how, explode := c.style, flag == '*'
			if explode {
				how += "*"
			}
			for range 50 {
				in := c.in
				if flag == 'l' {
					in = "path" // splits at spaces and bars after unescaping
				}
				list := words(r, in)
				var gotList []string
				if sent := wireOf(t, c.in, how, list); sent.bind(c.in, c.style, explode, &gotList) != nil || !reflect.DeepEqual(list, gotList) {
					t.Errorf("%s %s: %q is read as %q in %s", c.in, how, list, gotList, sent.request.URL)
				}
				if flag == 'l' {
					continue
				}
				object, gotObject := plain{word(r, in), word(r, in)}, plain{}
				if sent := wireOf(t, c.in, how, object); sent.bind(c.in, c.style, explode, &gotObject) != nil || object != gotObject {
					t.Errorf("%s %s: %+v is read as %+v in %s", c.in, how, object, gotObject, sent.request.URL)
				}
			}
		}
	}
}

// TestBracketsOfOapiCodegen does the same with what is written with brackets, in
// a query and in a form.
func TestBracketsOfOapiCodegen(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 4))
	for range 200 {
		for _, in := range []string{"query", "form"} {
			value := newDeep(r)
			sent := wireOf(t, in, "deepObject*", value)
			text := sent.request.URL.RawQuery
			if in == "form" {
				text = sent.body
			}
			values, err := url.ParseQuery(text)
			if err != nil {
				t.Fatal(err)
			}
			var got deep
			if err := runtime.UnmarshalDeepObject(&got, "v", values); err != nil || !reflect.DeepEqual(value, got) {
				t.Errorf("%s: %+v is read as %+v, %v in %s", in, value, got, err, text)
			}
		}
	}
}
