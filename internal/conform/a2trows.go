package conform

import "strings"

// Reasons why something cannot be checked.
const (
	ofCallers = "it is the duty of callers"
	ofTaste   = "no program can judge it"
)

// a2tRows are draft-rosenberg-aiproto-a2t-00, by its sections.
var a2tRows = []Clause{
	{ID: "a2t-5.1-outputs", Level: Must, Section: "5.1", Plain: true,
		Gist: "a tool has one or more outputs, each with name, description and a type (string, int, boolean, enum, json)", check: a2tOutputs},
	{ID: "a2t-5.4-compatible", Level: Must, Section: "5.4", Plain: true,
		Gist: "a new version only adds optional inputs or outputs", check: a2tCompatible},
	{ID: "a2t-6.1-enumeration", Level: Must, Section: "6.1", Gist: "GET /tools is served", check: a2tEnumeration},
	{ID: "a2t-6.1-platform-root", Level: Should, Section: "6.1", Gist: "the platform root is the root of the vendor's API",
		Unchecked: "an address does not show where the vendor has its API"},
	{ID: "a2t-6.1-items", Level: Must, Section: "6.1", Plain: true, Gist: "the list is an object with the array items, whose elements are objects", check: a2tItems},
	{ID: "a2t-6.1-signature", Level: Must, Section: "6.1", Plain: true,
		Gist: "a signature has toolId, name, description, version, currentVersion, input_parameters and output_parameters", check: a2tSignature},
	{ID: "a2t-6.1-tool-id", Level: Must, Section: "6.1", Plain: true, Gist: "a toolId is a UUID that no other tool has", check: a2tToolID},
	{ID: "a2t-6.1-name-length", Level: Must, Section: "6.1", Gist: "names have fewer than 255 characters", check: a2tLength("name", 254)},
	{ID: "a2t-6.1-name-unique", Level: Must, Section: "6.1", Gist: "no two tools have one name", check: a2tNamesUnique},
	{ID: "a2t-6.1-name-snake-case", Level: Should, Section: "6.1", Gist: "names are in snake case", check: a2tSnakeCase},
	{ID: "a2t-6.1-name-descriptive", Level: Should, Section: "6.1", Plain: true, Gist: "names tell enough without the description", Unchecked: ofTaste},
	{ID: "a2t-6.1-description-length", Level: Must, Section: "6.1", Gist: "descriptions have fewer than 2000 characters", check: a2tLength("description", 1999)},
	{ID: "a2t-6.1-english", Level: Must, Section: "6.1", Gist: "names and descriptions are in English (checked: in Latin letters)", check: a2tEnglish},
	{ID: "a2t-6.1-locked", Level: Must, Section: "6.1", Gist: "nothing of the signature of a version changes but currentVersion (checked: it is the same at every route)", check: a2tLocked},
	{ID: "a2t-6.1-version-positive", Level: Must, Section: "6.1", Gist: "a version is a positive integer", check: a2tVersionPositive},
	{ID: "a2t-6.1-version-monotonic", Level: Must, Section: "6.1", Gist: "versions rise from 1", check: a2tVersionMonotonic},
	{ID: "a2t-6.1-latest", Level: Must, Section: "6.1", Gist: "the list has the newest version of each tool, which is its currentVersion", check: a2tLatest},
	{ID: "a2t-6.1-input-type", Level: Must, Section: "6.1", Plain: true, Gist: "the type of an input is string, int, boolean or enum; none means string", check: a2tInputType},
	{ID: "a2t-6.1-int-max", Level: Must, Section: "6.1", Plain: true, Gist: "the max of an input of type int is an integer", check: a2tIntMax},
	{ID: "a2t-6.1-allowed-values", Level: Must, Section: "6.1", Plain: true, Gist: "an enum has allowed-values, an array of names with descriptions", check: a2tAllowedValues},
	{ID: "a2t-6.1-enum-names", Level: Must, Section: "6.1", Gist: "names of enum values are in snake case, capitalised", check: a2tEnumNames},
	{ID: "a2t-6.1-enum-lengths", Level: Must, Section: "6.1", Plain: true, Gist: "enum values have names of up to 255 and descriptions of up to 2000 characters", check: a2tEnumLengths},
	{ID: "a2t-6.1-input-ids", Level: Must, Section: "6.1", Plain: true, Gist: "the ids of inputs are unique in their tool", check: a2tUnique("id")},
	{ID: "a2t-6.1-input-names", Level: Must, Section: "6.1", Plain: true, Gist: "the names of inputs are unique in their tool", check: a2tUnique("name")},
	{ID: "a2t-6.1-required", Level: Must, Section: "6.1", Plain: true, Gist: "required, where it is said of an input, is true or false", check: a2tRequired},
	{ID: "a2t-6.1-few-optional", Level: Should, Section: "6.1", Plain: true, Gist: "optional inputs are rare", Unchecked: ofTaste},
	{ID: "a2t-6.2-current", Level: Must, Section: "6.2", Gist: "GET /tools/{toolID} answers with the current version", check: a2tCurrent},
	{ID: "a2t-6.3-versions", Level: Must, Section: "6.3", Plain: true, Gist: "GET /tools/{toolID}/versions lists the signatures of all versions", check: a2tVersions},
	{ID: "a2t-6.3-order", Level: Must, Section: "6.3", Gist: "versions are listed from newest to oldest", check: a2tOrder},
	{ID: "a2t-6.3-version", Level: Must, Section: "6.3", Plain: true, Gist: "GET /tools/{toolID}/versions/{versionNum} answers with that version", check: a2tVersion},
	{ID: "a2t-6.4-paging", Level: Must, Section: "6.4", Plain: true, Gist: "lists have paging with pageLimit, an integer, and next, a text or nothing", check: a2tPaging},
	{ID: "a2t-6.4-limit", Level: Must, Section: "6.4", Plain: true, Gist: "a page has no more elements than pageLimit asks for", check: a2tLimit},
	{ID: "a2t-6.4-cursor", Level: Must, Section: "6.4", Plain: true, Gist: "pages that are joined by pageCursor hold every tool once", check: a2tCursor},
	{ID: "a2t-7-invoke", Level: Must, Section: "7", Plain: true, Gist: "POST /tools/{toolID}:invoke answers with output_parameters, an array of names and values", check: a2tInvoke},
	{ID: "a2t-7-output-names", Level: Must, Section: "7", Gist: "each output has the name that the signature gives it", check: a2tOutputNames},
	{ID: "a2t-7-output-types", Level: Must, Section: "7", Plain: true, Gist: "the values of outputs are of the types of the signature", check: a2tOutputTypes},
	{ID: "a2t-7-version", Level: Must, Section: "7", Plain: true, Gist: "POST /tools/{toolID}/versions/{versionId}:invoke calls that version", check: a2tInvokeVersion},
	{ID: "a2t-7-broken-request", Level: Must, Section: "7", Plain: true, Gist: "a request that is not JSON is answered with 4xx", check: a2tBroken},
	{ID: "a2t-7-bad-inputs", Level: Must, Section: "7", Plain: true, Gist: "inputs that the signature does not allow are answered with 4xx", check: a2tBadInputs},
	{ID: "a2t-7-retry", Level: Should, Section: "7", Gist: "after a 5xx the request is sent again", Unchecked: ofCallers},
}

// nactRows are draft-rosenberg-aiproto-nact-00: A2T under an older name, which
// speaks of pages and never describes them.
func nactRows() []Clause {
	var rows []Clause
	for _, c := range a2tRows {
		if c.Section != "6.4" {
			c.ID = "nact" + strings.TrimPrefix(c.ID, "a2t")
			rows = append(rows, c)
		}
	}
	return rows
}
