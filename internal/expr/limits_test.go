package expr_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/expr"
)

var limit = regexp.MustCompile(`than (\d+) `)

// stated is the limit that a problem states, 0 for none.
func stated(problems []expr.Problem) int {
	if len(problems) != 1 {
		return 0
	}
	m := limit.FindStringSubmatch(problems[0].Message)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// TestLimits: what is as long or as deep as the stated limit is read, alone
// and after other text, and what is more is refused.
func TestLimits(t *testing.T) {
	long := func(n int) string { return strings.Repeat(" ", n-1) + "1" }
	deep := func(n int) string { return strings.Repeat("(", n) + "1" + strings.Repeat(")", n) }
	_, problems := expr.Parse(long(1 << 22))
	longest := stated(problems)
	if longest == 0 {
		t.Fatal(problems)
	}
	for n, fits := range map[int]bool{longest: true, longest + 1: false} {
		if _, problems := expr.Parse(long(n)); (problems == nil) != fits {
			t.Errorf("%d bytes: %v", n, problems)
		}
		if _, problems := expr.ParseTemplate("before ${" + long(n) + "} after"); (problems == nil) != fits {
			t.Errorf("%d bytes in a text: %v", n, problems)
		}
	}
	_, problems = expr.Parse(deep(2000))
	deepest := stated(problems)
	if deepest == 0 {
		t.Fatal(problems)
	}
	if _, problems := expr.Parse(deep(deepest + 1)); stated(problems) != deepest {
		t.Errorf("%d levels: %v", deepest+1, problems)
	}
	if _, problems := expr.Parse(deep(deepest - 1)); problems != nil {
		t.Errorf("%d levels: %v", deepest-1, problems)
	}
}
