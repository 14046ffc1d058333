package diag

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
)

// fingerprints returns the identity of each finding of a sorted list: the
// first 12 hexadecimal digits of the SHA-256 of rule, tool, place and version.
// Words and line numbers do not count, so that a finding is known again after
// a better wording and an edit further up. What has no place in a tool is told
// apart by the file, and equals by their order. A tool is there by its
// name, which is as permanent as its id.
func (l List) fingerprints() []string {
	out := make([]string, len(l))
	seen := map[string]int{}
	for i, f := range l {
		place := f.Place
		if place == "" {
			place = path.Base(f.Span.File)
		}
		key := fmt.Sprintf("%s\x00%s\x00%s\x00%d", f.Rule, f.Tool, place, f.Version)
		seen[key]++
		if n := seen[key]; n > 1 {
			key += fmt.Sprintf("\x00%d", n)
		}
		sum := sha256.Sum256([]byte(key))
		out[i] = hex.EncodeToString(sum[:6])
	}
	return out
}
