package cli

import "strconv"

// countOf writes a number with its noun: "no arguments", "1 file", "2 apis".
func countOf(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
