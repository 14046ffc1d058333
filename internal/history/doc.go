// Package history keeps the releases of tools: one folder for each tool, one
// immutable record for each version, history/<tool>/v0001.json.
//
// A record holds the signature that A2T serves for that version, less
// currentVersion, and the contract, which is what callers rely on besides
// (A2T 6.1: the server must not change any part of a version's signature). It
// is locked byte for byte: there is one spelling, the digest is taken over the
// bytes of the file, and each record has the digest of the one before, so
// sha256sum can check it. Files of one version each make two branches that
// release the same number conflict loudly, and let git alone prove that
// releases were only added.
//
//	h, findings := history.Read(fsys, "history")
//	findings = append(findings, history.Check(h, sides, history.Options{})...)
//	file, err := h.Next(side, history.Options{}, "2026-11-20", history.Evidence{Plan: plan, Examples: examples})
//
// A record also keeps how the tool did its work (its plan) and what it answered (its
// examples). What several releases of a tool hold (excerpts of documents, exchanges)
// is in the record of the first of them, and later ones refer to it by its digest.
// Records of before, of format 1, have their plan and examples in files beside them,
// and what is shared in the folder shared, or in those files; they are read for ever.
//
// A chain shows edits and deletions in the middle. It cannot show that the
// newest records were cut off or that all digests were computed anew: for that
// there are anchors and copies, see [Options].
//
// Nothing here writes: [History.Next] and [History.Retire] return the bytes.
// The package imports the standard library, diag, signature and compat only: generated tests of vendors import it.
package history
