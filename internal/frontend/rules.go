package frontend

import "github.com/sculpt-tools/sculpt/internal/diag"

// The rule ids of this package. That a document is missing is one rule,
// whoever notices: spec.RuleNotFound.
var (
	ruleManifest  = diag.ID("manifest-not-found")
	ruleOutside   = diag.ID("document-outside")
	ruleDiffers   = diag.ID("upstream-differs")
	ruleDrift     = diag.ID("upstream-changed")
	ruleNotServed = diag.ID("not-served")
	ruleFreeze    = diag.ID("freeze-impossible")
	ruleIgnore    = diag.ID("unused-ignore")
	ruleInclude   = diag.ID("bad-include")
	ruleLevel     = diag.ID("level-not-allowed")

	ruleUncovered = diag.ID("uncovered-change")
)

// Rules lists the rules that only this package reports.
var Rules = []diag.Rule{
	{ID: ruleManifest, Summary: "The manifest can be read.",
		Why: "Without it there is nothing to do.", Fix: "Name a package folder or its sculpt.yaml; sculpt init writes one."},
	{ID: ruleIgnore, Severity: diag.Warning, Summary: "Entries under ignore: match a warning.",
		Why: "One that matches nothing would hide the next mistake.", Fix: "Remove it, or correct its rule and place."},
	{ID: ruleInclude, Summary: "Files under include: are in the folder of the manifest, each named once.",
		Why: "A package is one folder, errors name the file alone, and what a build reads must be the same on every computer.", Fix: "Put the file beside the manifest and write its name."},
	{ID: ruleLevel, Summary: "Entries under levels: name a rule of compatibility that may have the level.",
		Why: "What is released is locked, and a break of callers must not pass unseen: accept lets single ones pass, with a reason.", Fix: "Choose note, warning or error for a rule that breaks no caller; raise any rule to an error."},
	{ID: ruleOutside, Summary: "OpenAPI documents are files inside the module.",
		Why: "What a build reads must be the same on every computer, so nothing is fetched and nothing outside is read.", Fix: "Copy the document into the module and write its path with slashes, relative to the manifest."},
	{ID: ruleFreeze, Summary: "A version that freeze: lists can keep its own chain.",
		Why: "The chain is compiled from the plan that the release kept, over the apis of the manifest.", Fix: "List released versions only, and keep the apis and variables that they need."},
	{ID: ruleDiffers, Summary: "The document of tomorrow changes nothing of what tools ask and read.",
		Why: "Another server, address, credential or form of a value is another call than the one that was released.", Fix: "See whether it is meant; then put the document in its place and release the tool."},
	{ID: ruleUncovered, Severity: diag.Warning, Summary: "What a tool does otherwise than its newest release is covered by an example.",
		Why: "An example covers a part if it is answered otherwise once something else is in that part; what none covers may do anything, and no test tells.",
		Fix: "Write an example whose answer depends on the part, and record what the backend answers: sculpt record."},
	{ID: ruleNotServed, Severity: diag.Note, Summary: "Webhooks and callbacks of a document are left out.",
		Why: "They are requests that the service makes, and tools only make requests to it. lint --verbose says which there are.", Fix: "Nothing has to be done."},
	{ID: ruleDrift, Severity: diag.Note, Summary: "An operation that a tool calls changes, and the tool does not break.",
		Why: "What a tool reads and sends is still there; the rest of the operation is not its business.", Fix: "Nothing has to be done."},
}
