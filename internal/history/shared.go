package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
)

// sharedFolder holds what many releases of a tool have in common, each text once:
// excerpts of documents, and exchanges of examples. A file is named after its
// digest, and who refers to it has the whole digest, so it is vouched for like
// the rest of a release. It is a folder of the tool, which can be moved with it.
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

// refer is what stands for a value in the file of a plan or an example.
func refer(value json.RawMessage) json.RawMessage {
	return json.RawMessage(`"` + digestOf(compact(value)) + `"`)
}

// referred returns the digest that stands for a value; the values of older
// releases are there themselves.
func referred(value json.RawMessage) (digest string, ok bool) {
	ok = json.Unmarshal(value, &digest) == nil && strings.HasPrefix(digest, "sha256:")
	return digest, ok
}

// sharedFile is the file of a value.
func (h *History) sharedFile(tool string, value json.RawMessage) File {
	data := compact(value)
	return File{Name: path.Join(h.dir, tool, sharedFolder, sharedName(digestOf(data))), Data: data}
}

// shared reads what a reference stands for; of a tool each file is read once.
func (h *History) shared(tool string, value json.RawMessage) (json.RawMessage, *diag.Finding) {
	digest, ok := referred(value)
	if !ok {
		return value, nil
	}
	name := path.Join(h.dir, tool, sharedFolder, sharedName(digest))
	if data, known := h.texts.Load(name + " " + digest); known {
		return data.(json.RawMessage), nil
	}
	var buffer []byte
	data, err := read(h.fsys, name, &buffer)
	finding := &diag.Finding{Rule: compat.RuleHistoryTampered, Tool: tool, Span: diag.Span{File: name}, Fix: restoreShared}
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
