package resolve

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// Rules documents the rule ids that only this package reports. It also reports
// ids of packages manifest and expr, where a fault of the same kind is found
// with more knowledge.
var Rules = slices.Concat(rules, wireRules)

var rules = []diag.Rule{
	{ID: "caller-value-leaves", Summary: "Values of the caller stay between caller and backend.", Why: "Outputs and messages are read by a model; credentials and identities do not belong there.", Fix: "Bind the value to a parameter only."},
	{ID: "constant-comparison", Severity: diag.Warning, Summary: "A comparison can come out either way.", Why: "One that cannot is a slip, or says nothing.", Fix: "Compare something else, or remove it."},
	{ID: "cycle", Summary: "Steps and lets do not wait for each other in a circle.", Why: "None of them could be the first.", Fix: "Use the answer of an earlier step."},
	{ID: "duplicate-id", Summary: "Ids are unique: of tools in a manifest, of inputs in a tool.", Why: "Callers tell versions apart by id.", Fix: "Give one of them another id."},
	{ID: "duplicate-mcp-header", Summary: "Inputs of a tool are repeated in headers of different names, whatever their case.", Why: "Clients of MCP leave out a tool with two equal ones.", Fix: "Give one of them another name."},
	{ID: "duplicate-name", Summary: "Steps, lets and constants share one namespace.", Why: "Expressions read them all by their bare name.", Fix: "Use another name."},
	{ID: "env-value-leaves", Summary: "Values of the configuration stay between program and backend.", Why: "Outputs and messages are read by a model; configuration may be secret.", Fix: "Bind the value to a parameter only."},
	{ID: "enum-names-collapse", Summary: "Upstream values give different enum names.", Why: "A2T names are upper snake case; the model could not choose between two equal ones.", Fix: "Write values: with send: for each."},
	{ID: "enum-without-texts", Severity: diag.Warning, Summary: "Inherited enum values have texts.", Why: "The model chooses by the text of a value.", Fix: "Write values: with a text for each."},
	{ID: "fragile-mcp-header", Severity: diag.Warning, Summary: "A header that repeats an input has a name and a length that gateways let pass.", Why: "A call whose header was lost on the way is refused.", Fix: "Use letters, digits and - in mcp_header:, and a max_length: of at most 1000."},
	{ID: "input-exceeds-target", Severity: diag.Warning, Summary: "An input that is passed on allows no more than its target.", Why: "Callers keep to the bounds that they are told, and the service would refuse them.", Fix: "Narrow the bounds of the input."},
	{ID: "integer-division", Severity: diag.Warning, Summary: "Ints are not divided by ints.", Why: "The rest is lost: 1 / 2 is 0.", Fix: "Write double(...) around one side."},
	{ID: "no-credential", Severity: diag.Warning, Summary: "An operation that wants a credential gets one.", Why: "The service would refuse every call.", Fix: "Name the security scheme under auth: of the api."},
	{ID: "not-assignable", Summary: "A value fits the parameter, member or output it goes to.", Why: "The service would refuse the call, or read something else than was meant.", Fix: "Convert the value, or bind another one."},
	{ID: "over-deadline", Severity: diag.Warning, Summary: "The steps of a tool fit into its deadline at worst.", Why: "A tool that is cut off has done work for nothing, and its caller does not learn which step was slow.", Fix: "Give its steps shorter timeouts, or the tool a longer one."},
	{ID: "programmatic-output", Severity: diag.Warning, Summary: "Outputs are for models and people (A2T 3.1.1).", Why: "Ids, tokens and links cost tokens, are mangled, and mean nothing to a reader.", Fix: "Leave it out."},
	{ID: "reserved-name", Summary: "Steps, lets and constants are not named like words of the expression language.", Why: "Expressions could not read them.", Fix: "Use another name."},
	{ID: "secret-crosses-apis", Summary: "A secret or variable of one api is not sent to another.", Why: "A service could act in the name of its neighbour's customer.", Fix: "Declare another variable for this api."},
	{ID: "too-many-calls", Severity: diag.Warning, Summary: "One call of a tool makes few calls of its backends.", Why: "One caller could wear out the quota of all.", Fix: "Lower max:, or split the tool."},
	{ID: "unbound-body", Summary: "A required request body is written.", Why: "The service would refuse every call.", Fix: "Add body:."},
	{ID: "unbound-member", Summary: "Every required member of a request body is bound.", Why: "The service would refuse every call.", Fix: "Bind the member."},
	{ID: "unbound-parameter", Summary: "Every required parameter of an operation is bound, and every input of a flow.", Why: "The service would refuse every call.", Fix: "Bind the parameter under with:."},
	{ID: "unbounded-input", Severity: diag.Warning, Summary: "Inputs state their bounds.", Why: "The defaults of A2T hold otherwise, which are seldom what is meant.", Fix: "Add max_length:, or min: and max:."},
	{ID: "unguarded-pick", Severity: diag.Warning, Summary: "A list is known to have an element where an output takes its first one.", Why: "Callers get no_result otherwise, without a word why.", Fix: "Add an expect: with size() > 0 and a message, or write [?0]."},
	{ID: "unknown-api", Summary: "A call names an api of the manifest.", Why: "Nothing else says which document and which server are meant.", Fix: "Use a name under apis:."},
	{ID: "unknown-body", Summary: "A body is sent only where the operation takes one.", Why: "The service would ignore or refuse it.", Fix: "Remove body:."},
	{ID: "unknown-env", Summary: "Environment variables are declared.", Why: "The program refuses to start where one is missing, so it has to know them all.", Fix: "Declare the variable under env:."},
	{ID: "unknown-flow", Summary: "A step names a flow of the manifest.", Why: "Nothing else says what it runs.", Fix: "Use a name under flows:."},
	{ID: "unknown-input", Summary: "Examples fill in inputs of their tool, steps those of their flow.", Why: "Nobody would read the value.", Fix: "Use an input of the tool or flow."},
	{ID: "unknown-member", Summary: "Members of a request body are those of its schema.", Why: "The service would ignore or refuse others.", Fix: "Use a member of the schema."},
	{ID: "unknown-parameter", Summary: "Bound parameters are those of the operation.", Why: "The service would ignore others.", Fix: "Use a parameter of the operation."},
	{ID: "unknown-scheme", Summary: "auth: names security schemes of the document.", Why: "Only the scheme says how a credential is sent.", Fix: "Use a security scheme of the document."},
	{ID: "unknown-tool", Summary: "Prerequisites name tools of the package.", Why: "Planners would look for a tool that nobody serves.", Fix: "Use the name of another tool."},
	{ID: "unused-let", Severity: diag.Warning, Summary: "Lets are read.", Why: "What nobody reads is a slip or a left-over.", Fix: "Remove it."},
	{ID: "unused-step", Severity: diag.Warning, Summary: "Answers of reads are read.", Why: "The call costs time and tells nothing.", Fix: "Remove the step, or read its answer."},
	{ID: "unused-flow", Severity: diag.Warning, Summary: "A flow is used by a tool.", Why: "What nobody uses is not checked.", Fix: "Remove it, or use it in a step."},
	{ID: "whole-object-output", Summary: "Outputs list what they pass on.", Why: "A tool publishes what its manifest says, not what its backend may send tomorrow.", Fix: `List the members: {"name": x.name}.`},
	{ID: "wrong-address", Summary: "A call names an operation.", Why: "It is api.operationId, or the api, a method and a path.", Fix: "Write api.operationId, or 'api GET /path'."},
	{ID: "wrong-attempts", Summary: "A call is tried one to three times.", Why: "More attempts would make an outage worse.", Fix: "Write a number from 1 to 3."},
	{ID: "wrong-auth", Summary: "auth: says where a credential comes from.", Why: "Credentials are not written into manifests.", Fix: "Write env:NAME, file:PATH or caller."},
	{ID: "wrong-base-url", Summary: "A base URL is an absolute http or https URL.", Why: "Paths of operations are put behind it.", Fix: "Write https://host or https://host/path."},
	{ID: "wrong-bounds", Summary: "Bounds are whole numbers, the lower one not above the upper.", Why: "No value would be allowed.", Fix: "Correct the bounds."},
	{ID: "wrong-code", Summary: "Error codes are lower snake case.", Why: "Callers compare them.", Fix: "Write code: no_such_place or the like."},
	{ID: "wrong-default", Summary: "A default is a value that its input accepts.", Why: "Calls without the input would fail.", Fix: "Write a value that the input accepts."},
	{ID: "wrong-duration", Summary: "A duration is more than nothing and at most an hour, that of a cache a day.", Why: "Nobody waits longer, and older answers are wrong too often.", Fix: "Write a time such as 10s or 500ms."},
	{ID: "wrong-effect", Summary: "Stated effects are not milder than those of the calls, and do not contradict each other.", Why: "Callers decide by them whether to ask a human first.", Fix: "State effect: with because: at the step, or the more cautious one of two effects."},
	{ID: "wrong-example", Summary: "Examples are calls that the tool accepts.", Why: "Models copy them.", Fix: "Write values that the inputs accept."},
	{ID: "wrong-header", Summary: "Headers of an api hold text and ${env.NAME}.", Why: "They are the same for every call.", Fix: "Bind the header in a step."},
	{ID: "wrong-id", Summary: "The id of a tool is a UUID (A2T 6.1).", Why: "It is the same in all versions and in all catalogues.", Fix: "Remove id:, or write a UUID."},
	{ID: "wrong-pattern", Summary: "Patterns are regular expressions that RE2 and ECMA-262 both know.", Why: "The run time and the clients check them.", Fix: "Leave out lookarounds and back references."},
	{ID: "wrong-retry", Summary: "retry: of an error is never, same or changed.", Why: "Other words have no meaning to callers.", Fix: "Write never, same or changed."},
	{ID: "wrong-status", Summary: "An error case is a status of an answer that failed.", Why: "Answers that succeed are judged by expect:.", Fix: "Write 404, 4xx, default or '404 InvalidPoint'."},
}
