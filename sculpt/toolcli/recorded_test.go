package toolcli_test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// said holds the whole of what the program of a test says, run by run, until the
// test has ended and it is compared with a file.
var said = map[string][]string{}

var instance = regexp.MustCompile(`urn:uuid:[0-9a-f-]+`)

// longestSaid is how much of an answer is written; what is longer is a
// description, and is told by its digest.
const longestSaid = 4000

// record adds a run to what is said in its test. The file has them sorted, since
// tests may run them in any order.
func (s *shop) record(args []string, code int, stdout, stderr string) {
	name := s.Name()
	if said[name] == nil {
		s.Cleanup(func() {
			slices.Sort(said[name])
			golden.Text(s.T, filepath.Join("testdata", name+".txt"), strings.Join(said[name], ""))
			delete(said, name)
		})
	}
	if len(stdout) > longestSaid {
		stdout = fmt.Sprintf("%s… %x", stdout[:longestSaid/10], sha256.Sum256([]byte(stdout)))
	}
	text := fmt.Sprintf("== %q: %d\n%s%s", args, code, stdout, strings.ReplaceAll("\n"+stderr, "\n", "\n! "))
	said[name] = append(said[name], instance.ReplaceAllString(strings.TrimSuffix(text, "! "), "<instance>")+"\n")
}

// TestMoreRuns: help of each command, and what else a program says. The file that
// it is compared with says the rest.
func TestMoreRuns(t *testing.T) {
	for _, args := range []string{
		"--help", "book-trip --help", "tool--serve --help", "serve --help", "mcp --help", "--agent", "--agent --commands=book-trip", "--agent --commands=", "--agent --commands=nothing",
		"--agent --depth=0", "--agent --depth=1", "--agent --depth=x", "--version", "--verbose", "book-trip --to", "book-trip --to Rome --no-quiet --quiet=false", "book-trip --to Rome --json=false",
		"book-trip --to Rome --verbose", "serve --concurrent 0", "serve --concurrent x", "serve --per-api -1", "serve --addr 256.0.0.1:1", "mcp --tags none", "mcp --tools book_trip --pins x@1", "mcp x", "tool--serve x",
	} {
		newShop(t).run(strings.Fields(args)...)
	}
	s := newShop(t)
	s.env = map[string]string{"THE_SHOP_USER_ID": "", "SCULPT_CONCURRENT": "x", "SCULPT_ADDR": "nowhere"}
	s.run("book-trip", "--to", "Rome")
	s.run("serve")
	s.env["SCULPT_CONCURRENT"] = ""
	s.run("serve")
	s.env["UNCONFIGURED"] = "yes"
	s.run("serve", "--addr", "127.0.0.1:0")
	s.run("tool--serve", "--verbose")
	delete(s.env, "UNCONFIGURED")
	for _, fail := range []error{
		&tool.Error{Kind: tool.KindForbidden, Message: "Not you."}, &tool.Error{Kind: tool.KindUnauthorized, Authorization: &tool.Authorization{Provider: "shop", URL: "https://shop.example/ok?a=<b>&c"}},
		&tool.Error{Kind: tool.KindInternal}, &tool.Error{Kind: tool.KindUnknownOutcome, EffectsDone: []string{"pay"}},
	} {
		s.fail = fail
		s.run("tool--serve")
		s.run("tool--serve", "--json")
	}
}
