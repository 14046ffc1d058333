package gen

import (
	"io/fs"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Diff compares a package folder with freshly generated files and returns a
// unified diff that leads from the folder to the files, stale files included;
// "" means that Write would change nothing. An error means that the folder
// cannot be compared.
func Diff(fsys fs.FS, files []File) (string, error) {
	all, err := changes(fsys, files)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, c := range all {
		from, to := "a/"+c.name, "b/"+c.name
		if !c.exists {
			from = "/dev/null"
		}
		if c.stale {
			to = "/dev/null"
		}
		text := udiff.Unified(from, to, string(unified(c.old)), string(c.data))
		if text == "" { // an empty file has no lines to differ in
			text = "--- " + from + "\n+++ " + to + "\n"
		}
		b.WriteString(text)
	}
	return b.String(), nil
}
