// Package pins is for the designers of agents: which servers there are (a file of
// providers), what they offer ([List]), which tools an agent uses and what was
// promised of each when it was chosen (a file of pins), whether the servers keep to
// that ([Check]), and whether operating procedures name what is pinned ([File.CheckProcedure]).
//
//	file, findings := pins.ReadFile("agents.pins.yaml", data)
//	verdict := pins.Check(ctx, file, opener, nil)
//
// A pin holds the description of a tool as it was read, the designer's own text,
// what the agent may do with it and how long it waits. Nothing in it is secret.
// Both files are YAML that people edit: comments and what they wrote survive.
//
// Versions of A2T are locked, so their pins are held to the letter; for servers
// without such a promise the rules of package compat are applied to the schemas of
// the tool, by package subschema.
//
// It imports the standard library, the YAML parser, this module's client, client/atip
// and tool, and the internal packages diag, signature, compat, subschema and oauth. It opens
// no files: secrets are asked of the caller.
package pins

import "github.com/sculpt-tools/sculpt/internal/diag"

// The rules of findings about pins.
var (
	ruleFile     = diag.ID("pins-file")
	ruleBroken   = diag.ID("pin-broken")
	ruleVanished = diag.ID("pin-vanished")
	ruleMistaken = diag.ID("pin-other-tool")
	ruleEnded    = diag.ID("pin-ended")
	ruleEnding   = diag.ID("pin-ending")
	ruleUntold   = diag.ID("pin-untold")
	ruleReworded = diag.ID("pin-reworded")
	ruleUpgrade  = diag.ID("pin-upgrade")
	ruleSilent   = diag.ID("pin-unanswered")
	ruleUnknown  = diag.ID("procedure-unknown")
)

// Rules documents the rules of this package.
var Rules = []diag.Rule{
	{ID: ruleFile, Summary: "A file of pins or of providers says something that is not understood.",
		Why: "What is not understood is not checked, and an agent would go on with it.", Fix: "Write what the finding says, or pin the tool again."},
	{ID: ruleBroken, Summary: "A pinned tool does not keep what it promised.",
		Why: "A released version never changes (A2T 6.1), and a tool without versions must still take the calls that were made for it. What the agent sends may be refused, or what it reads may be missing.",
		Fix: "Ask the vendor to restore it. Or look at what changed, and pin the tool again."},
	{ID: ruleVanished, Summary: "A pinned tool is not served any more.",
		Why: "Every call of the agent fails.", Fix: "Ask the vendor, or choose another tool and remove the pin."},
	{ID: ruleMistaken, Summary: "A pinned tool is gone, and another one has its name.",
		Why: "A name says nothing of who answers. The tool that was looked at and approved is another one.", Fix: "Look at the new tool as at any stranger, and pin it only if it is what you want."},
	{ID: ruleEnded, Summary: "A pinned tool has ended.",
		Why: "The server answers that it is gone (410).", Fix: "Pin the tool that the vendor names instead."},
	{ID: ruleEnding, Severity: diag.Warning, Summary: "The end of a pinned tool is announced.",
		Why: "From its last day on every call of the agent fails.", Fix: "Pin the tool that the vendor names instead, before that day."},
	{ID: ruleUntold, Severity: diag.Warning, Summary: "A pinned tool changed, and whether that breaks calls cannot be told.",
		Why: "Not everything that a schema can say is decided, and a guess would be worth nothing.", Fix: "Compare the two descriptions, and pin the tool again if they mean the same to you."},
	{ID: ruleReworded, Severity: diag.Warning, Summary: "A pinned tool tells models something else.",
		Why: "Models follow texts. A text that was changed after it was looked at may instruct them.", Fix: "Read the new text, and pin the tool again; or write a text of your own, which is told instead."},
	{ID: ruleUpgrade, Severity: diag.Note, Summary: "A pinned tool has something new.",
		Why: "Calls that were made for the pin still work; what is new is for who wants it.", Fix: "Pin the tool again to use it."},
	{ID: ruleUnknown, Summary: "An operating procedure names a tool or an input that no pin has.",
		Why: "An agent follows its procedure. It would call a tool that it does not have, or be refused.", Fix: "Write the name as it is pinned, or pin the tool."},
	{ID: ruleSilent, Summary: "The server of a pin could not be asked.",
		Why: "Whether the pin holds is not known.", Fix: "Start the server, or give the credential in the file of providers."},
}
