package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An entry is one file of an archive.
type entry struct {
	name string
	mode fs.FileMode
	data []byte
}

// pack makes the archive of a target: the program and what belongs to it.
func (s *source) pack(t target, binary string) (name string, data []byte, err error) {
	base := strings.Join([]string{"sculpt", s.version, t.goos, t.goarch}, "_")
	program := "sculpt"
	if t.goos == "windows" {
		program += ".exe"
	}
	files := []entry{{name: program, mode: 0o755}, {name: "CHANGELOG.md", mode: 0o644}, {name: "LICENSE", mode: 0o644}, {name: "README.md", mode: 0o644}}
	for i := range files {
		from := filepath.Join(s.dir, files[i].name)
		if i == 0 {
			from = binary
		}
		if files[i].data, err = os.ReadFile(from); err != nil {
			return "", nil, err
		}
		files[i].name = base + "/" + files[i].name
	}
	if t.goos == "windows" {
		data, err = zipped(files, s.time)
		return base + ".zip", data, err
	}
	data, err = tarred(files, s.time)
	return base + ".tar.gz", data, err
}

func tarred(files []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	w := tar.NewWriter(packed)
	for _, f := range files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: at, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := packed.Close()
	return out.Bytes(), err
}

func zipped(files []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode)
		part, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// digests lists archives in the form that "sha256sum --check" reads.
func digests(archives map[string][]byte) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(archives)) {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(archives[name]), name)
	}
	return b.String()
}
