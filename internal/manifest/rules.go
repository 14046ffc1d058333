package manifest

import "github.com/sculpt-tools/sculpt/internal/diag"

// The rule ids of this package.
var (
	ruleBadName          = diag.ID("bad-name")
	RuleControlCharacter = diag.ID("control-character")
	RuleDuplicateKey     = diag.ID("duplicate-key")
	RuleMissingKey       = diag.ID("missing-key")
	RuleNotSupportedYet  = diag.ID("not-supported-yet")
	rulePart             = diag.ID("not-in-part")
	ruleQuoteExpression  = diag.ID("quote-expression")
	ruleSecretInManifest = diag.ID("secret-in-manifest")
	ruleTooDeep          = diag.ID("too-deep")
	ruleTooLarge         = diag.ID("too-large")
	ruleTooLong          = diag.ID("too-long")
	ruleTwoForms         = diag.ID("two-forms")
	ruleUnknownKey       = diag.ID("unknown-key")
	ruleWrongType        = diag.ID("wrong-type")
	ruleWrongValue       = diag.ID("wrong-value")
	ruleYAMLAlias        = diag.ID("yaml-alias")
	ruleYAMLDocuments    = diag.ID("yaml-documents")
	ruleYAMLSyntax       = diag.ID("yaml-syntax")
)

// Rules are the findings of this package.
var Rules = []diag.Rule{
	{ID: ruleBadName, Summary: "A name has the form that its place asks for.", Why: "Names become parts of addresses, generated code and wire documents, where other letters are not possible.", Fix: "Write the name in the form that the finding states."},
	{ID: RuleControlCharacter, Summary: "Texts hold no control characters, and none that nobody sees.", Why: "Such characters are invisible to people, and models read them; or they make a text look like another one. What an inherited text of a document holds counts as well.", Fix: "Remove the character, or write the text yourself; a line break is allowed in prose only. An emoji may be followed by one selector of its style, and joiners are right where writing needs them."},
	{ID: RuleDuplicateKey, Summary: "A key is written once.", Why: "YAML readers disagree about which of two equal keys counts, and of two files with one name nobody could say which is meant.", Fix: "Keep one of the two."},
	{ID: RuleMissingKey, Summary: "A required key is there.", Why: "There is no sensible default for it.", Fix: "Add the key."},
	{ID: RuleNotSupportedYet, Summary: "A key has a meaning that is not built yet.", Why: "The key is reserved, so that nobody gives it another meaning; silently ignoring it would be a trap.", Fix: "Leave the key out for now."},
	{ID: rulePart, Summary: "A file that is included holds tools and what they use.", Why: "What a package is, and by which rules it is judged, is said once; and which files belong to it can be seen in one place.", Fix: "Move the key into the manifest."},
	{ID: ruleQuoteExpression, Summary: "A value with an expression is quoted where YAML needs it.", Why: "Braces, \": \", \" #\" and a leading \"!\" have a meaning of their own in YAML.", Fix: "Write the value in single quotes, and use double quotes inside the expression."},
	{ID: ruleSecretInManifest, Summary: "The manifest holds no credentials.", Why: "The manifest is committed and shared.", Fix: "Declare an environment variable under env and refer to it; revoke a secret that was committed."},
	{ID: ruleTooDeep, Summary: "The manifest is nested at most 100 levels deep.", Why: "Deeper nesting is an attack or an accident.", Fix: "Flatten the value."},
	{ID: ruleTooLarge, Summary: "The manifest has at most 16 MiB and 1000000 keys and values, with all files that it includes.", Why: "Larger files are an accident.", Fix: "Split the tools over several packages."},
	{ID: ruleTooLong, Summary: "Descriptions fit into all protocols, and into a prompt.", Why: "Protocols refuse texts that are longer, and every prompt pays for their length; between 1024 and 1999 characters it is a warning.", Fix: "Shorten the text."},
	{ID: ruleTwoForms, Summary: "A tool has either steps or its only call written directly on it.", Why: "With both, the order of the calls would be a guess.", Fix: "Move the call into a step."},
	{ID: ruleUnknownKey, Summary: "Only keys that sculpt knows are written.", Why: "A misspelt key would be ignored.", Fix: "Write one of the keys that the finding lists."},
	{ID: ruleWrongType, Summary: "A value has the type that its key asks for.", Why: "YAML readers disagree about values such as yes, 012 and 1_000; sculpt reads JSON's spelling only and converts nothing.", Fix: "Write the value in the form that the finding states."},
	{ID: ruleWrongValue, Summary: "A value is one of those that its key allows.", Why: "Any other value has no meaning.", Fix: "Write one of the allowed values."},
	{ID: ruleYAMLAlias, Summary: "Anchors and aliases are not used.", Why: "They hide where a value comes from, and a few lines of them can grow to gigabytes.", Fix: "Write the value again, or make it a constant."},
	{ID: ruleYAMLDocuments, Summary: "The file holds one YAML document.", Why: "Further documents would be ignored.", Fix: "Remove the line with --- or split the file."},
	{ID: ruleYAMLSyntax, Summary: "The manifest is YAML.", Why: "Nothing can be read from it otherwise.", Fix: "Correct the place that the finding marks."},
}
