package resolve

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// The rule ids of this package.
var (
	ruleAmbiguousCredential = diag.ID("ambiguous-credential")
	ruleAmbiguousVariant    = diag.ID("ambiguous-variant")
	ruleCallerValueLeaves   = diag.ID("caller-value-leaves")
	ruleConstantComparison  = diag.ID("constant-comparison")
	ruleCredentialClash     = diag.ID("credential-clash")
	ruleCycle               = diag.ID("cycle")
	ruleDeprecatedOperation = diag.ID("deprecated-operation")
	ruleDuplicateID         = diag.ID("duplicate-id")
	ruleDuplicateMCPHeader  = diag.ID("duplicate-mcp-header")
	ruleDuplicateName       = diag.ID("duplicate-name")
	ruleEnumNamesCollapse   = diag.ID("enum-names-collapse")
	ruleEnumWithoutTexts    = diag.ID("enum-without-texts")
	ruleEnvValueLeaves      = diag.ID("env-value-leaves")
	ruleFixedParameter      = diag.ID("fixed-parameter")
	ruleFragileMCPHeader    = diag.ID("fragile-mcp-header")
	ruleInputExceedsTarget  = diag.ID("input-exceeds-target")
	ruleIntegerDivision     = diag.ID("integer-division")
	ruleJoinedByIndex       = diag.ID("joined-by-index")
	ruleManyOptional        = diag.ID("many-optional-inputs")
	ruleNestedLoops         = diag.ID("nested-loops")
	ruleNoCredential        = diag.ID("no-credential")
	ruleNoServer            = diag.ID("no-server")
	ruleNoVariant           = diag.ID("no-variant")
	ruleNoWireForm          = diag.ID("no-wire-form")
	ruleNotAssignable       = diag.ID("not-assignable")
	ruleNotEnglish          = diag.ID("not-english")
	ruleOverDeadline        = diag.ID("over-deadline")
	ruleProgrammaticOutput  = diag.ID("programmatic-output")
	ruleReservedName        = diag.ID("reserved-name")
	ruleSecretCrossesAPIs   = diag.ID("secret-crosses-apis")
	ruleServerReplaced      = diag.ID("server-replaced")
	ruleSuspiciousText      = diag.ID("suspicious-text")
	ruleTooManyCalls        = diag.ID("too-many-calls")
	ruleUnboundBody         = diag.ID("unbound-body")
	ruleUnboundMember       = diag.ID("unbound-member")
	ruleUnboundParameter    = diag.ID("unbound-parameter")
	ruleUnboundedInput      = diag.ID("unbounded-input")
	ruleUnguardedPick       = diag.ID("unguarded-pick")
	ruleUnknownAPI          = diag.ID("unknown-api")
	ruleUnknownBody         = diag.ID("unknown-body")
	ruleUnknownEnv          = diag.ID("unknown-env")
	ruleUnknownFlow         = diag.ID("unknown-flow")
	ruleUnknownInput        = diag.ID("unknown-input")
	ruleUnknownMember       = diag.ID("unknown-member")
	ruleUnknownParameter    = diag.ID("unknown-parameter")
	ruleUnknownScheme       = diag.ID("unknown-scheme")
	ruleWrongDate           = diag.ID("wrong-date")
	ruleUnknownOutcome      = diag.ID("unknown-outcome")
	ruleUnknownTool         = diag.ID("unknown-tool")
	ruleUnusedCredential    = diag.ID("unused-credential")
	ruleUnusedFlow          = diag.ID("unused-flow")
	ruleUnusedLet           = diag.ID("unused-let")
	ruleUnusedStep          = diag.ID("unused-step")
	ruleWholeObjectOutput   = diag.ID("whole-object-output")
	ruleWrongAddress        = diag.ID("wrong-address")
	ruleWrongAuth           = diag.ID("wrong-auth")
	ruleServerVariable      = diag.ID("wrong-server-variable")
	ruleUnknownVariable     = diag.ID("unknown-server-variable")
	ruleWrongBaseURL        = diag.ID("wrong-base-url")
	ruleWrongBounds         = diag.ID("wrong-bounds")
	ruleWrongCommand        = diag.ID("wrong-command")
	ruleWrongCollect        = diag.ID("wrong-collect")
	ruleWrongDefault        = diag.ID("wrong-default")
	ruleWrongDuration       = diag.ID("wrong-duration")
	ruleWrongEffect         = diag.ID("wrong-effect")
	ruleWrongExample        = diag.ID("wrong-example")
	ruleWrongHeader         = diag.ID("wrong-header")
	ruleWrongMedia          = diag.ID("wrong-media")
	ruleWrongPattern        = diag.ID("wrong-pattern")
	ruleWrongPoll           = diag.ID("wrong-poll")
	ruleWrongStatus         = diag.ID("wrong-status")
)

// Rules documents the rule ids that only this package reports. It also reports
// ids of packages manifest and expr, where a fault of the same kind is found
// with more knowledge.
var Rules = slices.Concat(rules, wireRules)

var rules = []diag.Rule{
	{ID: ruleCallerValueLeaves, Summary: "Values of the caller stay between caller and backend.", Why: "Outputs and messages are read by a model; credentials and identities do not belong there.", Fix: "Bind the value to a parameter only."},
	{ID: ruleConstantComparison, Severity: diag.Warning, Summary: "A comparison can come out either way.", Why: "One that cannot is a slip, or says nothing.", Fix: "Compare something else, or remove it."},
	{ID: ruleCycle, Summary: "Steps and lets do not wait for each other in a circle.", Why: "None of them could be the first.", Fix: "Use the answer of an earlier step."},
	{ID: ruleDuplicateID, Summary: "Ids are unique: of tools in a manifest, of inputs in a tool.", Why: "Callers tell versions apart by id.", Fix: "Give one of them another id."},
	{ID: ruleDuplicateMCPHeader, Summary: "Inputs of a tool are repeated in headers of different names, whatever their case.", Why: "Clients of MCP leave out a tool with two equal ones.", Fix: "Give one of them another name."},
	{ID: ruleDuplicateName, Summary: "Steps, lets and constants share one namespace.", Why: "Expressions read them all by their bare name.", Fix: "Use another name."},
	{ID: ruleEnvValueLeaves, Summary: "Values of the configuration stay between program and backend.", Why: "Outputs and messages are read by a model; configuration may be secret.", Fix: "Bind the value to a parameter only."},
	{ID: ruleEnumNamesCollapse, Summary: "Upstream values give different enum names.", Why: "A2T names are upper snake case; the model could not choose between two equal ones.", Fix: "Write values: with send: for each."},
	{ID: ruleEnumWithoutTexts, Severity: diag.Warning, Summary: "Inherited enum values have texts.", Why: "The model chooses by the text of a value.", Fix: "Write values: with a text for each."},
	{ID: ruleFragileMCPHeader, Severity: diag.Warning, Summary: "A header that repeats an input has a name and a length that gateways let pass.", Why: "A call whose header was lost on the way is refused.", Fix: "Use letters, digits and - in mcp_header:, and a max_length: of at most 1000."},
	{ID: ruleInputExceedsTarget, Severity: diag.Warning, Summary: "An input that is passed on allows no more than its target.", Why: "Callers keep to the bounds that they are told, and the service would refuse them.", Fix: "Narrow the bounds of the input."},
	{ID: ruleIntegerDivision, Severity: diag.Warning, Summary: "Ints are not divided by ints.", Why: "The rest is lost: 1 / 2 is 0.", Fix: "Write double(...) around one side."},
	{ID: ruleJoinedByIndex, Summary: "Lists of which one leaves out elements are not joined by the number of an element.", Why: "From the first one that is left out, everything is paired with what belongs to another.", Fix: "Read item and value of the elements of the step."},
	{ID: ruleManyOptional, Severity: diag.Warning, Summary: "A tool has at most five optional inputs.", Why: "Models fill in what nobody asked for, and the more there is the more they do.", Fix: "Make two tools of it, or choose for the model."},
	{ID: ruleNestedLoops, Severity: diag.Warning, Summary: "At most two lists without a bound are gone over inside each other.", Why: "Their lengths multiply: three lists of a thousand elements are a thousand million turns, and the call ends at its deadline without an answer.", Fix: "Bound one of the lists with take(n), or compare two lists at a time: a let with what two of them give is gone over once."},
	{ID: ruleNoCredential, Severity: diag.Warning, Summary: "An operation that wants a credential gets one.", Why: "The service would refuse every call.", Fix: "Name the security scheme under auth: of the api."},
	{ID: ruleNoVariant, Summary: "A value that is sent is one of the variants (oneOf, anyOf) that its schema lists.", Why: "The service would refuse every call. A constant in the property of a discriminator chooses the variant.", Fix: "Bind what the variant wants."},
	{ID: ruleAmbiguousVariant, Severity: diag.Warning, Summary: "A value fits one variant of a oneOf and no other.", Why: "Services that check their schema refuse what fits two.", Fix: "Leave out what belongs to one of them, or correct the document with an overlay."},
	{ID: ruleNotAssignable, Summary: "A value fits the parameter, member or output it goes to.", Why: "The service would refuse the call, or read something else than was meant.", Fix: "Convert the value, or bind another one."},
	{ID: ruleNotEnglish, Severity: diag.Warning, Summary: "Descriptions are English (A2T 6.1).", Why: "Executors match them with what their users say, in one language. Languages are told by their small words, so a name may be mistaken.", Fix: "Write it in English, and the other languages under localization:."},
	{ID: ruleOverDeadline, Severity: diag.Warning, Summary: "The steps of a tool fit into its deadline at worst.", Why: "A tool that is cut off has done work for nothing, and its caller does not learn which step was slow.", Fix: "Give its steps shorter timeouts, or the tool a longer one."},
	{ID: ruleProgrammaticOutput, Severity: diag.Warning, Summary: "Outputs are for models and people (A2T 3.1.1).", Why: "Ids, tokens and links cost tokens, are mangled, and mean nothing to a reader.", Fix: "Leave it out."},
	{ID: ruleReservedName, Summary: "Steps, lets and constants are not named like words of the expression language.", Why: "Expressions could not read them.", Fix: "Use another name."},
	{ID: ruleSecretCrossesAPIs, Summary: "A secret or variable of one api is not sent to another.", Why: "A service could act in the name of its neighbour's customer.", Fix: "Declare another variable for this api."},
	{ID: ruleSuspiciousText, Severity: diag.Warning, Summary: "Texts describe, and do not instruct the model that reads them.", Why: "Models follow what they read in descriptions: a sentence in a document of somebody else can send them anywhere. Addresses count, for models open them.", Fix: "Write the text yourself, and say what it is and nothing else."},
	{ID: ruleTooManyCalls, Severity: diag.Warning, Summary: "One call of a tool makes few calls of its backends.", Why: "One caller could wear out the quota of all.", Fix: "Lower max:, or split the tool."},
	{ID: ruleUnboundBody, Summary: "A required request body is written.", Why: "The service would refuse every call.", Fix: "Add body:."},
	{ID: ruleUnboundMember, Summary: "Every required member of a request body is bound.", Why: "The service would refuse every call.", Fix: "Bind the member."},
	{ID: ruleUnboundParameter, Summary: "Every required parameter of an operation is bound, and every input of a flow.", Why: "The service would refuse every call.", Fix: "Bind the parameter under with:."},
	{ID: ruleUnboundedInput, Severity: diag.Warning, Summary: "Inputs state their bounds.", Why: "The defaults of A2T hold otherwise, which are seldom what is meant.", Fix: "Add max_length:, or min: and max:."},
	{ID: ruleUnguardedPick, Severity: diag.Warning, Summary: "A list is known to be long enough where an output takes its first element, or another one by number.", Why: "Callers get no_result otherwise, with no explanation.", Fix: "Add an expect: with size() > 0 and a message, or write [?0]; [1] needs size() > 1."},
	{ID: ruleUnknownAPI, Summary: "A call names an api of the manifest.", Why: "Nothing else says which document and which server are meant.", Fix: "Use a name under apis:."},
	{ID: ruleUnknownBody, Summary: "A body is sent only where the operation takes one.", Why: "The service would ignore or refuse it.", Fix: "Remove body:."},
	{ID: ruleUnknownEnv, Summary: "Environment variables are declared.", Why: "The program refuses to start where one is missing, so it has to know them all.", Fix: "Declare the variable under env:."},
	{ID: ruleUnknownFlow, Summary: "A step names a flow of the manifest.", Why: "Nothing else says what it runs.", Fix: "Use a name under flows:."},
	{ID: ruleUnknownInput, Summary: "Examples fill in inputs of their tool, steps those of their flow.", Why: "Nobody would read the value.", Fix: "Use an input of the tool or flow."},
	{ID: ruleUnknownMember, Summary: "Members of a request body are those of its schema.", Why: "The service would ignore or refuse others.", Fix: "Use a member of the schema."},
	{ID: ruleUnknownOutcome, Summary: "An error case of a call that changes something counts as missing a status after which nobody knows whether it did.",
		Why: "The chain would go on, and the caller be told, as if nothing had happened.", Fix: "Name the cases in which it has not happened, 4xx, and give the others a code and a message."},
	{ID: ruleUnknownParameter, Summary: "Bound parameters are those of the operation.", Why: "The service would ignore others.", Fix: "Use a parameter of the operation."},
	{ID: ruleUnknownScheme, Summary: "auth: names security schemes of the document.", Why: "Only the scheme says how a credential is sent.", Fix: "Use a security scheme of the document."},
	{ID: ruleUnknownTool, Summary: "Prerequisites, and what to use instead of a deprecated tool, are tools of the package.", Why: "Planners would look for a tool that nobody serves.", Fix: "Use the name of another tool."},
	{ID: ruleUnusedLet, Severity: diag.Warning, Summary: "Lets are read.", Why: "What nobody reads is a slip or a left-over.", Fix: "Remove it."},
	{ID: ruleUnusedStep, Severity: diag.Warning, Summary: "Answers of reads are read.", Why: "The call costs time and tells nothing.", Fix: "Remove the step, or read its answer."},
	{ID: ruleUnusedFlow, Severity: diag.Warning, Summary: "A flow is used by a tool.", Why: "What nobody uses is not checked.", Fix: "Remove it, or use it in a step."},
	{ID: ruleWholeObjectOutput, Summary: "Outputs list what they pass on.", Why: "A tool publishes what its manifest says, not what its backend may send tomorrow.", Fix: `List the members: {"name": x.name}.`},
	{ID: ruleWrongAddress, Summary: "A call names an operation.", Why: "It is api.operationId, or the api, a method and a path.", Fix: "Write api.operationId, or 'api GET /path'."},
	{ID: ruleWrongDate, Summary: "Dates exist, and a tool is deprecated before it ends.", Why: "Servers refuse to start with another day.", Fix: "Correct the day."},
	{ID: ruleWrongAuth, Summary: "auth: says where a credential comes from.", Why: "Credentials are not written into manifests.", Fix: "Write env:NAME, file:PATH or caller."},
	{ID: ruleWrongBaseURL, Summary: "A base URL is an absolute http or https URL.", Why: "Paths of operations are appended to it.", Fix: "Write https://host or https://host/path."},
	{ID: ruleWrongBounds, Summary: "Bounds are whole numbers, the lower one not above the upper.", Why: "No value would be allowed.", Fix: "Correct the bounds."},
	{ID: ruleWrongCommand, Summary: "Commands of patterns are those of the program, with the flags and variables that there are.", Why: "Agents copy them, and some run them without asking.", Fix: "Write a command as the program takes it."},
	{ID: ruleWrongCollect, Summary: "collect: says in exactly one way how the next page is asked for, and what its items are.", Why: "A page that is asked for wrongly is the first one again, or leaves items out.", Fix: "Write one of next:, link:, page: and offset:."},
	{ID: ruleWrongDefault, Summary: "A default is a value that its input accepts.", Why: "Calls without the input would fail.", Fix: "Write a value that the input accepts."},
	{ID: ruleWrongDuration, Summary: "A duration is more than nothing and at most an hour, that of a cache a day.", Why: "Nobody waits longer, and older answers are wrong too often.", Fix: "Write a time such as 10s or 500ms."},
	{ID: ruleWrongEffect, Summary: "Stated effects are not milder than those of the calls, and do not contradict each other.", Why: "Callers decide by them whether to ask a human first.", Fix: "State effect: with because: at the step, or the more cautious one of two effects."},
	{ID: ruleWrongExample, Summary: "Examples are calls that the tool accepts.", Why: "Models copy them.", Fix: "Write values that the inputs accept."},
	{ID: ruleWrongHeader, Summary: "Headers of an api hold text and ${env.NAME}.", Why: "They are the same for every call.", Fix: "Bind the header in a step."},
	{ID: ruleWrongPattern, Summary: "Patterns are regular expressions that RE2 and ECMA-262 both know.", Why: "The run time and the clients check them.", Fix: "Leave out lookarounds and back references."},
	{ID: ruleWrongPoll, Summary: "poll: makes one call again, for an answer that changes.", Why: "Nothing would come of it otherwise, or the same would be paid for again.", Fix: "Wait for the answer of a call that reads, in a step of its own."},
	{ID: ruleWrongStatus, Summary: "An error case is a status of an answer that failed.", Why: "Answers that succeed are judged by expect:.", Fix: "Write 404, 4xx, default or '404 InvalidPoint'."},
}
