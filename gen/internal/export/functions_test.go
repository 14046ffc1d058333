package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"
	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// functionJudges are what the providers of models have published, and what
// others have measured of them.
type functionJudges struct {
	chat, responses, openaiStrict, gemini *jsonschema.Schema
	paramName                             *regexp.Regexp
}

func newFunctionJudges(t testing.TB) *functionJudges {
	t.Helper()
	dir := golden.Shared(t, "protocols", "functions")
	c := compiler()
	compile := func(url string) *jsonschema.Schema {
		s, err := c.Compile(url)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const openai = "urn:sculpt:openai-function-tools"
	if err := c.AddResource(openai, bytes.NewReader(read(t, filepath.Join(dir, "openai/function-tools.schema.json")))); err != nil {
		t.Fatal(err)
	}
	profile := func(name string) *jsonschema.Schema {
		var v any
		if err := yaml.Unmarshal(read(t, filepath.Join(dir, "profiles", name)), &v); err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("profile:"+name, bytes.NewReader(raw)); err != nil {
			t.Fatal(err)
		}
		return compile("profile:" + name)
	}
	return &functionJudges{
		chat: compile(openai + "#/$defs/ChatCompletionTool"), responses: compile(openai + "#/$defs/FunctionTool"),
		openaiStrict: profile("openai_202602.yaml"), gemini: profile("gemini_202503.yaml"),
		paramName: regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`),
	}
}

// functionTools returns the tools of a document that holds them all, nil for
// any other.
func functionTools(doc any) []any {
	if o, ok := doc.(map[string]any); ok {
		list, _ := o["functionDeclarations"].([]any)
		return list
	}
	list, _ := doc.([]any)
	return list
}

func (j *functionJudges) judge(t failer, name string, doc any) {
	t.Helper()
	valid := func(s *jsonschema.Schema, v any) {
		if err := s.Validate(v); err != nil {
			t.Fatalf("%s: %#v in %v", name, err, v)
		}
	}
	for _, item := range functionTools(doc) {
		tool := item.(map[string]any)
		switch name {
		case "openai/chat.json", "openai/chat-strict.json":
			valid(j.chat, tool)
			tool = tool["function"].(map[string]any)
		case "openai/responses.json", "openai/responses-strict.json":
			valid(j.responses, tool)
		}
		parameters, _ := tool["parameters"].(map[string]any)
		switch name {
		case "openai/chat-strict.json", "openai/responses-strict.json":
			valid(j.openaiStrict, parameters)
			if len(parameters["required"].([]any)) != len(parameters["properties"].(map[string]any)) {
				t.Fatalf("%s: not every property is required: %v", name, parameters)
			}
		case "openai/chat.json", "openai/responses.json":
			onlyKeys(t, name, parameters, "type properties required additionalProperties description enum")
		case "gemini/parameters.json":
			if parameters != nil {
				valid(j.gemini, lowerTypes(parameters))
			}
		case "anthropic/tools-strict.json":
			onlyKeys(t, name, tool["input_schema"].(map[string]any), "type properties required additionalProperties description enum")
		}
		for property := range propertiesOf(tool) {
			if !j.paramName.MatchString(property) {
				t.Fatalf("%s: a property is named %q", name, property)
			}
		}
	}
}

func propertiesOf(tool map[string]any) map[string]any {
	for _, key := range []string{"parameters", "parametersJsonSchema", "input_schema"} {
		if s, ok := tool[key].(map[string]any); ok {
			properties, _ := s["properties"].(map[string]any)
			return properties
		}
	}
	return nil
}

// onlyKeys holds a flat schema against the keywords that are safe.
func onlyKeys(t failer, name string, schema map[string]any, allowed string) {
	t.Helper()
	schemas := []map[string]any{schema}
	for _, p := range schema["properties"].(map[string]any) {
		schemas = append(schemas, p.(map[string]any))
	}
	for _, s := range schemas {
		for key := range s {
			if !strings.Contains(" "+allowed+" ", " "+key+" ") {
				t.Fatalf("%s: the keyword %s in %v", name, key, s)
			}
		}
	}
}

// lowerTypes gives a schema of Gemini the spelling of JSON Schema: its own
// types are the same in upper case.
func lowerTypes(schema map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range schema {
		switch v := v.(type) {
		case string:
			if k == "type" {
				out[k] = strings.ToLower(v)
				continue
			}
			out[k] = v
		case map[string]any:
			out[k] = lowerTypes(v)
		default:
			out[k] = v
		}
	}
	return out
}

func TestFunctionGolden(t *testing.T) {
	dir := golden.Shared(t, "protocols", "golden", "functions")
	v1, v2 := weather()
	v2.Examples = []signature.Example{{Goal: "Tell the user tomorrow's weather in Omaha", Inputs: map[string]any{"day": "TOMORROW", "city": "Omaha, Nebraska"}}}
	files := documents(t, v1, v2)
	for file, want := range map[string]string{
		"openai/chat.json": "openai-chat", "openai/chat-strict.json": "openai-chat-strict", "openai/responses-strict.json": "openai-responses-strict",
		"gemini/parameters.json": "gemini", "gemini/json-schema.json": "gemini-json-schema",
		"anthropic/tools.json": "anthropic", "anthropic/tools-strict.json": "anthropic-strict",
	} {
		tools := functionTools(parse(t, files[file]))
		if len(tools) != 1 {
			t.Errorf("%s has %d tools: version 1 is gone", file, len(tools))
			continue
		}
		theirs := golden.Unsaid(parse(t, read(t, filepath.Join(dir, want+".json"))), golden.WeatherWords...)
		if diff := cmp.Diff(theirs, golden.Unsaid(tools[0], golden.WeatherWords...)); diff != "" {
			t.Errorf("%s: (-golden +ours)\n%s", file, diff)
		}
	}
}

// What OpenAI takes in strict mode, and Anthropic of one request.
const (
	mostProperties, mostEnumValues, mostCharacters, mostOfLongEnum = 5000, 1000, 120_000, 15_000
	mostStrictTools, mostStrictOptional, mostDescription           = 20, 24, 1024
)

// TestFunctionFacts holds these numbers against the collected facts.
func TestFunctionFacts(t *testing.T) {
	var facts struct {
		OpenAI struct {
			DescriptionMaxChars struct{ Value int }
			Strict              struct{ MaxProperties, MaxTotalNameAndEnumChars, MaxEnumValues, SingleEnumOver250MaxChars int }
		}
		Anthropic struct {
			Strict struct{ MaxStrictToolsPerRequest, MaxOptionalParametersPerRequest int }
		}
	}
	if err := json.Unmarshal(read(t, filepath.Join(golden.Shared(t, "protocols", "functions"), "limits.json")), &facts); err != nil {
		t.Fatal(err)
	}
	o, a := facts.OpenAI.Strict, facts.Anthropic.Strict
	got := []int{o.MaxProperties, o.MaxEnumValues, o.MaxTotalNameAndEnumChars, o.SingleEnumOver250MaxChars, a.MaxStrictToolsPerRequest, a.MaxOptionalParametersPerRequest, facts.OpenAI.DescriptionMaxChars.Value}
	want := []int{mostProperties, mostEnumValues, mostCharacters, mostOfLongEnum, mostStrictTools, mostStrictOptional, mostDescription}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-here +there)\n%s", diff)
	}
}

// TestFunctionLimits takes a tool to each limit, and one step beyond.
func TestFunctionLimits(t *testing.T) {
	values := func(n, length int) (out []signature.Value) {
		for i := range n {
			out = append(out, signature.Value{Name: fmt.Sprintf("V%0*d", length-1, i), Text: "A value."})
		}
		return out
	}
	const left = "warning left-out: tool lookup_weather_by_city is left out of openai/chat-strict.json: "
	for _, c := range []struct {
		name   string
		change func(*signature.Signature)
		want   string
	}{
		{"all enum values", func(s *signature.Signature) { s.Inputs[1].Values = values(mostEnumValues, 8) }, ""},
		{"one enum value more", func(s *signature.Signature) { s.Inputs[1].Values = values(mostEnumValues+1, 8) }, "it has 1001 values of enums, at most 1000"},
		{"an enum at its length", func(s *signature.Signature) { s.Inputs[1].Values = values(300, mostOfLongEnum/300) }, ""},
		{"an enum beyond its length", func(s *signature.Signature) { s.Inputs[1].Values = values(300, mostOfLongEnum/300+1) }, "the 300 values of input day have 15300 characters, at most 15000"},
		{"one value more than few, beyond its length", func(s *signature.Signature) { s.Inputs[1].Values = values(251, 60) }, "the 251 values of input day have 15060 characters, at most 15000"},
		{"all inputs", func(s *signature.Signature) {
			in := s.Inputs[0]
			for i := range mostProperties - len(s.Inputs) {
				in.ID, in.Name = fmt.Sprint("e", i), fmt.Sprint("e", i)
				s.Inputs = append(s.Inputs, in)
			}
		}, ""},
		{"a long enum of few values", func(s *signature.Signature) { s.Inputs[1].Values = values(250, 200) }, ""},
		{"long names in all", func(s *signature.Signature) {
			for i := range 4 {
				in := s.Inputs[1]
				in.ID, in.Name, in.Values = fmt.Sprint("e", i), fmt.Sprint("e", i), values(200, 151)
				s.Inputs = append(s.Inputs, in)
			}
		}, fmt.Sprintf("it has 120828 characters in the names of inputs and values, at most %d", mostCharacters)},
		{"too many inputs", func(s *signature.Signature) {
			in := s.Inputs[0]
			for i := range mostProperties {
				in.ID, in.Name = fmt.Sprint("e", i), fmt.Sprint("e", i)
				s.Inputs = append(s.Inputs, in)
			}
		}, "it has 5002 inputs, at most 5000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := weather()
			s.Inputs = append([]signature.Input{}, s.Inputs...)
			c.change(s)
			files, findings := export.Documents([]*signature.Signature{s})
			var said []string
			for _, f := range findings {
				if f.Rule.String() == "left-out" {
					said = append(said, f.Severity.String()+" "+f.Rule.String()+": "+f.Message)
				}
			}
			for _, f := range files {
				if tools := functionTools(parse(t, f.Data)); f.Name == "openai/chat-strict.json" && (len(tools) == 1) != (c.want == "") {
					t.Errorf("%d tools in %s", len(tools), f.Name)
				} else if f.Name == "openai/chat.json" && len(tools) != 1 {
					t.Errorf("%d tools without strict", len(tools))
				}
			}
			if c.want == "" && len(said) == 0 || len(said) == 2 && strings.HasPrefix(said[0], left+c.want) {
				return
			}
			t.Errorf("want %q, got %q", c.want, said)
		})
	}
}

// TestAdvice shows what is only wrong with the document of one format.
func TestAdvice(t *testing.T) {
	many := func(n, optional int) (sigs []*signature.Signature) {
		for i := range n {
			s, _ := weather()
			s.ID, s.Name, s.ToolName = fmt.Sprintf("6f9d3a52-1c1e-5c0b-9d0e-%012d", i), fmt.Sprint("tool_", i), fmt.Sprint("Tool", i)
			s.Inputs = append([]signature.Input{}, s.Inputs[0])
			for k := range optional {
				s.Inputs = append(s.Inputs, signature.Input{ID: fmt.Sprint("o", k), Name: fmt.Sprint("o", k), Type: signature.Boolean, Description: "Or not."})
			}
			sigs = append(sigs, s)
		}
		return sigs
	}
	long := func(n int, e signature.Effects) []*signature.Signature {
		s, _ := weather()
		s.Description, s.Effects = strings.Repeat("ä", n), e
		return []*signature.Signature{s}
	}
	reads, writes := signature.Effects{ReadOnly: true, Idempotent: true}, signature.Effects{Destructive: true}
	for _, c := range []struct {
		name string
		sigs []*signature.Signature
		want string
	}{
		{"anthropic/tools-strict.json", many(20, 1), ""},
		{"anthropic/tools-strict.json", many(4, 6), ""},
		{"anthropic/tools-strict.json", many(21, 1), "anthropic/tools-strict.json has 21 tools, a request may have 20"},
		{"anthropic/tools-strict.json", many(5, 5), "the tools of anthropic/tools-strict.json have 25 optional inputs, those of a request may have 24"},
		{"anthropic/tools.json", many(30, 5), ""},
		{"openai/chat.json", long(1024, reads), ""},
		{"openai/chat.json", long(1025, reads), "openai/chat.json: the description of tool lookup_weather_by_city is cut: with what else is said of it, it has 1025 characters"},
		{"openai/chat.json", long(1000, writes), "openai/chat.json: the description of tool lookup_weather_by_city is cut: with what else is said of it, it has 1057 characters"},
		{"gemini/parameters.json", long(1999, writes), ""},
		{"a2t/lookup_weather_by_city.v1.json", long(1999, writes), ""},
	} {
		got := export.Advice(c.name, c.sigs)
		if c.want == "" && len(got) == 0 || len(got) == 1 && strings.HasPrefix(got[0].Message, c.want) && got[0].Severity.String() == "warning" {
			continue
		}
		t.Errorf("%s: want %q, got %v", c.name, c.want, got)
	}
}

// TestFlags keeps what is dangerous in the text, whatever has to go.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		effects signature.Effects
		want    string
	}{
		{signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true}, ""},
		{signature.Effects{Idempotent: true, Reversible: true}, ""},
		{signature.Effects{ReadOnly: true, Idempotent: true, Billable: true}, " [💰 BILLABLE]"},
		{signature.Effects{Idempotent: true}, " [⚠️ NOT REVERSIBLE]"},
		{signature.Effects{Reversible: true}, " [⚠️ NOT IDEMPOTENT]"},
		{signature.Effects{Destructive: true, Billable: true}, " [⚠️ DESTRUCTIVE | ⚠️ NOT REVERSIBLE | ⚠️ NOT IDEMPOTENT | 💰 BILLABLE]"},
	} {
		for _, description := range []string{"Do it.", strings.Repeat("Do it well. ", 160) + "End.", strings.Repeat("x", 1999)} {
			s, _ := weather()
			s.Description, s.Effects = description, c.effects
			for name, data := range documents(t, s) {
				tools := functionTools(parse(t, data))
				if tools == nil {
					continue
				}
				tool := tools[0].(map[string]any)
				if f, ok := tool["function"].(map[string]any); ok {
					tool = f
				}
				got, isOpenAI := tool["description"].(string), strings.HasPrefix(name, "openai/")
				if n := len([]rune(got)); !strings.HasSuffix(got, c.want) || isOpenAI && n > 1024 || !isOpenAI && got != description+c.want {
					t.Errorf("%s: %d characters end in %q, want %q", name, n, got[max(0, len(got)-80):], c.want)
				}
			}
		}
	}
}

// TestWords says in words what a format has no keyword for.
func TestWords(t *testing.T) {
	text := func(least, most int, pattern string) signature.Input {
		return signature.Input{Type: signature.String, MinLength: least, MaxLength: most, Pattern: pattern}
	}
	number := func(least, most int64, def any) signature.Input {
		return signature.Input{Type: signature.Int, Min: least, Max: most, Default: def}
	}
	for _, c := range []struct {
		in signature.Input
		// plain is what OpenAI reads without strict, bare Anthropic with it.
		plain, bare string
	}{
		{text(0, 1000, ""), "In.", "In."},
		{text(0, 5, ""), "In. At most 5 characters.", "In. At most 5 characters."},
		{text(0, 64, ""), "In. At most 64 characters.", "In. At most 64 characters."},
		{text(1, 1, ""), "In. Exactly 1 character.", "In. Exactly 1 character."},
		{text(2, 5, ""), "In. From 2 to 5 characters.", "In. From 2 to 5 characters."},
		{text(3, 1000, ""), "In. At least 3 characters.", "In. At least 3 characters."},
		{text(0, 1000, `^\d+$`), `In. Matches the regular expression ^\d+$`, `In. Matches the regular expression ^\d+$`},
		{number(signature.DefaultMin, signature.DefaultMax, nil), "In.", "In."},
		{number(1, signature.DefaultMax, nil), "In. At least 1.", "In. At least 1."},
		{number(signature.DefaultMin, 9, int64(3)), "In. At most 9. Default: 3.", "In. At most 9. Default: 3."},
	} {
		s, _ := weather()
		c.in.ID, c.in.Name, c.in.Description = "in", "in", "In."
		s.Inputs = []signature.Input{c.in}
		files := documents(t, s)
		for file, want := range map[string]string{"openai/responses.json": c.plain, "anthropic/tools-strict.json": c.bare} {
			property := propertiesOf(functionTools(parse(t, files[file]))[0].(map[string]any))["in"].(map[string]any)
			if property["description"] != want {
				t.Errorf("%s: %q, want %q", file, property["description"], want)
			}
		}
	}
}

// Providers get the newest version of a tool: two of one name would make them
// refuse the request. Advice counts the same tools.
func TestListsHaveNewestVersions(t *testing.T) {
	v1, v2 := weather()
	v2.Description = "The newest words."
	for name, data := range documents(t, v2, v1) {
		folder, _, _ := strings.Cut(name, "/")
		if folder != "openai" && folder != "gemini" && folder != "anthropic" {
			continue
		}
		if tools := functionTools(parse(t, data)); len(tools) != 1 || !strings.Contains(string(data), v2.Description) {
			t.Errorf("%s has %d tools: %s", name, len(tools), data)
		}
	}
	optional := *v2
	optional.Inputs = nil
	for i := range 20 {
		optional.Inputs = append(optional.Inputs, signature.Input{ID: fmt.Sprint("i", i), Name: fmt.Sprint("i", i), Type: signature.Boolean})
	}
	older := optional
	older.Version = 1
	if advice := export.Advice("anthropic/tools-strict.json", []*signature.Signature{&older, &optional}); len(advice) > 0 {
		t.Errorf("20 optional inputs are counted twice: %v", advice)
	}
}
