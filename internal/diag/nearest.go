package diag

import (
	"slices"
	"strings"
)

// Nearest returns the candidate that name was probably meant to be, or "".
// Case and the separators _ - and space count little; otherwise at most a
// third of the letters may differ.
func Nearest(name string, candidates []string) string {
	best, bestCost := "", len([]rune(name))/3+1
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if c == name {
			continue
		}
		cost := distance(fold(name), fold(c))
		if cost == 0 {
			return c
		}
		if cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// DidYouMean returns `, did you mean "x"?` for the nearest candidate, or "".
func DidYouMean(name string, candidates []string) string {
	if n := Nearest(name, candidates); n != "" {
		return `, did you mean "` + n + `"?`
	}
	return ""
}

// separators are left out of a name: a Replacer is dear to make.
var separators = strings.NewReplacer("_", "", "-", "", " ", "")

func fold(s string) []rune { return []rune(strings.ToLower(separators.Replace(s))) }

// distance is the optimal string alignment distance: a swap of neighbours
// counts once, since that is how people mistype.
func distance(a, b []rune) int {
	prev := []int{0}
	for j := range b {
		prev = append(prev, j+1)
	}
	prev2, cur := make([]int, len(prev)), make([]int, len(prev))
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
