package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// judges are the schemas of the protocols.
type judges struct {
	a2t, otc, oxp, mcp, mcpBefore *jsonschema.Schema
	functions                     *functionJudges

	basic, enhanced *jsonschema.Schema
}

func newJudges(t testing.TB) *judges {
	t.Helper()
	dir := golden.Shared(t, "protocols")
	c := compiler()
	schema := func(file, id, def string) *jsonschema.Schema {
		if err := c.AddResource(id, bytes.NewReader(read(t, filepath.Join(dir, file)))); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile(id + def)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	whole := func(file string) *jsonschema.Schema {
		if err := c.AddResource("urn:"+file, bytes.NewReader(read(t, filepath.Join(dir, file)))); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("urn:" + file)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	return &judges{
		a2t:       schema("a2t/a2t.schema.json", "urn:sculpt:a2t-00", "#/$defs/ToolSignature"),
		otc:       schema("otc/otc-repaired.schema.json", "urn:sculpt:otc-oxp-1.0-repaired", "#/$defs/ListOtc10"),
		oxp:       schema("otc/otc-repaired.schema.json", "urn:sculpt:otc-oxp-1.0-repaired", "#/$defs/ListOxp10"),
		mcp:       schema("mcp/schema/2026-07-28.json", "urn:mcp:2026-07-28", "#/$defs/Tool"),
		mcpBefore: schema("mcp/schema/2025-06-18.json", "urn:mcp:2025-06-18", "#/definitions/Tool"),

		functions: newFunctionJudges(t),

		basic: whole("atdf/schema/atdf_schema.json"), enhanced: whole("atdf/schema/enhanced_atdf_schema.json"),
	}
}

func compiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("schemas load nothing") }
	return c
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// failer is a testing.T or a rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func parse(t failer, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

// documents renders without errors.
func documents(t failer, sigs ...*signature.Signature) map[string][]byte {
	t.Helper()
	files, findings := export.Documents(sigs)
	if findings.HasErrors() {
		t.Fatalf("%v", findings)
	}
	out := map[string][]byte{}
	for _, f := range files {
		out[f.Name] = f.Data
	}
	return out
}

// pure makes the two pure shapes of a definition in dual shape, as the run
// time does.
func pure(t failer, dual []byte) (otc, oxp map[string]any) {
	t.Helper()
	otc, oxp = parse(t, dual).(map[string]any), parse(t, dual).(map[string]any)
	parameters := otc["input_schema"].(map[string]any)["parameters"]
	otc["input_schema"] = map[string]any{"parameters": parameters}
	oxp["input_schema"] = parameters
	return otc, oxp
}

func (j *judges) judge(t failer, files map[string][]byte) {
	t.Helper()
	for name, data := range files {
		if strings.HasPrefix(name, "a2t/") {
			if err := j.a2t.Validate(golden.Drafted(parse(t, data))); err != nil {
				t.Fatalf("%s: %#v\n%s", name, err, data)
			}
			continue
		}
		if strings.HasPrefix(name, "mcp/") {
			for _, s := range []*jsonschema.Schema{j.mcp, j.mcpBefore} {
				if err := s.Validate(parse(t, data)); err != nil {
					t.Fatalf("%s: %#v\n%s", name, err, data)
				}
			}
			continue
		}
		if strings.HasPrefix(name, "atdf/") {
			j.atdf(t, name, parse(t, data))
			continue
		}
		if !strings.HasPrefix(name, "otc/") {
			j.functions.judge(t, name, parse(t, data))
			continue
		}
		dual := parse(t, data)
		otc, oxp := pure(t, data)
		for _, list := range []struct {
			shape, key, schema string
			judge              *jsonschema.Schema
			tool               any
		}{
			{"dual as OTC", "tools", "otc://1.0", j.otc, dual}, {"dual as OXP", "items", "urn:oxp:1.0", j.oxp, dual},
			{"OTC", "tools", "otc://1.0", j.otc, otc}, {"OXP", "items", "urn:oxp:1.0", j.oxp, oxp},
		} {
			if err := list.judge.Validate(map[string]any{"$schema": list.schema, list.key: []any{list.tool}}); err != nil {
				t.Fatalf("%s, %s: %#v\n%s", name, list.shape, err, data)
			}
		}
	}
}

func TestGolden(t *testing.T) {
	examples := golden.Shared(t, "protocols", "golden")
	v1, v2 := weather()
	files := documents(t, v1, v2)
	newJudges(t).judge(t, files)
	first := func(file, key string) any {
		return parse(t, read(t, filepath.Join(examples, "otc", file))).(map[string]any)[key].([]any)[0]
	}
	otc, oxp := pure(t, files["otc/lookup_weather_by_city.v2.json"])
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"a2t version 1", golden.Drafted(parse(t, files["a2t/lookup_weather_by_city.v1.json"])), parse(t, read(t, filepath.Join(examples, "a2t/signature-v1.json")))},
		{"a2t version 2", golden.Drafted(parse(t, files["a2t/lookup_weather_by_city.v2.json"])), parse(t, read(t, filepath.Join(examples, "a2t/signature-v2.json")))},
		{"dual, tools", parse(t, files["otc/lookup_weather_by_city.v2.json"]), first("list-dual.json", "tools")},
		{"dual, items", parse(t, files["otc/lookup_weather_by_city.v2.json"]), first("list-dual.json", "items")},
		{"OTC 1.0", any(otc), first("list-otc-1.0.json", "tools")},
		{"OXP 1.0", any(oxp), first("list-oxp-1.0.json", "items")},
		{"MCP", parse(t, files["mcp/lookup_weather_by_city.v2.json"]), parse(t, read(t, filepath.Join(examples, "mcp/tool.json")))},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s: (-golden +ours)\n%s", c.name, diff)
		}
	}
}
