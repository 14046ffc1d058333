package front

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"
)

// tokens are what damage is done to: words, numbers, quoted texts, line breaks
// with their indentation, and every other character.
var tokens = regexp.MustCompile(`[\pL_][\pL\d_]*|\d+|"[^"\n]*"|\n *|[^\s\pL\d]`)

// odd is what damage puts in place of a token.
var odd = []string{
	"", "", " ", "-1", "0", "1", "1.5", "65536", "99999999999999999999", `""`, `"a"`, "true", "null", "{}", "[]", "[a, b]", "{a: b}", "~", "é", "a.b", "${", "}", "x",
	"env:KEY", "caller", "input", "1h", "10s", "5xx", "404", "?", "!", "*", ":", ",", "[0]", ".?", "\t", "'", "#", "&a", "\u200b", "string", "int", "enum",
}

// Damage returns count texts, each with one token changed: removed, replaced,
// or put where another one was. The same name gives the same damage.
func Damage(name, text string, count int) []string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	random := rand.New(rand.NewPCG(h.Sum64(), 1))
	places := tokens.FindAllStringIndex(text, -1)
	var out []string
	for range count {
		at, other := places[random.IntN(len(places))], places[random.IntN(len(places))]
		with := text[other[0]:other[1]]
		if random.IntN(2) == 0 {
			with = odd[random.IntN(len(odd))]
		}
		out = append(out, text[:at[0]]+with+text[at[1]:])
	}
	return out
}

// Damaged returns projects whose manifests are damaged.
func (p *Project) Damaged(count int) []*Project {
	var out []*Project
	for i, text := range Damage(p.Name, string(p.Manifest()), count) {
		out = append(out, p.With(fmt.Sprintf("%s#%d", p.Name, i), text))
	}
	return out
}

// DamagedDocuments returns projects in which an OpenAPI document is damaged.
func (p *Project) DamagedDocuments(count int) []*Project {
	var out []*Project
	for _, name := range slices.Sorted(maps.Keys(p.FS)) {
		text := string(p.FS[name].Data)
		if name == p.path() || path.Ext(name) != ".yaml" || !strings.Contains(text, "openapi:") {
			continue
		}
		for i, damaged := range Damage(p.Name+name, text, count) {
			other := p.With(fmt.Sprintf("%s/%s#%d", p.Name, name, i), string(p.Manifest()))
			other.FS[name] = &fstest.MapFile{Data: []byte(damaged)}
			out = append(out, other)
		}
	}
	return out
}
