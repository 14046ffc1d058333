package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
)

const (
	exportsFolder = "exports"
	indexName     = "index.json"
	indexPath     = exportsFolder + "/" + indexName
	generator     = "sculpt"
)

// An index is exports/index.json: which files in the folder are ours, and what
// was in them when we wrote them. Files that differ from it, or that it does
// not list, are somebody's work and stay as they are.
type index struct {
	Generator string         `json:"generator"`
	Files     []indexedEntry `json:"files"`
}

// An indexedEntry is one file. Paths are relative to the folder of the index,
// so that no index can claim a file outside of it.
type indexedEntry struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// indexOf lists files, whose names are relative to the exports folder, one on
// each line: so a version control system can merge it.
func indexOf(files []File) File {
	var b bytes.Buffer
	b.WriteString("{\"generator\":\"" + generator + "\",\"files\":[")
	for i, f := range files {
		line, err := json.Marshal(indexedEntry{f.Name, digest(f.Data)})
		if err != nil {
			panic("gen: " + err.Error()) // two strings always encode
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n\t")
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	return File{indexName, b.Bytes()}
}

// readIndex returns the digests that an index on disk lists, by path from the
// package folder. ours is false for a file that no sculpt wrote; its entries
// mean nothing then.
func readIndex(data []byte) (listed map[string]string, ours bool) {
	var x index
	if err := json.Unmarshal(data, &x); err != nil || x.Generator != generator {
		return nil, false
	}
	listed = map[string]string{}
	for _, e := range x.Files {
		// A hostile index must not name a file elsewhere.
		if fs.ValidPath(e.Path) && e.Path != "." && e.Path != indexName && !strings.Contains(e.Path, `\`) {
			listed[path.Join(exportsFolder, e.Path)] = e.SHA256
		}
	}
	return listed, true
}

// digest is the SHA-256 of the file with line feeds only.
func digest(data []byte) string {
	sum := sha256.Sum256(unified(data))
	return hex.EncodeToString(sum[:])
}

// unified undoes what version control systems do to line ends on checkout. No
// generated file holds a carriage return.
func unified(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }
