package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A Rule says what is done about a call of some kind. The zero value asks.
type Rule uint8

// The rules.
const (
	// Ask lets [Policy.Confirm] decide, which says no where it is nil.
	Ask Rule = iota
	Allow
	Deny
)

// A Policy says which calls may run. The zero value runs what reads only, or does
// something that can be undone and is free, and asks about everything else.
type Policy struct {
	// Allowed are the names of the tools that may be called at all; nil for all.
	// Denied are never called.
	Allowed, Denied []string
	// Destructive is for tools that may delete or overwrite something, which are
	// those, too, of which the server says nothing; Irreversible for what cannot
	// be undone; Billable for what costs money.
	Destructive, Irreversible, Billable Rule
	// Confirm is asked about a call and why it is dangerous. It may take long.
	Confirm func(ctx context.Context, c Call, t *client.Tool, why []string) (bool, error)
}

// ReadDelegation reads what a leading agent lets another one do (ATIP 10.2): an
// object with "delegation". An effect that is restricted to false is denied; a key
// that is not known is an error, since it may forbid something.
func ReadDelegation(text []byte) (Policy, error) {
	var d struct {
		Delegation *struct {
			Allowed []string        `json:"allowedTools"`
			Denied  []string        `json:"deniedCommands"`
			Effects map[string]bool `json:"effectRestrictions"`
		} `json:"delegation"`
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return Policy{}, fmt.Errorf("agent: the delegation cannot be read: %w", err)
	}
	if d.Delegation == nil {
		return Policy{}, errors.New("agent: the text has no delegation")
	}
	p := Policy{Allowed: d.Delegation.Allowed, Denied: d.Delegation.Denied}
	rules := map[string]*Rule{"destructive": &p.Destructive, "reversible": &p.Irreversible, "billable": &p.Billable}
	for _, effect := range slices.Sorted(maps.Keys(d.Delegation.Effects)) {
		rule := rules[effect]
		if rule == nil {
			return Policy{}, fmt.Errorf("agent: effectRestrictions has %q, which is not destructive, reversible or billable", effect)
		}
		// "reversible": true asks for what can be undone, the others forbid by false.
		if d.Delegation.Effects[effect] == (effect == "reversible") {
			*rule = Deny
		}
	}
	return p, nil
}

// A DeniedError is a call that the policy does not let run. Its text is for the
// model.
type DeniedError struct {
	// Name is that of the tool, Why the dangers, nil where the tool itself is not
	// allowed. Asked says that somebody has said no.
	Name  string
	Why   []string
	Asked bool
}

func (d *DeniedError) Error() string {
	switch {
	case d.Asked:
		return "The user did not agree to calling " + d.Name + ". Do not call it again unless the user asks for it."
	case d.Why != nil:
		return "Calling " + d.Name + " is not allowed here: " + d.Why[0] + " Tell the user."
	}
	return "The tool " + d.Name + " may not be called here."
}

// A danger is what a policy has a rule for.
type danger struct {
	rule     func(*Policy) Rule
	sentence string
}

// dangersOf lists the dangers of a tool. What a server says nothing of may do
// anything.
func dangersOf(t *client.Tool) []danger {
	e := t.Effects
	var list []danger
	switch {
	case e == nil:
		return []danger{{func(p *Policy) Rule { return p.Destructive }, "Nothing is known of what it does."}}
	case e.ReadOnly && !e.Billable:
		return nil
	}
	if e.Destructive {
		list = append(list, danger{func(p *Policy) Rule { return p.Destructive }, "It may delete or overwrite something."})
	}
	if !e.ReadOnly && !e.Reversible {
		list = append(list, danger{func(p *Policy) Rule { return p.Irreversible }, "What it does cannot be undone."})
	}
	if e.Billable {
		list = append(list, danger{func(p *Policy) Rule { return p.Billable }, "It costs money."})
	}
	return list
}

// decide lets a call run, or says why not.
func (p *Policy) decide(ctx context.Context, e *Entry, c Call) error {
	names := []string{e.Name, e.Tool.Name}
	listed := func(list []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(list, name) })
	}
	if listed(p.Denied) || p.Allowed != nil && !listed(p.Allowed) {
		return &DeniedError{Name: e.Name}
	}
	var why []string
	for _, d := range dangersOf(e.Tool) {
		switch d.rule(p) {
		case Deny:
			return &DeniedError{Name: e.Name, Why: []string{d.sentence}}
		case Ask:
			why = append(why, d.sentence)
		case Allow:
		}
	}
	if why == nil {
		return nil
	}
	if p.Confirm == nil {
		return &DeniedError{Name: e.Name, Why: why}
	}
	yes, err := p.Confirm(ctx, c, e.Tool, why)
	if err != nil {
		return fmt.Errorf("agent: whether %s may be called cannot be asked: %w", e.Name, err)
	}
	if !yes {
		return &DeniedError{Name: e.Name, Why: why, Asked: true}
	}
	return nil
}

// hidden refuses texts with characters that nobody sees, in which something may be
// smuggled past who confirms a call.
func hidden(args map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if found(args[name]) {
			return &client.Error{Local: true, Fault: &tool.Error{Kind: tool.KindInvalidInput, Issues: []tool.Issue{{
				Param: name, ID: name, Code: "not_allowed", Detail: "Has characters that nobody sees. Leave them out.",
			}}}}
		}
	}
	return nil
}

func found(v any) bool {
	switch v := v.(type) {
	case string:
		return value.Hidden(v, 0) >= 0
	case []any:
		return slices.ContainsFunc(v, found)
	case map[string]any:
		for name, one := range v {
			if value.Hidden(name, 0) >= 0 || found(one) {
				return true
			}
		}
	}
	return false
}
