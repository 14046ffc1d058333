package sculpt_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt"
)

// The weather tools are what the library generates of them.
func TestGenerate(t *testing.T) {
	module := os.DirFS("..")
	project, findings := sculpt.Load(module, "examples/nws", sculpt.AsOf("2026-11-22"))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	files, findings := project.Generate()
	if len(findings) > 0 || len(files) < 15 {
		t.Fatal(len(files), findings)
	}
	for _, f := range files {
		data, err := fs.ReadFile(module, "examples/nws/"+f.Name)
		if err != nil || !bytes.Equal(data, f.Data) {
			t.Errorf("%s is another file: %v", f.Name, err)
		}
	}
	if got := fmt.Sprint(project.Tools()); got != "[{get_current_weather 1 [1]} {get_forecast 1 [1]} {get_weather_alerts 1 [1]} {list_active_alerts_by_state 1 [1]} {lookup_weather_by_city 3 [1 2 3]}]" {
		t.Error(got)
	}
	if inputs := project.Inputs(); inputs["sculpt.yaml"] == "" || inputs["openapi/nws.yaml"] == "" {
		t.Error(inputs)
	}
	if findings := sculpt.Check(module, "examples/nws"); len(findings) > 0 {
		t.Error(findings)
	}
}

func TestFindings(t *testing.T) {
	module := os.DirFS("..")
	broken := fstest.MapFS{}
	for _, name := range []string{"go.mod", "examples/nws/sculpt.yaml", "examples/nws/openapi/nws.yaml", "examples/nws/openapi/geocoding.yaml"} {
		data, err := fs.ReadFile(module, name)
		if err != nil {
			t.Fatal(err)
		}
		broken[name] = &fstest.MapFile{Data: data}
	}
	edit := func(old, text string) {
		f := broken["examples/nws/sculpt.yaml"]
		f.Data = bytes.Replace(f.Data, []byte(old), []byte(text), 1)
	}
	edit("chosen.shortForecast", "chosen.shortForcast")
	project, findings := sculpt.Load(broken, "examples/nws")
	if len(findings) != 1 {
		t.Fatal(findings)
	}
	f := findings[0]
	if f.Rule != "unknown-field" || f.Severity != sculpt.SeverityError || f.Place.File != "examples/nws/sculpt.yaml" || f.Place.Line == 0 || f.Place.EndCol-f.Place.Col != len("shortForcast") ||
		!strings.Contains(f.Fix, "shortForecast") {
		t.Errorf("%+v", f)
	}
	if files, more := project.Generate(); files != nil || more != nil {
		t.Error("a manifest with errors gives", len(files), more)
	}
	if _, findings = sculpt.Load(fstest.MapFS{}, "."); len(findings) == 0 {
		t.Error("nothing is found in an empty folder")
	}
}

func ExampleLoad() {
	project, findings := sculpt.Load(os.DirFS(".."), "examples/nws")
	for _, f := range findings {
		fmt.Printf("%s:%d: %s\n", f.Place.File, f.Place.Line, f.Message)
	}
	for _, t := range project.Tools() {
		fmt.Println(t.Name, t.Version)
	}
	// Output:
	// get_current_weather 1
	// get_forecast 1
	// get_weather_alerts 1
	// list_active_alerts_by_state 1
	// lookup_weather_by_city 3
}
