package compat_test

import (
	"fmt"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
)

// sidesOf are the tools of a project, none if it has errors.
func sidesOf(p *front.Project) []*compat.Side {
	project, findings := frontend.Load(p.FS, p.Dir)
	if findings.HasErrors() {
		return nil
	}
	return project.Sides()
}

// TestFront holds what each tool of the corpus would change if it followed
// another one or were damaged, under each policy.
func TestFront(t *testing.T) {
	var all []*compat.Side
	sections := front.Each(t, 0, func(p *front.Project) (text string) {
		before := sidesOf(p)
		all = append(all, before...)
		for _, d := range p.Damaged(8) {
			for i, after := range sidesOf(d) {
				if i < len(before) {
					text += judgedBy(before[i], after)
				}
			}
		}
		return text
	})
	for i, old := range all {
		text := ""
		for j := range 12 {
			text += judgedBy(old, all[(i+j*j+1)%len(all)])
		}
		sections = append(sections, front.Section{Name: fmt.Sprint("pairs/", i), Text: text})
	}
	front.Hold(t, "testdata/front.txt", sections)
}

// judgedBy is all that the package says of a version and the next one.
func judgedBy(old, next *compat.Side) (text string) {
	for _, policy := range []string{"a2t", "letter", "client-safe"} {
		p, err := compat.ParsePolicy(policy)
		if err != nil {
			panic(err)
		}
		opts := compat.Options{Policy: p}
		findings := compat.Check([]*compat.Side{old}, next, opts)
		text += fmt.Sprintf("%s\n%v%v\n", policy, findings, compat.Loosened([]*compat.Side{old}, next, opts))
		for _, f := range findings {
			text += fmt.Sprintf("%s %v\n", f.Rule, f.Related)
		}
	}
	return text + front.Dump(compat.Compare(old, next, compat.Options{}))
}
