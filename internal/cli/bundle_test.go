package cli

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// unpackCommand unpacks an archive as hosts do: with the modes that it says.
func unpackCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unpack file folder")
	}
	archive, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer archive.Close()
	for _, f := range archive.File {
		r, err := f.Open()
		ts.Check(err)
		data, err := io.ReadAll(r)
		ts.Check(err)
		name := filepath.Join(ts.MkAbs(args[1]), filepath.FromSlash(f.Name))
		ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
		// A process that another script begins meanwhile would have the file open for a moment, and a
		// program that is open for writing cannot be run.
		syscall.ForkLock.RLock()
		err = os.WriteFile(name, data, f.Mode())
		syscall.ForkLock.RUnlock()
		ts.Check(err)
	}
}

// digestCommand sets DIGEST to that of a file.
func digestCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: digest file")
	}
	sum := sha256.Sum256([]byte(ts.ReadFile(args[0])))
	ts.Setenv("DIGEST", hex.EncodeToString(sum[:]))
}
