package tool_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

func TestDocuments(t *testing.T) {
	const bundle = "{\n\"a2t/b.v1.json\": {\"x\":\"\\\": \"},\n\"a2t/a.v1.json\": {},\n\"a2t.json\": [1],\n\"deep/er/c.json\": \"c\"\n}\n"
	docs := tool.Documents(bundle)
	if err := fstest.TestFS(docs, "a2t/b.v1.json", "a2t/a.v1.json", "a2t.json", "deep/er/c.json"); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{"a2t/b.v1.json": `{"x":"\": "}`, "a2t/a.v1.json": "{}", "a2t.json": "[1]", "deep/er/c.json": `"c"`} {
		if got, err := fs.ReadFile(docs, name); err != nil || string(got) != want+"\n" {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	for _, name := range []string{"a2t", "a2t/c.v1.json", "../a2t.json", "a2", ""} {
		if got, err := fs.ReadFile(docs, name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	// What is not such a file has no documents.
	for _, bundle := range []string{"", "{}\n", "{", "x", "{\n\"../a\": {}\n}\n", "<<<<<<< HEAD\n"} {
		if list, err := fs.ReadDir(tool.Documents(bundle), "."); err != nil || len(list) > 0 {
			t.Errorf("%q: %v %v", bundle, list, err)
		}
	}
}
