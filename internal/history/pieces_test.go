package history

import (
	"encoding/json"
	"path"

	"github.com/sculpt-tools/sculpt/internal/compat"
)

// NextInPieces is a release as it was written before records kept all of it:
// record, plan, examples and what is shared in files of their own. Without
// evidence the digests are those that the tool brings.
func (h *History) NextInPieces(side *compat.Side, opts Options, released string, e Evidence) ([]File, error) {
	file, err := h.Next(side, opts, released, e)
	if err != nil {
		return nil, err
	}
	r, m := parseRecord(file.Data)
	if m != nil {
		panic(m.message)
	}
	if e.Plan == nil && e.Examples == nil {
		r.Details.Plan, r.Details.Examples = side.Details.Plan, side.Details.Examples
	}
	r.format = inPieces
	files := []File{{file.Name, r.encode()}}
	folder := path.Dir(file.Name)
	share := func(value json.RawMessage) {
		data := compact(value)
		files = append(files, File{path.Join(folder, sharedFolder, sharedName(digestOf(data))), data})
	}
	if e.Plan != nil {
		files = append(files, File{path.Join(folder, planName(r.Version)), e.Plan.encode()})
		for _, d := range e.Plan.Documents {
			share(d.OpenAPI)
		}
	}
	for _, example := range e.Examples {
		files = append(files, File{path.Join(folder, examplesFolder, example.Name+".json"), example.encode()})
		for _, x := range example.Exchanges {
			share(x)
		}
	}
	return files, nil
}

// Respelled is a record with an edit, in the spelling of records: only digests
// tell that it was edited.
func Respelled(record []byte, edit func(compact string) string) []byte {
	var doc recordDoc
	if err := json.Unmarshal(record, &doc); err != nil {
		panic(err)
	}
	edited := edit(string(encoded(doc)))
	if edited == string(encoded(doc)) {
		panic("history: no edit")
	}
	doc = recordDoc{}
	if err := json.Unmarshal([]byte(edited), &doc); err != nil {
		panic(err)
	}
	shared := doc.Shared
	doc.Shared = nil
	return (&kept{shared: shared}).withShared(folding.spell(doc))
}
