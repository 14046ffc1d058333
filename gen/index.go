package gen

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"slices"
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
	entries := make([]indexedEntry, 0, len(files))
	for _, f := range files {
		entries = append(entries, indexedEntry{f.Name, digest(f.Data)})
	}
	return File{indexName, spell(entries)}
}

// merged lists what two indexes list, a file twice where they differ. While
// files change both contents are ours.
func merged(old, data []byte) []byte {
	var was, is index
	_ = json.Unmarshal(old, &was) // there may be none yet
	if err := json.Unmarshal(data, &is); err != nil {
		panic("gen: " + err.Error()) // indexOf wrote it
	}
	all := slices.Concat(was.Files, is.Files)
	slices.SortFunc(all, func(a, b indexedEntry) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.SHA256, b.SHA256))
	})
	return spell(slices.Compact(all))
}

func spell(entries []indexedEntry) []byte {
	var b bytes.Buffer
	b.WriteString("{\"generator\":\"" + generator + "\",\"files\":[")
	for i, e := range entries {
		line, err := json.Marshal(e)
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
	return b.Bytes()
}

// readIndex returns the digests that an index on disk lists, by path from the
// package folder. ours is false for a file that no sculpt wrote; its entries
// mean nothing then.
func readIndex(data []byte) (listed map[string][]string, ours bool) {
	var x index
	if err := json.Unmarshal(data, &x); err != nil {
		x = joined(data)
	}
	if x.Generator != generator {
		return nil, false
	}
	listed = map[string][]string{}
	for _, e := range x.Files {
		// A hostile index must not name a file elsewhere.
		if fs.ValidPath(e.Path) && e.Path != "." && e.Path != indexName && !strings.Contains(e.Path, `\`) {
			name := path.Join(exportsFolder, e.Path)
			listed[name] = append(listed[name], e.SHA256)
		}
	}
	return listed, true
}

// joined reads an index that two branches changed and that a merge put together
// line by line, with its markers or without: what either of them lists is ours.
// It is empty for anything else.
func joined(data []byte) index {
	lines := strings.Split(string(unified(data)), "\n")
	if first, _, _ := strings.Cut(string(spell(nil)), "\n"); lines[0] != first {
		return index{}
	}
	x := index{Generator: generator}
	for _, line := range lines[1:] {
		var e indexedEntry
		switch {
		case line == "", line == "]}", mergeMarker.MatchString(line):
		case json.Unmarshal([]byte(strings.TrimSuffix(line, ",")), &e) == nil && e.Path != "":
			x.Files = append(x.Files, e)
		default:
			return index{}
		}
	}
	return x
}

var mergeMarker = regexp.MustCompile(`^(<{7}|\|{7}|={7}|>{7})( |$)`)

// digest is the SHA-256 of the file with line feeds only.
func digest(data []byte) string {
	sum := sha256.Sum256(unified(data))
	return hex.EncodeToString(sum[:])
}

// unified undoes what version control systems do to line ends on checkout. No
// generated file holds a carriage return.
func unified(data []byte) []byte {
	if !bytes.Contains(data, []byte("\r\n")) {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}
