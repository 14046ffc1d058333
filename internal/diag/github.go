package diag

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// GitHub writes the findings as workflow commands, which a run shows beside
// the lines they are about. Errors come first, since only the first ten of a
// step are shown. The last line is the count.
func GitHub(w io.Writer, list List) error {
	sorted := list.Sorted()
	if len(sorted) == 0 {
		return nil
	}
	slices.SortStableFunc(sorted, func(a, b Finding) int { return int(a.Severity) - int(b.Severity) })
	out := bufio.NewWriter(w)
	for _, f := range sorted {
		message := commandData(Escape(f.Message))
		if f.Fix != "" {
			message += "%0AFix: " + commandData(Escape(f.Fix))
		}
		fmt.Fprintf(out, "::%s %s::%s\n", [...]string{"error", "warning", "notice"}[f.Severity], commandPlace(f), message)
	}
	fmt.Fprintln(out, sorted.count())
	return out.Flush()
}

// commandPlace are the properties of a command.
func commandPlace(f Finding) string {
	properties := []string{"title=" + commandProperty(Escape(f.Rule.String()))}
	if f.Span.File != "" {
		properties = append(properties, "file="+commandProperty(Escape(f.Span.File)))
	}
	if at := placeOf(f.Span); at.Line > 0 {
		properties = append(properties, fmt.Sprintf("line=%d,endLine=%d", at.Line, at.EndLine))
		// Columns are for one line only, and the last one belongs to it.
		if at.Line == at.EndLine {
			properties = append(properties, fmt.Sprintf("col=%d,endColumn=%d", at.Column, max(at.Column, at.EndColumn-1)))
		}
	}
	return strings.Join(properties, ",")
}

// What a workflow command must not hold as it is.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func commandData(text string) string { return dataEscapes.Replace(text) }

func commandProperty(text string) string { return propertyEscapes.Replace(text) }
