package gen

import (
	"io/fs"

	"github.com/aymanbagabas/go-udiff"
)

// A Change is one file of a package folder that Write would touch.
type Change struct {
	Name string
	Kind ChangeKind
	// Text is a unified diff that leads from the folder to the files.
	Text string
}

// A ChangeKind says what is wrong with a file on disk.
type ChangeKind uint8

// The kinds of changes.
const (
	// Stale files have other content.
	Stale ChangeKind = iota
	// Missing files are not there.
	Missing
	// LeftOver files were generated once and belong to nothing any more.
	LeftOver
)

// String ends the sentence that begins with the file.
func (k ChangeKind) String() string {
	return [...]string{"is stale", "is missing", "is left over"}[k]
}

// Diff compares a package folder with freshly generated files and returns what
// Write would change, by name; nothing means that the folder is fresh. An error
// means that the folder cannot be compared.
func Diff(fsys fs.FS, files []File) ([]Change, error) {
	all, err := changes(fsys, files)
	if err != nil {
		return nil, err
	}
	var out []Change
	for _, c := range all {
		from, to := "a/"+c.name, "b/"+c.name
		change := Change{Name: c.name}
		switch {
		case !c.exists:
			change.Kind, from = Missing, "/dev/null"
		case c.stale:
			change.Kind, to = LeftOver, "/dev/null"
		}
		change.Text = udiff.Unified(from, to, string(unified(c.old)), string(c.data))
		if change.Text == "" { // an empty file has no lines to differ in
			change.Text = "--- " + from + "\n+++ " + to + "\n"
		}
		out = append(out, change)
	}
	return out, nil
}
