package conform

import (
	"encoding/xml"
	"fmt"
	"io"
)

// Counts are the numbers of a report.
type Counts struct {
	Passed, NotChecked, Must, Should int
}

// Count adds a report up: Must and Should are those that fail.
func (r *Report) Count() Counts {
	var n Counts
	for _, x := range r.Results {
		switch {
		case x.Verdict == Pass:
			n.Passed++
		case x.Verdict == NotChecked:
			n.NotChecked++
		case x.Level == Must:
			n.Must++
		case x.Level == Should:
			n.Should++
		}
	}
	return n
}

// JUnit writes the report as a test suite: a clause is a case. A SHOULD that is
// missed is a failure if strict, and told in the output of its case if not.
func (r *Report) JUnit(w io.Writer, strict bool) error {
	type message struct {
		Message string `xml:"message,attr"`
	}
	type testcase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Failure *message `xml:"failure,omitempty"`
		Skipped *message `xml:"skipped,omitempty"`
		Output  string   `xml:"system-out,omitempty"`
	}
	suite := struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testcase `xml:"testcase"`
	}{Name: r.Protocol + " " + r.Target, Tests: len(r.Results)}
	for _, x := range r.Results {
		c := testcase{Class: r.Protocol + "." + string(x.Level), Name: x.ID + ": " + x.Gist}
		switch {
		case x.Verdict == NotChecked:
			c.Skipped = &message{x.Saw}
			suite.Skipped++
		case x.Verdict == Fail && (x.Level == Must || strict && x.Level == Should):
			c.Failure = &message{x.Saw}
			suite.Failures++
		default:
			c.Output = string(x.Verdict) + ": " + x.Saw
		}
		suite.Cases = append(suite.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suite); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}
