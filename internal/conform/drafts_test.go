package conform

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// A text is a draft, cut into sections, with the number of key words in each:
// MUST and SHOULD and what means the same.
type draft struct {
	file string
	// prefix is that of the clauses.
	protocol string
	rows     []Clause
	// words is the pattern of key words. The copy of one draft was read by a
	// machine from paper, and has some of them with other letters.
	words string
	// heads are where sections begin, in the order of the file; what comes before
	// the first of them has no key words.
	heads []head
}

type head struct {
	section, pattern string
	words            int
}

const keyWords = `\b(MUST|SHOULD|SHALL|REQUIRED|RECOMMENDED)\b`

var drafts = []draft{
	{"a2t-00.txt", "a2t", a2tRows, `\b(M[UJI]+ST|SHOULD|SHALL|REQUIRED|RECO[MWE]+NDED)\b`, []head{
		{"6.1", `Protocol Details`, 12}, {"6.2", `(?m)^6\.2\. Details`, 1}, {"6.3", `(?m)^6\.3\. Tool Version`, 1}, {"6.4", `(?m)^6\.4\. Pagination`, 0},
		{"7", `(?m)^7\. Invocation API`, 2},
	}},
	{"nact-00.txt", "nact", nactRows(), keyWords, []head{
		{"6.1", `(?m)^6\.1\. Enumeration`, 12}, {"6.2", `(?m)^6\.2\. Details`, 1}, {"6.3", `(?m)^6\.3\. Tool Version`, 1}, {"7", `(?m)^7\. Invocation API`, 2},
	}},
	{"otc-call-tool.txt", "otc", otcRows("otc"), keyWords, []head{
		{"Flow Details", `(?m)^Flow Details`, 3}, {"Tool Version Resolution", `(?m)^Tool Version Resolution`, 4}, {"Error Behavior", `(?m)^Error Behavior`, 1},
		{"Server Errors", `(?m)^Server Errors`, 4}, {"Input Validation Errors", `(?m)^Input Validation Errors`, 2},
		{"Tool Execution Errors", `(?m)^Tool Execution Errors`, 1}, {"Retrying Errors", `(?m)^Retrying Errors`, 2},
	}},
	{"atip-0.6.0.md", "atip", atipRows, keyWords, []head{
		{"3.1", `(?m)^### 3\.1 `, 5}, {"3.1.1", `(?m)^### 3\.1\.1 `, 2}, {"3.2", `(?m)^### 3\.2 `, 0}, {"3.2.1", `(?m)^### 3\.2\.1 `, 1},
		{"3.2.2", `(?m)^### 3\.2\.2 `, 4}, {"3.3", `(?m)^### 3\.3 `, 0}, {"3.6", `(?m)^### 3\.6 `, 1}, {"3.7", `(?m)^### 3\.7 `, 0},
		{"3.9", `(?m)^### 3\.9 `, 1}, {"4", `(?m)^## 4\. `, 0}, {"4.5", `(?m)^### 4\.5 `, 1}, {"4.6", `(?m)^### 4\.6 `, 0},
		{"4.7", `(?m)^### 4\.7 `, 2}, {"4.8", `(?m)^### 4\.8 `, 0}, {"4.10.4", `(?m)^#### 4\.10\.4 `, 1}, {"4.10.5", `(?m)^#### 4\.10\.5 `, 0},
		{"5.2", `(?m)^### 5\.2 `, 1}, {"6", `(?m)^## 6\. `, 0}, {"7.3", `(?m)^### 7\.3 `, 1}, {"8.2", `(?m)^### 8\.2 `, 2},
		{"8.3", `(?m)^### 8\.3 `, 0}, {"11.1", `(?m)^### 11\.1 `, 1}, {"11.2", `(?m)^### 11\.2 `, 1}, {"11.3", `(?m)^### 11\.3 `, 0},
		{"12.2", `(?m)^### 12\.2 `, 4}, {"12.3", `(?m)^### 12\.3 `, 0},
	}},
	// This text has no key words: its plain ones are counted, less those of the
	// sentence "when it should be used".
	{"atdf.txt", "atdf", atdfRows, `\b(must|should be concise)\b`, []head{
		{"Specification", `(?m)^## Specification`, 1}, {"JSON Schema", `(?m)^### JSON Schema`, 1}, {"Rules and Considerations", `(?m)^## Rules`, 2}, {"Use Cases", `(?m)^## Use Cases`, 0},
	}},
}

// TestEveryKeyWordHasARow: each MUST and SHOULD of the drafts is a row, in its
// section. Where the drafts are not at hand the rows are held to the same numbers.
func TestEveryKeyWordHasARow(t *testing.T) {
	for _, d := range drafts {
		rows := map[string]int{}
		for _, c := range d.rows {
			if !c.Plain && c.Level != May {
				rows[c.Section]++
			}
		}
		for _, h := range d.heads {
			if rows[h.section] != h.words {
				t.Errorf("%s %s: %d rows, the draft has %d key words", d.protocol, h.section, rows[h.section], h.words)
			}
			delete(rows, h.section)
		}
		if len(rows) > 0 {
			t.Errorf("%s: rows of sections that have no key words: %v", d.protocol, rows)
		}
		dir := os.Getenv("SCULPT_SHARED")
		if dir == "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, "drafts", d.file))
		if err != nil {
			t.Fatal(err)
		}
		d.count(t, string(text))
	}
}

// count holds the numbers of a draft against its text.
func (d *draft) count(t *testing.T, text string) {
	t.Helper()
	words, rest := regexp.MustCompile(d.words), text
	for _, h := range slices.Backward(d.heads) {
		all := regexp.MustCompile(h.pattern).FindAllStringIndex(rest, -1)
		if all == nil {
			t.Errorf("%s has no section %s", d.file, h.section)
			continue
		}
		at := all[len(all)-1][0]
		if n := len(words.FindAllString(rest[at:], -1)); n != h.words {
			t.Errorf("%s %s has %d key words, want %d", d.file, h.section, n, h.words)
		}
		rest = rest[:at]
	}
	if n := len(words.FindAllString(rest, -1)); n != 0 {
		t.Errorf("%s has %d key words before section %s", d.file, n, d.heads[0].section)
	}
}

// TestRows: ids are unique, and begin with protocol and section where the text
// numbers its sections; each row has a check or says why not.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range protocols {
		for _, c := range p.rows {
			if seen[c.ID] {
				t.Errorf("%s is there twice", c.ID)
			}
			seen[c.ID] = true
			if (c.check == nil) == (c.Unchecked == "") || c.Section == "" || c.Gist == "" || !regexp.MustCompile(`^`+p.word+`-[a-z0-9.-]+$`).MatchString(c.ID) {
				t.Errorf("%+v", c)
			}
		}
	}
}
