package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
)

// What many releases of a tool have in common is there once: excerpts of documents,
// and exchanges of examples. The first record that needs a text has it, by its digest,
// and later ones refer to it. Who refers has the whole digest, so the text is vouched
// for like the rest of a release.
//
// sharedFolder has the texts of releases in pieces, in files named after their
// digests. It is a folder of the tool, which can be moved with it.
const sharedFolder = "shared"

// sharedName is the name of the file with a digest.
func sharedName(digest string) string {
	hex := strings.TrimPrefix(digest, "sha256:")
	return hex[:min(16, len(hex))] + ".json"
}

// compact is the one spelling of what is shared: a line.
func compact(value json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return value // who reads it says that it is not JSON
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// refer is what stands for a value in a plan or an example; what stands for
// another one already stays.
func refer(value json.RawMessage) json.RawMessage {
	if _, ok := referred(value); ok {
		return value
	}
	return json.RawMessage(`"` + digestOf(compact(value)) + `"`)
}

// referred returns the digest that stands for a value; the values of older
// releases are there themselves.
func referred(value json.RawMessage) (digest string, ok bool) {
	ok = json.Unmarshal(value, &digest) == nil && strings.HasPrefix(digest, "sha256:")
	return digest, ok
}

// shared reads what a reference stands for; of a tool each text is read once.
func (h *History) shared(tool string, value json.RawMessage) (json.RawMessage, *diag.Finding) {
	digest, ok := referred(value)
	if !ok {
		return value, nil
	}
	name, inRecord := path.Join(h.dir, tool, sharedFolder, sharedName(digest)), false
	if t := h.Tool(tool); t != nil && t.shared[digest] > 0 {
		name, inRecord = path.Join(h.dir, tool, recordName(t.shared[digest])), true
	}
	if data, known := h.texts.Load(name + " " + digest); known {
		return data.(json.RawMessage), nil
	}
	var buffer []byte
	data, err := read(h.fsys, name, &buffer)
	fix := restoreShared
	if inRecord {
		fix = restore(name)
		data = append(slices.Clone(sharedValue(data, digest)), '\n')
	}
	finding := &diag.Finding{Rule: compat.RuleHistoryTampered, Tool: tool, Span: diag.Span{File: name}, Fix: fix}
	switch {
	case err != nil:
		finding.Message = fmt.Sprintf("what releases of %q share is gone: %s", tool, diag.Cause(err))
		return nil, finding
	case digestOf(data) != digest:
		finding.Message = fmt.Sprintf("what releases of %q share is not what was released", tool)
		return nil, finding
	}
	out := json.RawMessage(bytes.TrimSuffix(data, []byte("\n")))
	h.texts.Store(name+" "+digest, out)
	return out, nil
}

const restoreShared = "restore it from version control, with the folder of the tool"
