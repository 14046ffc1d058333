package export

import "github.com/sculpt-tools/sculpt/internal/signature"

// a2tSignature is the ToolSignature of A2T 6.1, which N-ACT shares. Package
// signature writes it, because it is what history locks. The words that told
// added are not: they follow the locked text, and the digest is of that alone.
func a2tSignature(t tool) value { return raw(t.Document(t.current)) }

// Served renders one document of A2T.
func Served(s *signature.Signature, currentVersion int) []byte {
	return a2tColumn.told(tool{s, currentVersion}).Document(currentVersion)
}
