package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/gen/internal/golang"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// Emission numbers what Generate writes, and what it says of a program. It is
// raised with every change of either: packages that another number sealed are
// generated again. TestEmission tells when it has to be.
const Emission = 21

// sealMark begins the last line of a sealed package's generated test.
const sealMark = "\n// Sealed: "

// Sealed writes into the generated test a digest of all that the package in dir
// is made from and of all that it is made of, with the files, and without those
// that are gone: as long as both are the same, and [Emission] is, there is
// nothing to generate. Inputs are found by the digests that the test holds.
//
// A package without the test, or with an input that cannot be read any more,
// stays as it is: it is generated every time. So is one that there are findings
// about, which nobody may seal: they have to be said again.
func Sealed(fsys fs.FS, dir, manifest string, files []File, gone []string) []File {
	i := slices.IndexFunc(files, func(f File) bool { return f.Name == golang.GuardFile })
	if i < 0 {
		return files
	}
	s := &seal{fsys: fsys, dir: dir, digests: map[string]string{}}
	if !s.list() {
		return files
	}
	for name := range s.digests {
		if isGenerated(name) || slices.Contains(gone, path.Join(dir, name)) {
			delete(s.digests, name) // written again, or removed
		}
	}
	maps.Copy(s.digests, promised(files[i].Data))
	for _, f := range files {
		if judged(f.Name) {
			s.digests[f.Name] = digest(f.Data)
		}
	}
	sum, ok := s.sum(path.Base(manifest))
	if !ok {
		return files
	}
	files = slices.Clone(files)
	files[i].Data = slices.Concat(files[i].Data, []byte(sealMark+sum+"\n"))
	return files
}

// judged knows the names of files that [Unchanged] looks for.
func judged(name string) bool {
	return isGenerated(name) || IsFrozen(name) || strings.HasPrefix(name, exportsFolder+"/") || strings.HasPrefix(name, history.Folder+"/")
}

// Unchanged reports whether the package in dir is, with all that it is made
// from, what it was when it was sealed. No damage makes it true: what cannot be
// read, is missing or is too much is a change.
func Unchanged(fsys fs.FS, dir, manifest string) bool {
	s := &seal{fsys: fsys, dir: dir, digests: map[string]string{}}
	guard, err := fs.ReadFile(fsys, path.Join(dir, golang.GuardFile))
	if err != nil {
		return false
	}
	guard = unified(guard)
	end := bytes.LastIndex(guard, []byte(sealMark))
	if end < 0 || !s.list() || !s.exports() {
		return false
	}
	for name := range promised(guard[:end]) {
		s.digests[name] = ""
	}
	s.digests[golang.GuardFile] = digest(guard[:end])
	sum, ok := s.sum(path.Base(manifest))
	return ok && string(guard[end:]) == sealMark+sum+"\n"
}

// A seal collects the files of a package by their names as seen from its
// folder, with digests where they are known.
type seal struct {
	fsys    fs.FS
	dir     string
	digests map[string]string
}

// list finds the Go files that generating or releasing writes, and the history.
// It is false for folders that something is amiss in.
func (s *seal) list() bool {
	entries, err := fs.ReadDir(s.fsys, s.dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case temporary.MatchString(name):
			return false
		case isGenerated(name) || IsFrozen(name):
			if !e.Type().IsRegular() {
				return false
			}
			s.digests[name] = ""
		case name == history.Folder:
			if !s.walk(name, func(file string) { s.digests[file] = "" }) {
				return false
			}
		}
	}
	return true
}

// exports finds the documents that the index lists. Others are somebody's own.
func (s *seal) exports() bool {
	data, err := fs.ReadFile(s.fsys, path.Join(s.dir, indexPath))
	if err != nil {
		return false
	}
	listed, ours := readIndex(data)
	there := map[string]bool{}
	if !ours || !s.walk(exportsFolder, func(file string) { there[file] = true }) {
		return false
	}
	s.digests[indexPath] = digest(data)
	for name := range listed {
		if !there[name] {
			return false
		}
		s.digests[name] = ""
	}
	return true
}

// walk visits the files below a folder of the package. Links, and what a
// process that was killed has left, are for those to judge who write.
func (s *seal) walk(folder string, visit func(name string)) bool {
	root := path.Join(s.dir, folder)
	err := fs.WalkDir(s.fsys, root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return nil
		case !d.Type().IsRegular() || temporary.MatchString(d.Name()):
			return fs.ErrInvalid
		}
		visit(folder + name[len(root):])
		return nil
	})
	return err == nil
}

// promise is a line of the generated test that has the digest of a file.
var promise = regexp.MustCompile(`(?m)^\t+("(?:[^"\\]|\\.)+"): +"([0-9a-f]{64})",$`)

// promised are the files that the generated test has digests of: what the
// package is made from as it was when it was read, and its code.
func promised(guard []byte) map[string]string {
	out := map[string]string{}
	for _, m := range promise.FindAllSubmatch(guard, -1) {
		if name, err := strconv.Unquote(string(m[1])); err == nil {
			out[name] = string(m[2])
		}
	}
	return out
}

// sum reads what has no digest yet, and is the text of the seal.
func (s *seal) sum(manifest string) (string, bool) {
	all := sha256.New()
	fmt.Fprintf(all, "%d %q\n", Emission, manifest)
	for _, name := range slices.Sorted(maps.Keys(s.digests)) {
		sum := s.digests[name]
		if sum == "" {
			var err error
			if sum, err = digestOf(s.fsys, path.Join(s.dir, name)); err != nil {
				return "", false
			}
		}
		fmt.Fprintf(all, "%q %s\n", name, sum)
	}
	return strconv.Itoa(Emission) + " " + hex.EncodeToString(all.Sum(nil)), true
}

// digestOf is [digest] of a file, which may be large: it is read piece by piece
// unless its line ends have to be undone.
func digestOf(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum, piece := sha256.New(), make([]byte, 64<<10)
	for {
		n, err := f.Read(piece)
		switch {
		case bytes.IndexByte(piece[:n], '\r') >= 0:
			data, err := fs.ReadFile(fsys, name)
			return digest(data), err
		case n > 0:
			sum.Write(piece[:n])
		}
		switch {
		case errors.Is(err, io.EOF):
			return hex.EncodeToString(sum.Sum(nil)), nil
		case err != nil:
			return "", err
		}
	}
}
