package sculpttest_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sculpt-tools/sculpt/sculpt/sculpttest"
)

// reporter stands in for a *testing.T.
type reporter struct{ failed bool }

func (*reporter) Helper() {}

func (r *reporter) Errorf(string, ...any) { r.failed = true }

// What compat_gen_test.go does for the weather tools: a file that is not what the
// code was generated from fails the test.
func ExampleTest() {
	const folder = "../../examples/nws"
	t := &reporter{}
	sculpttest.Test(t, &sculpttest.Package{
		Manifest: "sculpt.yaml",
		Inputs:   map[string]string{"sculpt.yaml": "the digest of another manifest"},
		Files:    os.DirFS(folder),
		Read:     func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) },
	})
	fmt.Println(t.failed)
	// Output: true
}
