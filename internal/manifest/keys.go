package manifest

import (
	"regexp"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/pattern"
)

// KeyType is the shape of a key's value.
type KeyType string

// The types of keys.
const (
	// Object has the keys that the table lists below it.
	Object KeyType = "object"
	// Map has entries with names of the vendor's choice; the row path.* tells
	// their type.
	Map KeyType = "map"
	// List has items; the row path.* tells their type.
	List KeyType = "list"
	// Text is prose, possibly with ${expressions} and line breaks.
	Text KeyType = "text"
	// Line is text without line breaks.
	Line KeyType = "line"
	// Expression is an expression without ${ }.
	Expression KeyType = "expression"
	Int        KeyType = "int"
	Bool       KeyType = "bool"
	// Duration is text such as 10s or 1m30s.
	Duration KeyType = "duration"
	// Literal is any scalar but null.
	Literal KeyType = "literal"
	// Any is a tree of scalars, lists and maps.
	Any KeyType = "any"
)

// Status says whether a key works.
type Status uint8

// The states of a key.
const (
	// Built keys work.
	Built Status = iota
	// Later keys have a meaning that is not built yet; using one is an error.
	Later
)

// A Share is what the plan of a release keeps of a key: see [Manifest.Excerpt].
// The digest of a plan tells whether a tool works as it did, so each key says
// on which side it is.
type Share uint8

// The shares. Keys below Work, Prose and Used need none.
const (
	// Undecided keys are below one that has a share.
	Undecided Share = iota
	// Work is kept as written, with all below it.
	Work
	// Prose is left out: it tells people and models something, or is about
	// versions.
	Prose
	// Dash is prose of which a manifest must have something: a dash, or 1.
	Dash
	// Mixed objects, maps and lists have shares below them; a short form that
	// is text becomes a dash.
	Mixed
	// Used maps keep the entries that the tool uses.
	Used
)

// A Form is how a name has to look.
type Form struct {
	// Noun completes "is not"; Words say how to write it.
	Noun, Words string
	// Pattern is a regular expression that both Go and JavaScript read alike.
	Pattern string
	// Longest is the most characters, 0 for no limit.
	Longest int
	// upper says that suggestions are in upper case.
	upper bool
	// pattern compiles it for the first name that is checked: most commands
	// check few forms, and some none.
	pattern func() *regexp.Regexp
}

// A Key is one row of the table of keys.
type Key struct {
	// Path is the key with its parents; * stands for an entry of a map or an
	// item of a list.
	Path string
	Type KeyType
	// Short is the type of a second, shorter form of an object.
	Short KeyType
	// Text says what the key means.
	Text     string
	Status   Status
	Required bool
	// Plan is what the plan of a release keeps of the key.
	Plan Share
	// Unless names a sibling that makes a required key optional.
	Unless string
	// Part says of a key of the manifest that the files it includes may have it.
	Part bool
	// Form is the form of a text, or of the names of a map's entries.
	Form *Form
	// Values are the only texts allowed.
	Values []string
	// Longest is the most characters of a text, 0 for no limit.
	Longest int
	// Least and Most bound an int; Most is 0 for none.
	Least, Most int64
}

func form(noun, expr, words string) *Form {
	return &Form{Noun: noun, Words: words, Pattern: expr, pattern: pattern.Of(expr)}
}

func upperForm(noun, pattern, words string) *Form {
	f := form(noun, pattern, words)
	f.upper = true
	return f
}

func longForm(noun, pattern, words string, longest int) *Form {
	f := form(noun, pattern, words)
	f.Longest = longest
	return f
}

var (
	packageForm    = form("a package name", `^[a-z][a-z0-9_]*$`, "write a lower-case Go package name")
	toolkitForm    = form("a toolkit name", `^[A-Za-z0-9_]+$`, "write letters, digits and _ only")
	uuidForm       = form("a UUID", `^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$`, "write a UUID such as 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11")
	toolForm       = longForm("a tool name", `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`, "write lower-case words with _ between, at most 54 characters", 54)
	snakeForm      = form("a name", `^[a-z][a-z0-9_]{0,63}$`, "write lower-case letters, digits and _, at most 64 characters")
	identifierForm = form("a name for expressions", `^[A-Za-z_][A-Za-z0-9_]*$`, "write letters, digits and _, not starting with a digit")
	envForm        = upperForm("an environment variable", `^[A-Z_][A-Z0-9_]*$`, "write upper-case letters, digits and _")
	enumForm       = upperForm("the name of an enum value", `^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`, "write upper-case words with _ between")
	headerForm     = form("a header name", "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", "write letters, digits and -")
	mirrorForm     = longForm("the name of a header", "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", "write letters, digits and -, at most 64 characters", 64)
	errorForm      = form("an error case", `^([2-5][0-9][0-9]|[2-5]xx|default)( [^ ]+)?$`, `write a status such as 404, 4xx or default, possibly with a problem type after it: "404 NotFound"`)
	codeForm       = form("an error code", `^[a-z][a-z0-9_]{0,63}$`, "write lower-case letters, digits and _, at most 64 characters")
	dateForm       = form("a date", `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`, "write YYYY-MM-DD")
	pageForm       = form("the address of a page", `^https?://[^ ]+$`, "write an address that begins with https://")
	imageForm      = form("the address of a picture", `^https://[^ ]+$`, "write an address that begins with https://")
	languageForm   = form("a language", `^[a-z]{2}(-[A-Z]{2})?$`, "write a language such as de or pt-BR")
	thingForm      = form("the kind of a thing", `^[^ \n\t]([^\n\t]*[^ \n\t])?$`, "write a word such as pull_request")
	typicalForm    = form("how long something mostly takes", `^[0-9]+-[0-9]+[smh]$`, "write two whole numbers and s, m or h, such as 1-5s")
	patternForm    = longForm("the name of a pattern", `^[a-z][a-z0-9]*([_-][a-z0-9]+)*$`, "write lower-case words with - or _ between, at most 64 characters", 64)
	variableForm   = form("a variable", `^env:[A-Z_][A-Z0-9_]*$`, "write env:NAME")
	scopeForm      = form("a scope", `^[!#-\[\]-~]+$`, "write it without blanks and quotes")
	issuerForm     = form("the name of an issuer", `^https?://[^ ?#]+$`, "write what the metadata of the server has as issuer, which begins with https://")
	endpointForm   = form("the address of an endpoint", `^https?://[^ #]+$`, "write an address that begins with https://")
	authForm       = form("a credential source", `^(env:[A-Z_][A-Z0-9_]*|file:.+|caller)$`, "write env:NAME, file:PATH or caller")
)

// policies are the names of the compatibility policies.
var policies = []string{"a2t", "letter", "client-safe"}

// Keys is the table of all keys of a manifest. The decoder, the editor schema
// and the documentation are made from it.
var Keys = slices.Concat(rootKeys, apiKeys, toolKeys, inputKeys, outputKeys,
	stepKeys("tools.*", "The call of a tool with a single step: ", false),
	stepKeys("tools.*.steps.*", "", true), flowKeys,
	stepKeys("flows.*.steps.*", "", true))

var rootKeys = []Key{
	{Path: "sculpt", Type: Int, Required: true, Least: 1, Most: 1, Plan: Work, Text: "The version of the manifest format; always 1."},
	{Path: "package", Type: Line, Required: true, Form: packageForm, Plan: Work, Text: "The name of the generated Go package."},
	{Path: "toolkit", Type: Line, Required: true, Form: toolkitForm, Plan: Work, Text: "The name of the group of tools in OTC, where a tool is Toolkit.ToolName."},
	{Path: "title", Type: Line, Plan: Prose, Text: "The title of the package for people."},
	{Path: "description", Type: Text, Longest: 200, Plan: Prose, Text: "What the tools are about, for agents that choose between servers; at most 200 characters."},
	{Path: "namespace", Type: Line, Required: true, Form: uuidForm, Plan: Work, Text: "The UUID that tool ids are derived from; written once and never changed."},
	{Path: "env", Type: Map, Part: true, Form: envForm, Plan: Used, Text: "The environment variables that the generated package reads."},
	{Path: "env.*", Type: Object, Text: "An environment variable."},
	{Path: "env.*.description", Type: Text, Text: "What the variable is for."},
	{Path: "env.*.default", Type: Text, Text: "The value when the variable is not set; without one the program refuses to start."},
	{Path: "apis", Type: Map, Part: true, Form: snakeForm, Plan: Used, Text: "The OpenAPI documents and how to reach their servers."},
	{Path: "constants", Type: Map, Part: true, Form: identifierForm, Plan: Used, Text: "Named literals for expressions: scalars, lists and maps."},
	{Path: "constants.*", Type: Any, Text: "A literal."},
	{Path: "tools", Type: Map, Required: true, Unless: "include", Part: true, Form: toolForm, Plan: Mixed, Text: "The tools, by name."},
	{Path: "flows", Type: Map, Part: true, Form: identifierForm, Plan: Used, Text: "Sequences of calls that several tools use."},
	{Path: "ignore", Type: List, Part: true, Plan: Prose, Text: "Warnings that are not shown. Errors cannot be ignored."},
	{Path: "ignore.*", Type: Object, Text: "A warning that is not shown."},
	{Path: "ignore.*.rule", Type: Line, Required: true, Text: "The id of the rule."},
	{Path: "ignore.*.at", Type: Line, Text: "Where, as the path of keys in the manifest: tools.find.outputs.id. Everywhere, unless stated."},
	{Path: "ignore.*.reason", Type: Text, Required: true, Text: "Why it is right as it is."},
	{Path: "include", Type: List, Plan: Prose, Text: "Files beside the manifest that hold parts of it: tools, and what they use."},
	{Path: "include.*", Type: Line, Required: true, Text: "The name of a file."},
	{Path: "client", Type: Bool, Plan: Prose, Text: "Whether the package has callers of its own tools as well, in client_gen.go: NewClient(address).LookupWeather(ctx, in), with the structs of the server; false, unless stated."},
	{Path: "go", Type: Any, Status: Later, Plan: Work, Text: "Settings of the generated Go code."},
	{Path: "rules", Type: Line, Values: []string{"a2t/1", "a2t/2"}, Plan: Prose, Text: "The rule set of defaults for new tools: a2t/2, unless stated; under a2t/1 a required text may be empty. A released tool keeps the set of its first release."},
	{Path: "policy", Type: Line, Values: policies, Plan: Prose, Text: "How strictly a new version is held against the released ones: a2t, unless stated."},
	{Path: "notice", Type: Int, Least: 1, Most: 3650, Plan: Prose, Text: "The days between the announcement that a tool ends and its end, at least; 90, unless stated."},
	{Path: "program", Type: Object, Plan: Prose, Text: "What an agent is told about the command line of the package beside its commands (ATIP 0.6)."},
	{Path: "program.setup", Type: Line, Text: "The command with which a person gets the credentials that the tools need: acme login."},
	{Path: "program.check", Type: Line, Text: "The command that says by its exit code whether the credentials are there."},
	{Path: "program.patterns", Type: Map, Form: patternForm, Text: "Common ways to use the commands together, by name (ATIP 3.9)."},
	{Path: "program.patterns.*", Type: Object, Text: "A sequence of commands."},
	{Path: "program.patterns.*.description", Type: Text, Required: true, Text: "What the pattern achieves."},
	{Path: "program.patterns.*.tags", Type: List, Text: "Words that group patterns."},
	{Path: "program.patterns.*.tags.*", Type: Line, Text: "A tag."},
	{Path: "program.patterns.*.variables", Type: Map, Form: snakeForm, Text: "What {name} means in the commands."},
	{Path: "program.patterns.*.variables.*", Type: Text, Text: "What to write for the variable."},
	{Path: "program.patterns.*.steps", Type: List, Required: true, Text: "The commands, in order."},
	{Path: "program.patterns.*.steps.*", Type: Object, Text: "A command line."},
	{Path: "program.patterns.*.steps.*.command", Type: Line, Required: true, Text: "The command line, of this program or of another: weather lookup-weather-by-city --city {city}."},
	{Path: "program.patterns.*.steps.*.description", Type: Text, Text: "What the command is for."},
	{Path: "program.patterns.*.executable", Type: Bool, Text: "Whether an agent may run the pattern without asking, once it has checked the variables and the effects of every command; false, unless stated."},
	{Path: "levels", Type: Map, Plan: Prose, Text: "What single rules of compatibility mean here, instead of what the policy says. Breaks of callers stay errors, and so does what guards the history."},
	{Path: "levels.*", Type: Line, Values: []string{"note", "warning", "error"}, Text: "The level of the rule."},
}

var apiKeys = slices.Concat(basicAPIKeys,
	grantKeys("client_credentials", "An access token for this program (RFC 6749 4.4)."),
	grantKeys("refresh_token", "An access token for who has agreed once (RFC 6749 6)."),
	grantKeys("token_exchange", "An access token for the token of the caller (RFC 8693)."),
	grantKeys("authorization_code", "An access token that each user agrees to (OAuth 2.1, with PKCE). A call without one answers with the address where they do, and the program keeps it: see upstream.Consent."))

// grantKeys are the keys of what a token endpoint is given.
func grantKeys(grant, text string) []Key {
	path := "apis.*.auth.*." + grant
	keys := []Key{
		{Path: path, Type: Object, Text: text},
		{Path: path + ".id", Type: Line, Required: true, Form: variableForm, Text: "The id of the client, as env:NAME."},
		{Path: path + ".secret", Type: Line, Required: grant == "client_credentials" || grant == "token_exchange", Form: variableForm, Text: "The secret of the client, as env:NAME."},
		{Path: path + ".scopes", Type: List, Text: "What the token is to be good for."},
		{Path: path + ".scopes.*", Type: Line, Form: scopeForm, Text: "A scope."},
		{Path: path + ".audience", Type: Line, Text: "The service that the token is for, where the endpoint wants to know."},
		{Path: path + ".token_url", Type: Line, Form: endpointForm, Text: "The token endpoint, instead of the one that the document names. The variable <API>_TOKEN_URL replaces both when a program starts."},
		{Path: path + ".send", Type: Line, Values: []string{"header", "body"}, Text: "Where id and secret go: in the header Authorization, unless stated, or in the body."},
	}
	if grant == "authorization_code" {
		keys = append(keys,
			Key{Path: path + ".authorization_url", Type: Line, Form: endpointForm, Text: "Where users agree, instead of the address that the document names. What it has in its query is sent along."},
			Key{Path: path + ".issuer", Type: Line, Form: issuerForm, Text: "The iss with which this server sends users back (RFC 9207), if it does: an answer without it, or with another one, is refused."})
	}
	if grant == "refresh_token" {
		keys = append(keys, Key{Path: path + ".token", Type: Line, Required: true, Form: variableForm, Text: "The refresh token to begin with, as env:NAME. One that replaces it is kept as long as the program runs."})
	}
	return keys
}

var basicAPIKeys = []Key{
	{Path: "apis.*", Type: Object, Text: "One OpenAPI document and how to reach its server."},
	{Path: "apis.*.openapi", Type: Line, Required: true, Text: "The path of the OpenAPI document, relative to the manifest."},
	{Path: "apis.*.overlays", Type: List, Text: "Documents of the OpenAPI Overlay Specification 1.0 or 1.1 that change the document, in this order: for one that is somebody else's."},
	{Path: "apis.*.overlays.*", Type: Line, Text: "The path of an overlay, relative to the manifest."},
	{Path: "apis.*.base_url", Type: Line, Text: "The address of the server, instead of all that the document names. The variable <API>_BASE_URL replaces both when a program starts."},
	{Path: "apis.*.servers", Type: Object, Text: "What the servers that the document names leave open."},
	{Path: "apis.*.servers.variables", Type: Map, Text: "The variables of servers, of the document, of paths and of operations: {tenant} in https://{tenant}.example.com. Those that are not here have the defaults of the document."},
	{Path: "apis.*.servers.variables.*", Type: Literal, Text: "The value of a variable, which may hold ${env.NAME}. It has to be in the enum of the document; without one it has to fit its place: a label of a host, a port, segments of a path."},
	{Path: "apis.*.headers", Type: Map, Form: headerForm, Text: "Headers that are sent with every request. A Content-Type chooses the media type of bodies."},
	{Path: "apis.*.headers.*", Type: Line, Text: "The value of a header; credentials come from ${env.NAME}."},
	{Path: "apis.*.auth", Type: Map, Text: "Where the credential of each security scheme comes from. The security of an operation says which of them its calls send; where the document is silent, the only one goes along."},
	{Path: "apis.*.auth.*", Type: Object, Short: Line, Form: authForm, Text: "Where the credential comes from: env:NAME, file:PATH or caller; or what a token endpoint gives an access token for."},
	{Path: "apis.*.timeout", Type: Duration, Text: "How long one request may take."},
	{Path: "apis.*.retry", Type: Object, Text: "How calls that are safe to repeat are repeated."},
	{Path: "apis.*.retry.attempts", Type: Int, Least: 1, Most: 3, Text: "How often a call is tried in all."},
}

var toolKeys = []Key{
	{Path: "tools.*", Type: Object, Plan: Mixed, Text: "A tool: what the model sees and how it is answered."},
	{Path: "tools.*.id", Type: Line, Form: uuidForm, Plan: Work, Text: "The id of the tool, instead of the one derived from the namespace and the name."},
	{Path: "tools.*.version", Type: Int, Required: true, Least: 1, Most: 1 << 30, Plan: Dash, Text: "The version of the tool: that of the newest release, or one more."},
	{Path: "tools.*.title", Type: Line, Plan: Prose, Text: "The title of the tool for people."},
	{Path: "tools.*.description", Type: Text, Required: true, Longest: mostDescription, Plan: Dash, Text: "What the tool does, for the model."},
	{Path: "tools.*.when_to_use", Type: Text, Plan: Prose, Text: "When the model should choose this tool, as words that may follow \"Use it when:\"; counts as part of the description."},
	{Path: "tools.*.tags", Type: List, Plan: Prose, Text: "Words that group tools."},
	{Path: "tools.*.tags.*", Type: Line, Text: "A tag."},
	{Path: "tools.*.allow", Type: Expression, Plan: Work, Text: "Who may call the tool, as a condition on the caller, without ${ }: caller.claims[?\"role\"].orValue(\"\") == \"editor\". It is judged before anything is asked, for all versions; other callers are refused."},
	{Path: "tools.*.inputs", Type: Map, Form: snakeForm, Plan: Mixed, Text: "What the model fills in."},
	{Path: "tools.*.steps", Type: Map, Form: identifierForm, Plan: Work, Text: "The backend calls, by the name under which expressions find the answer."},
	{Path: "tools.*.steps.*", Type: Object, Text: "A step: one backend call."},
	{Path: "tools.*.let", Type: Map, Form: identifierForm, Plan: Work, Text: "Named values for expressions. Each is computed where it is first needed, again only in a branch or check that runs side by side with it."},
	{Path: "tools.*.let.*", Type: Any, Text: "A value."},
	{Path: "tools.*.outputs", Type: Map, Form: snakeForm, Plan: Mixed, Text: "What the model gets."},
	{Path: "tools.*.examples", Type: List, Plan: Prose, Text: "Calls that show how the tool is meant."},
	{Path: "tools.*.examples.*", Type: Object, Text: "An example call."},
	{Path: "tools.*.examples.*.goal", Type: Text, Required: true, Text: "What the caller wants, in words."},
	{Path: "tools.*.examples.*.result", Type: Text, Text: "What the call gives, in words."},
	{Path: "tools.*.examples.*.inputs", Type: Map, Form: snakeForm, Text: "The inputs of the call."},
	{Path: "tools.*.examples.*.inputs.*", Type: Literal, Text: "The value of an input."},
	{Path: "tools.*.effects", Type: Object, Plan: Mixed, Text: "What the tool does to the world, where that is more than its calls tell. Its calls count as that too: one that must not be repeated is sent once."},
	{Path: "tools.*.effects.read_only", Type: Bool, Plan: Work, Text: "Whether nothing changes."},
	{Path: "tools.*.effects.idempotent", Type: Bool, Plan: Work, Text: "Whether a second, equal call changes nothing more."},
	{Path: "tools.*.effects.destructive", Type: Bool, Plan: Work, Text: "Whether something may be lost."},
	{Path: "tools.*.effects.reversible", Type: Bool, Plan: Work, Text: "Whether the change can be taken back."},
	{Path: "tools.*.effects.billable", Type: Bool, Plan: Work, Text: "Whether a call costs money; the calls of such a tool are sent once."},
	{Path: "tools.*.effects.creates", Type: List, Plan: Prose, Text: "The kinds of things that a call creates, such as pull_request."},
	{Path: "tools.*.effects.creates.*", Type: Line, Form: thingForm, Longest: 100, Text: "A kind of thing."},
	{Path: "tools.*.effects.modifies", Type: List, Plan: Prose, Text: "The kinds of things that a call changes."},
	{Path: "tools.*.effects.modifies.*", Type: Line, Form: thingForm, Longest: 100, Text: "A kind of thing."},
	{Path: "tools.*.effects.deletes", Type: List, Plan: Prose, Text: "The kinds of things that a call deletes; such a tool is destructive."},
	{Path: "tools.*.effects.deletes.*", Type: Line, Form: thingForm, Longest: 100, Text: "A kind of thing."},
	{Path: "tools.*.effects.cost", Type: Line, Values: []string{"free", "low", "medium", "high"}, Plan: Prose, Text: "What a call costs, roughly."},
	{Path: "tools.*.effects.duration", Type: Line, Form: typicalForm, Plan: Prose, Text: "How long a call mostly takes, from and to in one unit: 1-5s. What it takes at most is timeout."},
	{Path: "tools.*.image", Type: Line, Form: imageForm, Longest: 2000, Plan: Prose, Text: "The address of a picture of the tool, which A2T shows callers; part of a release."},
	{Path: "tools.*.author", Type: Line, Plan: Prose, Text: "Who makes the tool."},
	{Path: "tools.*.category", Type: Line, Plan: Prose, Text: "The category of the tool in catalogues."},
	{Path: "tools.*.homepage", Type: Line, Form: pageForm, Plan: Prose, Text: "A page about the tool."},
	{Path: "tools.*.success", Type: Text, Plan: Prose, Text: "The sentence that reports success, for documents that describe outputs in words."},
	{Path: "tools.*.deprecated", Type: Object, Plan: Prose, Text: "That the tool should no longer be used. Callers are told with every version; it needs no new one."},
	{Path: "tools.*.deprecated.since", Type: Line, Required: true, Form: dateForm, Text: "The day from which the tool is deprecated."},
	{Path: "tools.*.deprecated.sunset", Type: Line, Form: dateForm, Text: "The first day on which the tool is not served any more; callers rely on it once sculpt release has recorded it."},
	{Path: "tools.*.deprecated.use", Type: Line, Form: toolForm, Text: "The tool to use instead."},
	{Path: "tools.*.accept", Type: List, Plan: Prose, Text: "Breaking changes that are accepted, each with a reason, which the record of the release keeps."},
	{Path: "tools.*.accept.*", Type: Object, Text: "A breaking change that is accepted."},
	{Path: "tools.*.accept.*.rule", Type: Line, Required: true, Text: "The rule that reports the change, such as input-removed."},
	{Path: "tools.*.accept.*.at", Type: Line, Required: true, Text: "The part of the tool that changed, such as inputs.city."},
	{Path: "tools.*.accept.*.since", Type: Int, Least: 1, Most: 1 << 30, Text: "The oldest release that may be broken; 1, unless stated."},
	{Path: "tools.*.accept.*.reason", Type: Text, Required: true, Text: "Why callers can live with it."},
	{Path: "tools.*.accept.*.until", Type: Line, Form: dateForm, Text: "The last day on which the entry counts; for ever, unless stated."},
	{Path: "tools.*.freeze", Type: List, Plan: Prose, Text: "The released versions that keep the chain they were released with; the others run the chain of today."},
	{Path: "tools.*.freeze.*", Type: Int, Least: 1, Most: 1 << 30, Text: "A released version."},
	{Path: "tools.*.policy", Type: Line, Values: policies, Plan: Prose, Text: "How strictly new versions of the tool are held against the released ones; the policy of the manifest, unless stated."},
	{Path: "tools.*.localization", Type: Map, Form: languageForm, Plan: Prose, Text: "Texts in other languages, by language."},
	{Path: "tools.*.localization.*", Type: Object, Text: "The texts in one language."},
	{Path: "tools.*.localization.*.description", Type: Text, Required: true, Text: "What the tool does."},
	{Path: "tools.*.localization.*.when_to_use", Type: Text, Required: true, Text: "When the tool is the right one."},
	{Path: "tools.*.prerequisites", Type: Object, Plan: Prose, Text: "What has to be so before the tool is called. What the tool needs of its caller is added by itself."},
	{Path: "tools.*.prerequisites.tools", Type: List, Text: "Tools of this package that are called before."},
	{Path: "tools.*.prerequisites.tools.*", Type: Line, Form: toolForm, Text: "The name of a tool."},
	{Path: "tools.*.prerequisites.conditions", Type: List, Text: "Conditions that have to be met."},
	{Path: "tools.*.prerequisites.conditions.*", Type: Text, Text: "A condition."},
	{Path: "tools.*.feedback", Type: Object, Plan: Prose, Text: "By what one sees how a call is doing."},
	{Path: "tools.*.feedback.progress", Type: List, Text: "Signs that the tool is at work."},
	{Path: "tools.*.feedback.progress.*", Type: Text, Text: "A sign."},
	{Path: "tools.*.feedback.completion", Type: List, Text: "Signs that the call has ended well."},
	{Path: "tools.*.feedback.completion.*", Type: Text, Text: "A sign."},
}

var inputKeys = []Key{
	{Path: "tools.*.inputs.*", Type: Object, Plan: Mixed, Text: "An input; required and of type string unless it says otherwise."},
	{Path: "tools.*.inputs.*.id", Type: Line, Form: snakeForm, Plan: Work, Text: "The id that ties the input to its earlier versions; the name, unless stated."},
	{Path: "tools.*.inputs.*.type", Type: Line, Values: []string{"string", "int", "boolean"}, Plan: Work, Text: "string, int or boolean; an input with values is an enum."},
	{Path: "tools.*.inputs.*.description", Type: Text, Required: true, Unless: "from", Plan: Dash, Text: "What the model should fill in."},
	{Path: "tools.*.inputs.*.optional", Type: Bool, Plan: Work, Text: "Whether the input may be left out."},
	{Path: "tools.*.inputs.*.default", Type: Literal, Plan: Work, Text: "The value when the input is left out; makes it optional."},
	{Path: "tools.*.inputs.*.max_length", Type: Int, Plan: Work, Text: "The most characters of a string."},
	{Path: "tools.*.inputs.*.min_length", Type: Int, Plan: Work, Text: "The fewest characters of a string; unless stated, 1 where it is required, and 0 where not (and under rules a2t/1)."},
	{Path: "tools.*.inputs.*.pattern", Type: Line, Plan: Work, Text: "A regular expression that a string must match somewhere."},
	{Path: "tools.*.inputs.*.min", Type: Int, Least: minInt, Plan: Work, Text: "The smallest int."},
	{Path: "tools.*.inputs.*.max", Type: Int, Least: minInt, Plan: Work, Text: "The largest int."},
	{Path: "tools.*.inputs.*.values", Type: Map, Form: enumForm, Plan: Mixed, Text: "The allowed values of an enum, each with a text for the model."},
	{Path: "tools.*.inputs.*.values.*", Type: Object, Short: Text, Plan: Mixed, Text: "An allowed value: its text, or text and send."},
	{Path: "tools.*.inputs.*.values.*.text", Type: Text, Plan: Dash, Text: "What the value means."},
	{Path: "tools.*.inputs.*.values.*.send", Type: Literal, Plan: Work, Text: "The value that the backend wants; the name, unless stated."},
	{Path: "tools.*.inputs.*.mcp_header", Type: Line, Form: mirrorForm, Plan: Prose, Text: "The name under which clients of MCP repeat the input in a header, Mcp-Param-NAME, for gateways that choose by it."},
	{Path: "tools.*.inputs.*.from", Type: Object, Short: Line, Plan: Work, Text: "The upstream parameter whose text, bounds and enum the input takes over: api.operation.parameter, or call and parameter."},
	{Path: "tools.*.inputs.*.from.call", Type: Line, Required: true, Text: "The operation, as in a step."},
	{Path: "tools.*.inputs.*.from.parameter", Type: Line, Required: true, Text: "The name of the parameter."},
	{Path: "tools.*.inputs.*.from.in", Type: Line, Values: []string{"path", "query", "header", "cookie", "body"}, Text: "Where the parameter is, if the name alone is not clear."},
}

var outputKeys = []Key{
	{Path: "tools.*.outputs.*", Type: Object, Plan: Mixed, Text: "An output."},
	{Path: "tools.*.outputs.*.id", Type: Line, Form: snakeForm, Plan: Work, Text: "The id that ties the output to its earlier versions; the name, unless stated."},
	{Path: "tools.*.outputs.*.value", Type: Literal, Required: true, Plan: Work, Text: "The value: an expression in ${ } or a text that holds some."},
	{Path: "tools.*.outputs.*.description", Type: Text, Required: true, Plan: Dash, Text: "What the output means, for the model."},
	{Path: "tools.*.outputs.*.optional", Type: Bool, Plan: Work, Text: "Whether the output may be missing."},
	{Path: "tools.*.outputs.*.values", Type: Map, Plan: Mixed, Text: "The enum of the output: the upstream value and the name it gets."},
	{Path: "tools.*.outputs.*.values.*", Type: Object, Short: Line, Form: enumForm, Plan: Mixed, Text: "The name of an upstream value, or name and text."},
	{Path: "tools.*.outputs.*.values.*.name", Type: Line, Required: true, Form: enumForm, Plan: Work, Text: "The name that the model sees."},
	{Path: "tools.*.outputs.*.values.*.text", Type: Text, Plan: Dash, Text: "What the value means."},
	{Path: "tools.*.outputs.*.fallback", Type: Line, Form: enumForm, Plan: Work, Text: "The name of all upstream values that are not listed."},
	{Path: "tools.*.outputs.*.max_items", Type: Int, Least: 1, Plan: Work, Text: "The most items of a list that are passed on."},
	{Path: "tools.*.outputs.*.max_length", Type: Int, Least: 1, Plan: Work, Text: "The most characters of a text that are passed on."},
}

var flowKeys = []Key{
	{Path: "flows.*", Type: Object, Text: "A sequence of calls with inputs and results. A step of a tool runs it with flow: and with:, and reads step.result."},
	{Path: "flows.*.inputs", Type: Map, Form: snakeForm, Text: "What the flow is given."},
	{Path: "flows.*.inputs.*", Type: Object, Text: "An input of the flow."},
	{Path: "flows.*.inputs.*.type", Type: Line, Values: []string{"string", "int", "double", "boolean"}, Text: "string (the default), int, double or boolean."},
	{Path: "flows.*.steps", Type: Map, Form: identifierForm, Text: "The backend calls, by the name under which expressions of the flow find the answer."},
	{Path: "flows.*.steps.*", Type: Object, Text: "A step: one backend call."},
	{Path: "flows.*.let", Type: Map, Form: identifierForm, Text: "Named values for the expressions of the flow."},
	{Path: "flows.*.let.*", Type: Any, Text: "A value."},
	{Path: "flows.*.results", Type: Map, Required: true, Form: snakeForm, Text: "What the flow gives."},
	{Path: "flows.*.results.*", Type: Literal, Text: "A value: an expression in ${ }."},
	{Path: "tools.*.steps.*.flow", Type: Line, Form: identifierForm, Text: "The flow that the step runs, instead of a call; with: binds its inputs."},
}

// stepKeys lists the keys of a call at a path: those of a step, or those of a
// tool that has a single call.
func stepKeys(path, lead string, isStep bool) []Key {
	deadline := "How long the call may take."
	if !isStep {
		deadline = "How long the tool may take, all its calls together."
	}
	unless := ""
	if path == "tools.*.steps.*" {
		unless = "flow"
	}
	keys := []Key{
		{Path: path + ".call", Type: Line, Required: isStep, Unless: unless, Text: lead + "the operation, as api.operationId or 'api GET /path'."},
		{Path: path + ".with", Type: Map, Text: lead + "the parameters, by name."},
		{Path: path + ".with.*", Type: Any, Text: "The value of a parameter."},
		{Path: path + ".body", Type: Any, Text: lead + "the body, as a tree of literals and expressions."},
		{Path: path + ".media", Type: Line, Text: lead + "the media type that the body is sent as, one of those that the operation takes; a Content-Type of the api counts less."},
		{Path: path + ".expect", Type: List, Text: lead + "conditions that the answer must meet."},
		{Path: path + ".expect.*", Type: Object, Text: "A condition and the error if it is not met."},
		{Path: path + ".expect.*.check", Type: Expression, Required: true, Text: "The condition, without ${ }."},
		{Path: path + ".errors", Type: Map, Form: errorForm, Text: lead + "errors of the backend and what the caller is told."},
		{Path: path + ".errors.*", Type: Object, Text: "What the caller is told, or that the value is missing."},
		{Path: path + ".errors.*.missing", Type: Bool, Text: "That this is not an error: the value of the step is missing then."},
		{Path: path + ".errors.*.answer", Type: Any, Status: Later, Text: "Outputs that make the case an ordinary answer."},
		{Path: path + ".effect", Type: Line, Values: []string{"read", "idempotent"}, Text: lead + "that the call changes less than its method or effects: of the tool say."},
		{Path: path + ".because", Type: Text, Text: lead + "why the stated effect is true."},
		{Path: path + ".timeout", Type: Duration, Text: deadline},
		{Path: path + ".retry", Type: Object, Text: lead + "how it is repeated."},
		{Path: path + ".retry.attempts", Type: Int, Least: 1, Most: 3, Text: "How often the call is tried in all."},
		{Path: path + ".when", Type: Expression, Text: lead + "the condition under which it is made, without ${ }; otherwise its value is missing."},
		{Path: path + ".for_each", Type: Expression, Text: lead + "the list for each element of which it is made, without ${ }; with: reads item and index. The value is the list of the answers, or where an error case says missing: true, of {item, value} for each element that has one."},
		{Path: path + ".max", Type: Int, Least: 1, Most: 100, Text: lead + "the most calls that for_each makes; a longer list is an error."},
		{Path: path + ".collect", Type: Object, Text: lead + "how the pages of a list are put together; the value is the list of all items. A page is read under the name of the step. Exactly one of next, link, page and offset says how the next one is asked for; the timeout is that of all pages together."},
		{Path: path + ".collect.items", Type: Expression, Required: true, Text: "The list of the items of a page."},
		{Path: path + ".collect.until", Type: Expression, Text: "The condition on a page under which it is the last one."},
		{Path: path + ".collect.next", Type: Expression, Text: "The address of the next page, on the same origin; with parameter: what that gets. A page where it is missing or empty is the last one."},
		{Path: path + ".collect.parameter", Type: Line, Text: "The parameter of the query that gets next:, such as page_token."},
		{Path: path + ".collect.link", Type: Bool, Text: "That the Link header of a page names the next one (RFC 8288, rel=next)."},
		{Path: path + ".collect.page", Type: Line, Text: "The parameter of the query that counts pages. A page without items is the last one."},
		{Path: path + ".collect.offset", Type: Line, Text: "The parameter of the query that counts items. A page without items is the last one."},
		{Path: path + ".collect.max", Type: Int, Required: true, Least: 1, Most: 10_000, Text: "The most items; a longer list is an error, unless the tool wants fewer. At most 20 pages are read."},
		{Path: path + ".collect.partial", Type: Bool, Text: "That what was collected before a bound or a failing page is the value; http.STEP.partial says so."},
		{Path: path + ".poll", Type: Object, Text: lead + "that it is made again until its answer says that something is done; for calls that change nothing. Inside, the name of the step is that answer."},
		{Path: path + ".poll.until", Type: Expression, Required: true, Text: "The condition on the answer under which it is the value of the step."},
		{Path: path + ".poll.every", Type: Duration, Text: "How long to wait between two calls; 2s, unless stated. A longer Retry-After of the service counts."},
		{Path: path + ".poll.max", Type: Duration, Required: true, Text: "How long to wait in all; after that, the tool answers that it is not done yet, and may be called again."},
		{Path: path + ".cache", Type: Duration, Text: lead + "how long its answer may be used again, by every caller who asks the same; for calls that change nothing."},
		{Path: path + ".strict", Type: Bool, Text: lead + "that its answer is read and checked to the end, instead of up to the last member that is wanted."},
		{Path: path + ".response", Type: Any, Text: lead + "what the answer is, where the document does not say it: a list of documented statuses such as [200, default], or a schema, whose $ref lead into the document."},
	}
	keys = append(keys, failureKeys(path+".expect.*", "")...)
	keys = append(keys, failureKeys(path+".errors.*", "missing")...)
	for i := range keys {
		keys[i].Plan = Work
	}
	return keys
}

func failureKeys(path, unless string) []Key {
	return []Key{
		{Path: path + ".code", Type: Line, Required: true, Unless: unless, Form: codeForm, Text: "The code of the error."},
		{Path: path + ".message", Type: Text, Required: true, Unless: unless, Text: "The sentence for the model."},
		{Path: path + ".developer_message", Type: Text, Text: "The sentence for developers."},
		{Path: path + ".hint", Type: Text, Text: "What the model can do about it."},
		{Path: path + ".retry", Type: Line, Values: []string{"never", "same", "changed"}, Text: "Whether to call again: never, with the same inputs, or with changed ones."},
		{Path: path + ".retry_after", Type: Duration, Text: "How long to wait before calling again."},
	}
}
