package diag

import (
	"encoding/xml"
	"io"
)

type (
	junitSuites struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitFailure `xml:"failure,omitempty"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the findings as the XML that build servers read: a case for
// each finding, which fails if it is an error, or one case that passes.
func JUnit(w io.Writer, list List) error {
	sorted := list.Sorted()
	suite := junitSuite{Name: "sculpt", Failures: sorted.number(Error)}
	for _, f := range sorted {
		c := junitCase{Class: Escape(f.Tool), Name: Escape(f.Rule.String() + " " + f.Span.String())}
		if c.Class == "" {
			c.Class = "package"
		}
		text := Escape(f.Message)
		if f.Fix != "" {
			text += "\nFix: " + Escape(f.Fix)
		}
		if f.Severity == Error {
			c.Failure = &junitFailure{Type: Escape(f.Rule.String()), Message: Escape(f.Message), Text: text}
		} else {
			c.Output = f.Severity.String() + ": " + text
		}
		suite.Cases = append(suite.Cases, c)
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []junitCase{{Class: "package", Name: "no findings"}}
	}
	suite.Tests = len(suite.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
