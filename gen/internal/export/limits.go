package export

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

var (
	ruleExport = diag.ID("not-exportable")
	// ruleLong has the id of a rule of package manifest, which sees the texts
	// as they were written; here they are joined.
	ruleLong = diag.ID("too-long")
)

// Rules lists the rules of this package.
var Rules = []diag.Rule{
	{ID: ruleExport, Summary: "A tool fits into every protocol that it is exported to.",
		Why: "Clients refuse a document, and often the whole list, for one name or text that is out of bounds.", Fix: "See the message."},
	{ID: ruleLeftOut, Summary: "A tool fits into the function formats of the providers of models.",
		Why: "A provider refuses a whole request for one tool beyond its limits, so the tool is left out of the document; other protocols have it.", Fix: "See the message."},
	{ID: ruleLong, Summary: "Texts that are put together fit into all protocols.",
		Why: "Some protocols have no field for the text of a value or for when to use a tool, so it is joined to a description, which clients cut or refuse beyond their limit.", Fix: "Shorten the text."},
}

// Limits of the protocols; the strictest one that sculpt cannot work around.
const (
	mostName        = 64   // OTC 1.0, OpenAI, Gemini
	mostID          = 255  // A2T 6.1
	mostValueName   = 255  // A2T 6.1
	mostValueText   = 2000 // A2T 6.1
	mostDescription = 1999 // A2T 6.1: fewer than 2000
	goodDescription = 1024 // OpenAI and gateways in front of others
)

var (
	uuidForm  = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	toolForm  = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	otcForm   = regexp.MustCompile(`^[A-Za-z0-9_]+$`)
	paramForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	valueForm = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)
	// Windows cannot create files of these names, whatever follows the dot,
	// and the go command refuses modules that hold them.
	deviceForm = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`)
)

// check holds the tools against the limits of the protocols. Most of it has
// been checked with a place before; here nothing is taken on trust, because
// signatures also come from release records and inherit texts from upstream.
func check(tools []tool) diag.List {
	c := &checker{}
	for i, t := range tools {
		c.tool = t.Name
		if i > 0 && t.Name == tools[i-1].Name && t.Version == tools[i-1].Version {
			c.errorf("remove one of them", "version %d of tool %s is there twice", t.Version, t.Name)
		}
		c.face(t.Signature)
		if n := a2tColumn.excess(t); n > 0 && length(t.FullDescription()) <= mostDescription {
			c.long(diag.Warning, "with what is said of its effects the description has %d characters; A2T gets it cut to %d", n, mostDescription)
		}
		c.inputs(t.Inputs)
		c.outputs(t.Outputs)
	}
	return c.findings
}

type checker struct {
	tool     string
	findings diag.List
}

func (c *checker) errorf(fix, format string, args ...any) {
	c.findings.Add(diag.Finding{Rule: ruleExport, Tool: c.tool, Fix: fix, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) face(s *signature.Signature) {
	const letters = "write lower-case words with _ between"
	switch {
	case !toolForm.MatchString(s.Name):
		c.errorf(letters, "%q is not a tool name (A2T 6.1)", s.Name)
	case len(s.Name) > mostName:
		c.errorf("shorten it", "the tool name has %d characters, OTC allows %d", len(s.Name), mostName)
	case deviceForm.MatchString(s.Name):
		c.errorf("rename the tool", "%q is the name of a device on Windows: files cannot have it", s.Name)
	}
	if !uuidForm.MatchString(s.ID) {
		c.errorf("write a UUID in lower case", "%q is not a tool id (A2T 6.1)", s.ID)
	}
	if !otcForm.MatchString(s.Toolkit) || !otcForm.MatchString(s.ToolName) {
		c.errorf("use letters, digits and _ in toolkit:", "%q is not an OTC tool id", s.Toolkit+"."+s.ToolName)
	}
	if s.Version < 1 {
		c.errorf("count versions from 1", "%d is not a version (A2T 6.1)", s.Version)
	}
	seen := map[string]bool{}
	for _, tag := range s.Tags {
		if tag == "" || seen[tag] {
			c.errorf("remove it", "the tag %q is empty or there twice", tag)
		}
		seen[tag] = true
	}
	c.text("the description", s.Description, mostDescription)
	if n := utf8.RuneCountInString(s.FullDescription()); n > mostDescription && utf8.RuneCountInString(s.Description) <= mostDescription {
		c.long(diag.Error, "%s has %d characters, at most %d are allowed", "the description with when_to_use", n, mostDescription)
	}
}

func (c *checker) inputs(inputs []signature.Input) {
	names := newNames(c, "input")
	for _, in := range inputs {
		what := "input " + in.Name
		names.add(in.ID, in.Name)
		c.text("the description of "+what, in.Description, mostDescription)
		c.joined(what, in.Description, in.Values)
		switch in.Type {
		case signature.String:
			if in.MinLength < 0 || in.MaxLength < 1 || in.MinLength > in.MaxLength {
				c.errorf("correct the bounds", "no text has from %d to %d characters, as %s wants", in.MinLength, in.MaxLength, what)
			}
			if _, err := regexp.Compile(in.Pattern); err != nil {
				c.errorf("correct the pattern", "the pattern of %s is not a regular expression", what)
			}
		case signature.Int:
			if in.Min > in.Max {
				c.errorf("correct the bounds", "no number is from %d to %d, as %s wants", in.Min, in.Max, what)
			}
		case signature.Boolean, signature.Enum:
		default:
			c.errorf("use string, int, boolean or values:", "%s cannot have the type %q (A2T 5.1)", what, in.Type)
		}
		c.values(what, in.Type, in.Values)
	}
}

func (c *checker) outputs(outputs []signature.Output) {
	if len(outputs) == 0 {
		c.errorf("add outputs:", "the tool has no output (A2T 5.1 wants one or more)")
	}
	names := newNames(c, "output")
	for _, out := range outputs {
		what := "output " + out.Name
		names.add(out.ID, out.Name)
		c.text("the description of "+what, out.Description, mostDescription)
		c.joined(what, out.Description, out.Values)
		if jsonTypes[out.Type] == "" && out.Type != signature.JSON {
			c.errorf("use a type of A2T", "%s cannot have the type %q (A2T 5.1)", what, out.Type)
		}
		c.values(what, out.Type, out.Values)
	}
}

// names notes ids and names, which are unique in a tool (A2T 6.1).
type names struct {
	c         *checker
	what      string
	ids, seen map[string]bool
}

func newNames(c *checker, what string) *names {
	return &names{c, what, map[string]bool{}, map[string]bool{}}
}

func (n *names) add(id, name string) {
	if !paramForm.MatchString(name) || len(name) > mostName {
		n.c.errorf("write lower-case letters, digits and _, at most 64 characters", "%q is not the name of an %s", name, n.what)
	}
	if id == "" || utf8.RuneCountInString(id) > mostID {
		n.c.errorf("write 1 to 255 characters", "%q is not the id of an %s (A2T 6.1)", id, n.what)
	}
	if n.ids[id] || n.seen[name] {
		n.c.errorf("rename one of them", "two %ss have the id %q or the name %q", n.what, id, name)
	}
	n.ids[id], n.seen[name] = true, true
}

func (c *checker) values(what string, t signature.Type, values []signature.Value) {
	if (t == signature.Enum) != (len(values) > 0) {
		c.errorf("give values to enums, and to nothing else", "%s is of type %s and has %d values (A2T 6.1)", what, t, len(values))
	}
	seen := map[string]bool{}
	for _, v := range values {
		if !valueForm.MatchString(v.Name) || len(v.Name) > mostValueName {
			c.errorf("write upper-case words with _ between", "%q of %s is not the name of a value (A2T 6.1)", v.Name, what)
		}
		if seen[v.Name] {
			c.errorf("remove one of them", "%s has the value %q twice", what, v.Name)
		}
		seen[v.Name] = true
		c.text("the text of value "+v.Name+" of "+what, v.Text, mostValueText)
	}
}

func (c *checker) text(what, text string, most int) {
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		c.errorf("describe it", "%s is empty: the model has nothing else to go by", what)
	case n > most:
		c.long(diag.Error, "%s has %d characters, at most %d are allowed", what, n, most)
	}
}

// joined warns of what only the protocols without descriptions of values see.
func (c *checker) joined(what, description string, values []signature.Value) {
	if n := utf8.RuneCountInString(withValues(description, values)); n > goodDescription {
		c.long(diag.Warning, "the description of %s with its values has %d characters; some clients refuse more than %d", what, n, goodDescription)
	}
}

func (c *checker) long(severity diag.Severity, format string, args ...any) {
	c.findings.Add(diag.Finding{Rule: ruleLong, Severity: severity, Tool: c.tool, Fix: "shorten it", Message: fmt.Sprintf(format, args...)})
}
