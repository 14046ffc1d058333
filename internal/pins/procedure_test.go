package pins_test

import (
	"fmt"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/pins"
	"github.com/sculpt-tools/sculpt/sculpt/client"
)

// A procedure names tools as the model knows them, with inputs that they have; what
// is not a reference is prose.
func TestProcedure(t *testing.T) {
	f := pins.NewFile("a.pins.yaml")
	p := &pins.Provider{Name: "x", Protocol: client.ProtocolA2T, URL: "https://x.example"}
	for agent, name := range map[string]string{"support": "look_up", "sales": "find"} {
		one := kept(t, client.ProtocolA2T, `{"toolId":"`+name+`","name":"`+name+`","version":1,"input_parameters":[{"name":"city"},{"name":"day"}]}`)
		if _, _, err := f.Put(agent, p, one); err != nil {
			t.Fatal(err)
		}
	}
	text, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	f, list := pins.ReadFile("a.pins.yaml", text)
	if len(list) > 0 {
		t.Fatal(list)
	}
	for _, c := range []struct{ agent, text, want string }{
		{"", "- Use `look_up(city, day)` or look_up(), `find()` and `find(city: \"Omaha\", day=TODAY)`.\nTool(s), f(x) and `code` are prose, [say what (if any)].", ""},
		{"", "é `look_up(town)`", "1:12: look_up has no input \"town\"\n"},
		{"", "a\nlook_up(city,cty) and look_down(city)", "2:14: look_up has no input \"cty\", did you mean \"city\"?\n2:23: no tool \"look_down\" is pinned\n"},
		{"", "`fnd(city)`", "1:2: no tool \"fnd\" is pinned, did you mean \"find\"?\n"},
		{"sales", "`look_up(city)` `find(...)`", "1:2: no tool \"look_up\" is pinned\n"},
	} {
		said := ""
		for _, found := range f.CheckProcedure("p.md", []byte(c.text), c.agent) {
			said += fmt.Sprintf("%d:%d: %s\n", found.Span.Start.Line, found.Span.Start.Col, found.Message)
		}
		if said != c.want {
			t.Errorf("%s:\ngot  %swant %s", c.text, said, c.want)
		}
	}
}
