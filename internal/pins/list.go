package pins

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sculpt-tools/sculpt/sculpt/client"
)

// An Offer is a tool of a provider.
type Offer struct {
	// Name is that of the tool, after that of its provider where two have it.
	Name     string
	Provider *Provider
	Tool     *client.Tool
}

// A Failure is a provider that could not be asked.
type Failure struct {
	Provider *Provider
	Err      error
}

// A Query chooses offers; the zero value takes all.
type Query struct {
	// Words have to be in the texts of the tool, all of them, Tags among its tags.
	Words, Tags []string
	// ReadOnly wants tools that are said to change nothing.
	ReadOnly bool
}

// atOnce bounds how many providers are asked at the same time.
const atOnce = 8

// List asks all providers what they offer, sorted by name. One that is down or
// broken does not hide the others.
func (o *Opener) List(ctx context.Context, providers []*Provider) ([]Offer, []Failure) {
	found := make([][]*client.Tool, len(providers))
	faults := make([]error, len(providers))
	var group sync.WaitGroup
	room := make(chan struct{}, atOnce)
	for i, p := range providers {
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			found[i], faults[i] = o.tools(ctx, p)
		})
	}
	group.Wait()
	var offers []Offer
	var failures []Failure
	for i, p := range providers {
		if faults[i] != nil {
			failures = append(failures, Failure{p, faults[i]})
		}
		for _, t := range found[i] {
			offers = append(offers, Offer{t.Name, p, t})
		}
	}
	prefix(offers)
	slices.SortStableFunc(offers, func(a, b Offer) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Provider.Name, b.Provider.Name))
	})
	return offers, failures
}

// prefix puts the name of the provider before names that two providers have, and a
// number after those that are still the same: two programs may have one name.
func prefix(offers []Offer) {
	of := map[string]*Provider{}
	twice := map[string]bool{}
	for _, o := range offers {
		if other, seen := of[o.Tool.Name]; seen && other != o.Provider {
			twice[o.Tool.Name] = true
		}
		of[o.Tool.Name] = o.Provider
	}
	taken := map[string]bool{}
	for i := range offers {
		o := &offers[i]
		if twice[o.Tool.Name] {
			o.Name = o.Provider.Name + "_" + o.Tool.Name
		}
		for base, n := o.Name, 2; twice[o.Tool.Name] && taken[o.Name]; n++ {
			o.Name = base + "_" + strconv.Itoa(n)
		}
		taken[o.Name] = true
	}
}

// Select returns the offers that a query wants.
func (q *Query) Select(offers []Offer) []Offer {
	return slices.DeleteFunc(slices.Clone(offers), func(o Offer) bool { return !q.matches(o.Tool) })
}

func (q *Query) matches(t *client.Tool) bool {
	texts := []string{t.Name, t.Title, t.Description}
	texts = append(texts, t.Tags...)
	for i := range t.Inputs {
		texts = append(texts, t.Inputs[i].Name, t.Inputs[i].Description)
	}
	all := strings.ToLower(strings.Join(texts, "\n"))
	for _, word := range q.Words {
		if !strings.Contains(all, strings.ToLower(word)) {
			return false
		}
	}
	for _, tag := range q.Tags {
		if !slices.Contains(t.Tags, tag) {
			return false
		}
	}
	return !q.ReadOnly || t.Effects != nil && t.Effects.ReadOnly
}
