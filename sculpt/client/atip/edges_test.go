package atip

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

var errBroken = errors.New("broken")

// A desk is a machine of which everything is made up.
type desk struct {
	programs map[string][]File
	files    map[string]string
	hash     error
	write    error
	// run answers the words of a command line.
	run map[string]ending
	mu  sync.Mutex
	ran []string
}

type ending struct {
	out Output
	err error
}

func (d *desk) Programs(folder string) ([]File, error) {
	list, there := d.programs[folder]
	if !there {
		return nil, errBroken
	}
	return list, nil
}

func (d *desk) Hash(path string) (string, error) { return "h" + path[1:2], d.hash }

func (d *desk) Read(path string) ([]byte, error) {
	text, there := d.files[path]
	if !there {
		return nil, errBroken
	}
	return []byte(text), nil
}

func (d *desk) Write(path string, data []byte) error {
	if d.write == nil {
		d.files[path] = string(data)
	}
	return d.write
}

func (d *desk) Run(_ context.Context, path string, args []string, most int) (Output, error) {
	words := strings.Join(append([]string{path}, args...), " ")
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ran = append(d.ran, fmt.Sprint(words, " ", most))
	e := d.run[words]
	return e.out, e.err
}

func (d *desk) Now() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

func saying(text string) ending { return ending{out: Output{Stdout: []byte(text)}} }

// TestDocuments: what a description has to have, and what commands become of it.
func TestDocuments(t *testing.T) {
	for text, want := range map[string]string{
		"{": "unexpected end of JSON input", `{"name":"a","description":"A."}`: "it names no version of ATIP", `{"atip":"0.3","description":"A."}`: "it has no name or no description",
		`{"atip":"0.3","name":"a"}`: "it has no name or no description", `{"atip":"0.3","name":"a","description":"A."}`: "<nil>", `{"atip":{"version":"0.6"},"name":"a","description":"A."}`: "<nil>",
	} {
		d, err := readDocument([]byte(text))
		if fmt.Sprint(err) != want || (d == nil) != (err != nil) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	deep := strings.Repeat(`{"commands":{"b":`, mostNested-1) + `{"description":"B."}` + strings.Repeat("}}", mostNested-1)
	doc, err := readDocument([]byte(`{"atip":"0.6","name":"a-b.c","description":"A.","effects":{"destructive":true},"commands":{"":{"description":"Itself."},"x-y":{"description":"X.","effects":{}},` +
		`"null":null,"deep":` + deep + `,"deeper":{"commands":{"b":` + deep + `}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, one := range doc.tools() {
		got = append(got, strings.Join([]string{one.ID, one.Name, one.Title, string(one.Protocol), one.Description}, "|"))
	}
	bs := strings.Repeat(" b", mostNested-1)
	want := []string{"|a_b_c|a-b.c|atip|Itself.", "deep" + bs + "|a_b_c_deep" + strings.ReplaceAll(bs, " ", "_") + "|a-b.c deep" + bs + "|atip|B.", "x-y|a_b_c_x_y|a-b.c x-y|atip|X."}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestEffectsTold: a command only reads where everything says so.
func TestEffectsTold(t *testing.T) {
	const reads = `"idempotent":true,"reversible":true,"destructive":false,"filesystem":{}`
	for text, want := range map[string]*tool.Effects{
		`null`: nil, `{}`: {Destructive: true}, `{` + reads + `}`: {ReadOnly: true, Idempotent: true, Reversible: true}, `{` + reads + `,"cost":{"billable":true}}`: {ReadOnly: true, Idempotent: true, Reversible: true, Billable: true},
		`{` + reads + `,"creates":["a"]}`: {Idempotent: true, Reversible: true}, `{` + reads + `,"modifies":["a"]}`: {Idempotent: true, Reversible: true}, `{` + reads + `,"deletes":["a"]}`: {Idempotent: true, Reversible: true},
		`{` + reads + `,"creates":["a"],"modifies":["b"]}`: {Idempotent: true, Reversible: true},
		`{` + reads + `,"filesystem":{"write":true}}`:      {Idempotent: true, Reversible: true}, `{` + reads + `,"filesystem":{"delete":true}}`: {Idempotent: true, Reversible: true}, `{` + reads + `,"filesystem":null}`: {Idempotent: true, Reversible: true},
		`{` + reads + `,"idempotent":false}`: {Reversible: true}, `{` + reads + `,"reversible":null}`: {Idempotent: true}, `{` + reads + `,"destructive":true}`: {Idempotent: true, Reversible: true, Destructive: true},
	} {
		var e *effects
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		if got := e.told(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// TestInputs: an input of each type, and what cannot be one.
func TestInputs(t *testing.T) {
	no := new(bool)
	for _, c := range []struct {
		p        parameter
		argument bool
		want     string
	}{
		{parameter{Name: "a", Type: "string", Description: "A."}, true, "A.|string|true|"}, {parameter{Name: "a", Type: "file", Required: no}, true, " (file path)|string|false|"},
		{parameter{Name: "a", Type: "directory", Flags: []string{"-a"}}, false, " (directory path)|string|false|"}, {parameter{Name: "a", Type: "url"}, true, " (URL)|string|true|"},
		{parameter{Name: "a", Type: "integer"}, true, "|int -9007199254740992 9007199254740992|true|"}, {parameter{Name: "a", Type: "boolean"}, true, "|boolean|true|"},
		{parameter{Name: "a", Type: "number", Description: "A."}, true, `A.|json|true|{"description":"A.","type":"number"}`}, {parameter{Name: "a", Type: "enum", Enum: []string{"x"}}, true, "|enum [x]|true|"},
		{parameter{Name: "a", Type: "array"}, true, `|json|true|{"description":"","items":{"type":"string"},"type":"array"}`},
		{parameter{Name: "a", Type: "integer", Variadic: true}, true, `|json -9007199254740992 9007199254740992|true|{"description":"","items":{"type":"integer"},"type":"array"}`},
		{parameter{Name: "a", Type: "enum", Enum: []string{"x", "y"}, Variadic: true}, true, `|json|true|{"description":"","items":{"enum":["x","y"],"type":"string"},"type":"array"}`},
		{parameter{Name: "a", Type: "enum"}, true, `the enum "a" has no values`}, {parameter{Type: "string"}, true, "an option has no name or no flags"}, {parameter{Name: "a"}, false, "an option has no name or no flags"},
	} {
		in, err := c.p.input(c.argument)
		kind := map[tool.Type]string{tool.TypeString: "string", tool.TypeInt: "int", tool.TypeBoolean: "boolean", tool.TypeEnum: "enum", tool.TypeJSON: "json"}[in.Type]
		if in.Min != 0 || in.Max != 0 {
			kind += fmt.Sprint(" ", in.Min, " ", in.Max)
		}
		if in.Values != nil {
			kind += fmt.Sprint(" ", in.Values)
		}
		got := fmt.Sprintf("%s|%s|%v|%s", in.Description, kind, in.Required, in.Schema)
		if err != nil {
			got = err.Error()
		} else if in.ID != "a" || in.Name != "a" {
			t.Errorf("%+v", in)
		}
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.p, got, c.want)
		}
	}
	one := (&command{Arguments: []parameter{{Name: "a"}, {Name: "b"}}, Options: []parameter{{Name: "a", Flags: []string{"-a"}}, {Name: "c", Flags: []string{"-c"}}}}).tool([]string{"x", "y"})
	if one.Broken == nil || one.Broken.Error() != `two inputs are called "a"` || len(one.Inputs) != 3 || one.ID != "x y" {
		t.Errorf("%v %+v", one.Broken, one.Inputs)
	}
}

const described = `{"atip":"0.6","name":"hub","version":"2","description":"Hub.","commands":{"go":{"description":"Go."}}}`

// TestFound: which programs are looked at and started, and what is found.
func TestFound(t *testing.T) {
	at := time.Unix(1, 0)
	d := &desk{files: map[string]string{}, programs: map[string][]File{"/b": {}, "rel": {{Name: "rel", Time: at}}}, run: map[string]ending{
		"/b/hub --agent": saying(described), "/b/odd --agent": saying(`{"atip":"0.6"}`), "/b/fails --agent": {out: Output{Stdout: []byte(described), Exit: 1}}, "/b/hangs --agent": {out: Output{Stdout: []byte(described)}, err: errBroken},
		"/b/long --agent": {out: Output{Stdout: []byte(described)}, err: ErrChatty}, "/b/talks --agent": {out: Output{Stdout: []byte("Usage: talks")}, err: ErrChatty}, "/b/says --agent": saying(`"atip"`),
		"/b/long --agent --depth=1": saying(described),
	}}
	for _, name := range append([]string{"hub", "odd", "fails", "hangs", "long", "talks", "says", "skipped"}, never...) {
		d.programs["/b"] = append(d.programs["/b"], File{Name: name, Size: 7, Time: at})
	}
	f := Finder{Machine: d, Path: []string{"rel", "/none", "/b", "/b"}, Skip: []string{"skipped"}}
	programs, problems := f.Find(t.Context())
	var got []string
	for _, p := range programs {
		got = append(got, strings.Join([]string{p.Name, p.Version, p.Description, p.Path, p.Hash, p.Source}, " "))
	}
	if want := []string{"hub 2 Hub. /b/hub  native", "hub 2 Hub. /b/long  native"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(problems) != 1 || problems[0].Path != "/b/odd" || problems[0].Err.Error() != "its description cannot be used: it has no name or no description" {
		t.Errorf("%v", problems)
	}
	slices.Sort(d.ran)
	want := []string{"/b/fails --agent 262144", "/b/hangs --agent 262144", "/b/hub --agent 262144", "/b/long --agent --depth=1 4194304", "/b/long --agent 262144", "/b/long --agent 4194304", "/b/odd --agent 262144", "/b/says --agent 262144", "/b/talks --agent 262144"}
	if !slices.Equal(d.ran, want) {
		t.Errorf("%q, want %q", d.ran, want)
	}
	f.Allow, d.ran = []string{"hub", "su"}, nil
	if programs, _ = f.Find(t.Context()); len(programs) != 1 || len(d.ran) != 1 {
		t.Errorf("%v, %q", programs, d.ran)
	}
}

// TestKeptInTheRegistry: what was found is kept, is not started again until it has
// changed, and what cannot be kept is a problem.
func TestKeptInTheRegistry(t *testing.T) {
	at := time.Unix(1, 0)
	d := &desk{files: map[string]string{}, programs: map[string][]File{"/b": {{"hub", 7, at}, {"none", 8, at}}}, run: map[string]ending{"/b/hub --agent": saying(described)}}
	f := Finder{Machine: d, Path: []string{"/b"}, Data: "/data"}
	find := func() int {
		d.ran = nil
		programs, problems := f.Find(t.Context())
		if len(programs) != 1 || programs[0].Hash != "hb" || problems != nil {
			t.Errorf("%v, %v", programs, problems)
		}
		return len(d.ran)
	}
	if n := find(); n != 2 {
		t.Errorf("%d programs were started", n)
	}
	var r registry
	if err := json.Unmarshal([]byte(d.files["/data/registry.json"]), &r); err != nil {
		t.Fatal(err)
	}
	entry := registered{Path: "/b/hub", Hash: "sha256:hb", Source: "native", Checked: d.Now(), Size: 7, Time: r.Tools["hub"].Time}
	none := registered{Path: "/b/none", Hash: "sha256:hb", Checked: d.Now(), Size: 8, Time: r.None["none"].Time}
	if r.Version != "2" || !r.Updated.Equal(d.Now()) || !maps.Equal(r.Agent, map[string]string{"name": "sculpt"}) || len(r.Tools) != 1 || r.Tools["hub"] != entry || len(r.None) != 1 || r.None["none"] != none || !entry.Time.Equal(at) {
		t.Errorf("%s", d.files["/data/registry.json"])
	}
	if n := find(); n != 0 {
		t.Errorf("%d programs were started again", n)
	}
	for i, change := range []func(*File){func(f *File) { f.Size++ }, func(f *File) { f.Time = at.Add(1) }} {
		change(&d.programs["/b"][i])
		if n := find(); n != 1 {
			t.Errorf("%d programs were started after one had changed", n)
		}
	}
	d.files["/data/shims/sha256/hb.json"] = described
	d.run["/b/hub --agent"] = ending{}
	d.programs["/b"] = d.programs["/b"][:1]
	d.programs["/b"][0].Size = 99
	if programs, _ := f.Find(t.Context()); len(programs) != 1 || programs[0].Source != "community" {
		t.Errorf("%v", programs)
	}
	d.write = errBroken
	if _, problems := f.Find(t.Context()); len(problems) != 1 || problems[0].Path != "/data" || !errors.Is(problems[0].Err, errBroken) {
		t.Errorf("%v", problems)
	}
	d.programs["/b"][0].Size, d.hash = 100, errBroken
	if programs, problems := f.Find(t.Context()); len(programs) != 0 || len(problems) != 2 || problems[0].Path != "/b/hub" || !errors.Is(problems[0].Err, errBroken) {
		t.Errorf("%v, %v", programs, problems)
	}
}

// TestEndsOfPrograms: each way in which a call ends without an answer.
func TestEndsOfPrograms(t *testing.T) {
	doc, err := readDocument([]byte(described))
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("é", mostTold)
	for _, c := range []struct {
		e        ending
		readOnly bool
		kind     tool.Kind
		want     string
	}{
		{ending{err: context.DeadlineExceeded}, false, tool.KindUnknownOutcome, ""}, {ending{err: context.Canceled}, true, tool.KindTimeout, ""}, {ending{err: errBroken}, true, tool.KindUnavailable, "The program cannot be run."},
		{ending{out: Output{Exit: 1}}, false, tool.KindRejected, "The program failed with exit code 1."}, {ending{out: Output{Exit: 2, Stdout: []byte(" out\n"), Stderr: []byte(" \n")}}, false, tool.KindInvalidInput, "out"},
		{ending{out: Output{Exit: 3, Stdout: []byte("out"), Stderr: []byte(" err\xff ")}}, false, tool.KindRejected, "err�"}, {ending{out: Output{Exit: 1, Stderr: []byte(long + "x")}}, false, tool.KindRejected, long[:mostTold]},
	} {
		p := &Program{Name: "hub", Path: "/hub", machine: &desk{run: map[string]ending{"/hub go": c.e}}, doc: doc}
		one := p.Tools()[0]
		one.Effects = &tool.Effects{ReadOnly: c.readOnly}
		_, err := p.Invoke(t.Context(), one, client.Call{})
		e, ok := errors.AsType[*client.Error](err)
		if !ok || e.Fault.Kind != c.kind || e.Fault.Message != c.want || e.Local != (c.kind == tool.KindInvalidInput) || c.e.err != nil && !errors.Is(e.Fault.Err, c.e.err) {
			t.Errorf("%+v: %+v", c.e, err)
		}
	}
	p := &Program{Name: "hub", Path: "/hub", machine: &desk{}, doc: doc}
	broken, foreign := p.Tools()[0], p.Tools()[0]
	broken.Broken, foreign.Document = errBroken, nil
	for want, one := range map[string]*client.Tool{"The program describes this command in a way that cannot be read.": broken, "the tool is not one of a program": foreign} {
		if _, err := p.Invoke(t.Context(), one, client.Call{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestLoaded: what is asked for the rest of the commands, and why there is none.
func TestLoaded(t *testing.T) {
	const asks = "/hub --agent --commands=a,b"
	for _, c := range []struct {
		e        ending
		commands []string
		want     string
	}{
		{saying(described), []string{"a", "b"}, "<nil>"}, {ending{err: errBroken}, []string{"a", "b"}, "atip: hub: broken"}, {saying("{}"), []string{"a", "b"}, "atip: hub: it names no version of ATIP"},
		{ending{out: Output{Stdout: []byte(described), Exit: 3}}, []string{"a", "b"}, "atip: hub: exit code 3"}, {saying(described), []string{"a", ""}, `atip: "" is not the name of a command`},
		{saying(described), []string{"a b"}, `atip: "a b" is not the name of a command`}, {saying(described), []string{"a,b"}, `atip: "a,b" is not the name of a command`}, {saying(described), []string{"-a"}, `atip: "-a" is not the name of a command`},
	} {
		d := &desk{run: map[string]ending{asks: c.e}}
		tools, err := (&Program{Name: "hub", Path: "/hub", machine: d}).Load(t.Context(), c.commands...)
		if fmt.Sprint(err) != c.want || (len(tools) == 1) != (err == nil) {
			t.Errorf("%q: %v, %v; want %s", c.commands, tools, err, c.want)
		}
		if err == nil && !slices.Equal(d.ran, []string{asks + " 4194304"}) {
			t.Errorf("%q", d.ran)
		}
	}
}

// TestWords: the words of a command line, and what none can be.
func TestWords(t *testing.T) {
	one := &client.Tool{ID: "do it", Document: json.RawMessage(`{"options":[{"name":"s","flags":["-s"]},{"name":"l","flags":["-l","--long"]},{"name":"b","flags":["-b"]}],"arguments":[{"name":"x"},{"name":"y"}]}`)}
	for _, c := range []struct {
		args map[string]any
		want string
	}{
		{nil, "do|it"}, {map[string]any{"s": "v", "l": "-v", "b": true}, "do|it|-s|v|--long=-v|-b"}, {map[string]any{"b": false, "x": "1", "y": "2"}, "do|it|1|2"}, {map[string]any{"x": "1", "y": "-2"}, "do|it|--|1|-2"},
		{map[string]any{"x": "-1", "y": "2"}, "do|it|--|-1|2"}, {map[string]any{"x": []any{true, 1, int64(2), json.Number("3.0"), "4"}}, "do|it|true|1|2|3.0|4"}, {map[string]any{"x": []any{}}, "do|it"},
		{map[string]any{"s": "-v"}, "error: s may not begin with -"}, {map[string]any{"s": "a\x00"}, "error: s has a character that command lines cannot have"},
		{map[string]any{"x": map[string]any{}}, "error: x cannot be written on a command line"}, {map[string]any{"s": 1.5}, "error: s cannot be written on a command line"}, {map[string]any{"y": []any{"1", nil}}, "error: y cannot be written on a command line"},
	} {
		words, err := argv(one, c.args)
		got := strings.Join(words, "|")
		if err != nil {
			if got = "error: " + err.Error(); words != nil {
				t.Errorf("%q beside %v", words, err)
			}
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.args, got, c.want)
		}
	}
}

// TestChecksums: how a program is held against its description, and the whole text
// of why it does not fit.
func TestChecksums(t *testing.T) {
	const sha384 = "sha384:c1b9ebb49a6b5b25d1b1eb5c2d1b"
	for _, c := range []struct {
		trust, want string
		d           *desk
		verify      error
	}{
		{`"trust":{"integrity":{"checksum":"SHA256:HB"}}`, "<nil>", &desk{}, nil}, {`"binary":{"hash":"sha256:hx"}`, "its checksum is not that of its description", &desk{}, nil},
		{`"binary":{"hash":"md5:1"}`, `its checksum is by "md5", and not by sha256, sha384 or sha512`, &desk{}, nil}, {`"binary":{"hash":"sha256:hb"}`, "broken", &desk{hash: errBroken}, nil}, {`"binary":{"hash":"sha512:1"}`, "broken", &desk{}, nil},
		{`"binary":{"hash":"` + sha384 + `"}`, "its checksum is not that of its description", &desk{files: map[string]string{"/b/hub": "x"}}, nil},
		{`"trust":{"signature":{"type":"gpg"},"provenance":{"format":"slsa"}}`, "its description names a signature by gpg and provenance as slsa, which does not hold: broken", &desk{}, errBroken},
		{`"trust":{"shimIntegrity":{"signature":{}},"provenance":{}}`, "its description names a signature and provenance, which does not hold: broken", &desk{}, errBroken},
		{`"trust":{"integrity":{"signature":{"type":"cosign"}}}`, "its description names a signature by cosign, which nothing here verifies", &desk{}, nil},
	} {
		doc, err := readDocument([]byte(`{` + c.trust + `,` + described[1:]))
		if err != nil {
			t.Fatal(err)
		}
		f := Finder{Machine: c.d}
		if c.verify != nil {
			f.Verify = func(context.Context, string, json.RawMessage) error { return c.verify }
		}
		if err := f.verify(t.Context(), &candidate{path: "/b/hub"}, doc, nil); fmt.Sprint(err) != c.want {
			t.Errorf("%s: %v, want %s", c.trust, err, c.want)
		}
	}
}
