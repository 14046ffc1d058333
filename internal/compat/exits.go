package compat

import "strings"

// An Exit is something legal that a vendor can do about a breaking change.
type Exit struct {
	// Name is a word for it, Text says what to do.
	Name, Text string
}

// What can be done, by what has changed. RULE is the rule that reports the change.
var (
	keepTool   = Exit{"keep", "Keep that part of the tool as it was released."}
	keepInput  = Exit{"keep", "Keep the input as it was released."}
	keepOutput = Exit{"keep", "Keep the output as it was released."}
	newInput   = Exit{"new-input", "Keep the input, and add an optional one under a new name."}
	newOutput  = Exit{"new-output", "Keep the output, and add one under a new name."}
	newTool    = Exit{"new-tool", "Publish a new tool with a name and an id of its own, and keep this one; deprecated: tells callers of it, and sculpt retire ends it later."}
	accepted   = Exit{"accept", "Accept it by name, with a reason that the record keeps: accept: [{rule: RULE, at: PLACE, reason: WHY}]. The finding has the place."}
	retired    = Exit{"retire", "Put the tool back, end it with sculpt retire NAME --sunset DAY, and take it out after that day."}
	optional   = Exit{"optional", "Let callers omit the input: optional: true, or a default."}
	leftOut    = Exit{"leave-out", "Leave the value out; fallback: NAME gives callers one of the old values instead of what is new."}
	unsent     = Exit{"leave-out", "Leave the value out."}
	fallback   = Exit{"fallback", "Give the output a value where the answer has none, as with orValue(0)."}
	frozen     = Exit{"freeze", "Let the old versions keep the chain that they were released with: freeze: [1]."}
	raised     = Exit{"version", "Raise version by one and release it."}
	restored   = Exit{"restore", "Restore the record, from version control or from the branch that is compared with."}
	deleted    = Exit{"delete", "Delete the entry, and do about the change what its own rule says."}
)

var (
	toolExits   = []Exit{keepTool, newTool, accepted}
	inputExits  = []Exit{keepInput, newInput, newTool, accepted}
	outputExits = []Exit{keepOutput, newOutput, newTool, accepted}
)

// breaks reports whether the rule is an error under some policy.
func (r *Rule) breaks() bool {
	return max(r.Levels.A2T, r.Levels.Letter, r.Levels.ClientSafe, r.Eased.A2T, r.Eased.Letter, r.Eased.ClientSafe) == Error
}

// Exits are the legal ways out of what the rule reports as an error, nil for a rule
// that never does. What a manifest may say of policies and levels follows from
// the levels of the rule.
func (r *Rule) Exits() []Exit {
	if !r.breaks() {
		return nil
	}
	var out []Exit
	for _, e := range r.exits {
		out = append(out, Exit{e.Name, strings.ReplaceAll(e.Text, "RULE", r.ID.String())})
	}
	if r.Class == History {
		return out
	}
	var lenient []string
	for _, p := range []Policy{A2T, ClientSafe} {
		if r.Levels.Of(p) < Error {
			lenient = append(lenient, p.String())
		}
	}
	if lenient != nil {
		out = append(out, Exit{"policy", "Hold the tool by a policy for which it is no error: policy: " + strings.Join(lenient, " or policy: ") + "."})
	}
	if r.Allows(Warning) {
		out = append(out, Exit{"level", "Say what the rule means in this package: levels: {" + r.ID.String() + ": warning}."})
	}
	return out
}
