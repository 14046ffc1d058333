package gen

import (
	"bytes"
	"encoding/json"
	"path"
)

// documentsName is the file with all wire documents.
const documentsName = "documents.json"

// bundled puts the wire documents into one file and leaves the pages as they are.
// tool.Documents reads it.
func bundled(exports []File) []File {
	var out []File
	var b bytes.Buffer
	open := "{"
	for _, f := range exports {
		if path.Ext(f.Name) != ".json" {
			out = append(out, f)
			continue
		}
		b.WriteString(open + "\n\"" + f.Name + "\": ")
		if err := json.Compact(&b, f.Data); err != nil {
			panic("gen: " + err.Error()) // export rendered it
		}
		open = ","
	}
	if open == "{" {
		b.WriteString(open)
	}
	b.WriteString("\n}\n")
	return append(out, File{documentsName, b.Bytes()})
}
