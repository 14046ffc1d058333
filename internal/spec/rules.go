package spec

import "github.com/sculpt-tools/sculpt/internal/diag"

// The rule ids of this package.
var (
	RuleNotFound         = diag.ID("document-not-found")
	ruleTooLarge         = diag.ID("document-too-large")
	ruleTooDeep          = diag.ID("document-too-deep")
	ruleAliases          = diag.ID("yaml-aliases")
	ruleSeveralDocuments = diag.ID("several-documents")
	ruleSyntax           = diag.ID("document-syntax")
	ruleEncoding         = diag.ID("document-encoding")
	ruleNotOpenAPI       = diag.ID("not-openapi")
	ruleVersion          = diag.ID("openapi-version")
	ruleDuplicateKey     = diag.ID("duplicate-key")
	ruleUnknownOperation = diag.ID("unknown-operation")
	ruleUnknownAnswer    = diag.ID("unknown-answer")
	ruleAmbiguous        = diag.ID("ambiguous-operation")
	ruleBrokenOperation  = diag.ID("broken-operation")
	ruleDangling         = diag.ID("dangling-reference")
	ruleRemote           = diag.ID("remote-reference")
	ruleOutside          = diag.ID("reference-outside")
	ruleCycle            = diag.ID("reference-cycle")
	ruleSliceTooLarge    = diag.ID("slice-too-large")
	ruleListSchema       = diag.ID("list-schema")
	ruleNotSchema        = diag.ID("not-a-schema")
	ruleKeyword          = diag.ID("bad-keyword")
	ruleMissingItems     = diag.ID("missing-items")
	ruleInfoVersion      = diag.ID("info-version")
	ruleContradiction    = diag.ID("contradictory-schema")
	ruleTooComplex       = diag.ID("schema-too-complex")
	rulePathVariable     = diag.ID("path-variable")
	rulePathTemplate     = diag.ID("path-template")
	ruleParameter        = diag.ID("bad-parameter")
	ruleScheme           = diag.ID("unknown-security-scheme")
	ruleOverlay          = diag.ID("bad-overlay")
	ruleOverlayUnused    = diag.ID("unused-overlay")
)

// Rules lists every rule of this package.
var Rules = []diag.Rule{
	{ID: RuleNotFound, Severity: diag.Error, Summary: "An OpenAPI document cannot be read.",
		Why: "The manifest or a $ref names a file that is not there.", Fix: "Correct the path; it is relative to the file that names it."},
	{ID: ruleTooLarge, Severity: diag.Error, Summary: "The documents of an api are larger than 64 MB.",
		Why: "A limit keeps hostile documents from exhausting memory.", Fix: "Take the operations you need into a document of their own."},
	{ID: ruleTooDeep, Severity: diag.Error, Summary: "A document is nested deeper than 200 levels.",
		Why: "A limit keeps hostile documents from exhausting time and memory.", Fix: "Move nested schemas to components and use $ref."},
	{ID: ruleAliases, Severity: diag.Error, Summary: "YAML aliases stand for too much, or for themselves.",
		Why: "A few lines of aliases can stand for billions of values.", Fix: "Use $ref instead of YAML aliases."},
	{ID: ruleSeveralDocuments, Severity: diag.Error, Summary: "A file holds more than one document.",
		Why: "Most tools silently read the first one only.", Fix: "Keep one document in each file."},
	{ID: ruleSyntax, Severity: diag.Error, Summary: "A document is neither JSON nor YAML.",
		Why: "Nothing can be read from it.", Fix: "Fix the text at the named place."},
	{ID: ruleEncoding, Severity: diag.Error, Summary: "A document is not UTF-8.",
		Why: "Names in other encodings would be garbled.", Fix: "Save the file as UTF-8."},
	{ID: ruleNotOpenAPI, Severity: diag.Error, Summary: "A document is not an OpenAPI document.",
		Why: "It has neither `openapi` nor `swagger` at its top.", Fix: "Name an OpenAPI 3.0 or 3.1 or Swagger 2.0 document."},
	{ID: ruleVersion, Severity: diag.Note, Summary: "A document has an OpenAPI version that is not fully known.",
		Why: "Parts that only newer versions have are left out; an unknown major version is an error.", Fix: "Use OpenAPI 3.0 or 3.1."},
	{ID: ruleDuplicateKey, Severity: diag.Error, Summary: "An object in a wanted part of a document, or at its top, has the same key twice.",
		Why: "Readers disagree which of the two counts. Parts that no tool needs may be as they are.", Fix: "Delete one of them."},
	{ID: ruleUnknownAnswer, Severity: diag.Error, Summary: "The operation documents no JSON answer for a stated status.",
		Why: "The answer could not be typed.", Fix: "Name a status that the document lists with a schema, or write the schema."},
	{ID: ruleUnknownOperation, Severity: diag.Error, Summary: "The document has no such operation.",
		Why: "Operations are found by operationId, or by method and path as the document writes them.", Fix: "Take a name from the document."},
	{ID: ruleAmbiguous, Severity: diag.Error, Summary: "Two operations have the wanted operationId.",
		Why: "Ids should be unique; here they are not.", Fix: "Name the operation by method and path."},
	{ID: ruleBrokenOperation, Severity: diag.Error, Summary: "A wanted operation cannot be read.",
		Why: "The part of the document that describes it is broken beyond repair.", Fix: "Fix the document."},
	{ID: ruleDangling, Severity: diag.Warning, Summary: "A $ref leads nowhere.",
		Why: "A schema is taken as unknown then; a parameter, body or operation that is missing is an error.", Fix: "Correct the $ref."},
	{ID: ruleRemote, Severity: diag.Warning, Summary: "A $ref names a document on the network.",
		Why: "Documents are never fetched, so that a build is reproducible and safe.", Fix: "Store the document beside this one and refer to the file."},
	{ID: ruleOutside, Severity: diag.Warning, Summary: "A $ref leaves the module.",
		Why: "Only files inside the module are read.", Fix: "Move the document into the module."},
	{ID: ruleCycle, Severity: diag.Warning, Summary: "A $ref or allOf leads back to itself.",
		Why: "It says nothing then; the cycle is cut.", Fix: "Break the cycle."},
	{ID: ruleSliceTooLarge, Severity: diag.Error, Summary: "The wanted operations reach more than 20,000 components.",
		Why: "A limit keeps hostile documents from exhausting time and memory.", Fix: "Want fewer operations."},
	{ID: ruleListSchema, Severity: diag.Warning, Summary: "A list is where a schema belongs.",
		Why: "It is read as allOf of its elements, or anyOf under items.", Fix: "Write allOf, or one schema."},
	{ID: ruleNotSchema, Severity: diag.Warning, Summary: "Something else is where a schema belongs.",
		Why: "It is read as a schema that allows anything.", Fix: "Write a schema."},
	{ID: ruleKeyword, Severity: diag.Warning, Summary: "A keyword has a value that it cannot have.",
		Why: "The keyword is left out.", Fix: "Correct the value."},
	{ID: ruleMissingItems, Severity: diag.Warning, Summary: "A list schema has no items.",
		Why: "OpenAPI 3.0 demands items; elements are taken as unknown.", Fix: "Add items."},
	{ID: ruleInfoVersion, Severity: diag.Warning, Summary: "info.version is not a text.",
		Why: "Strict readers refuse the whole document.", Fix: "Put quotes around the version."},
	{ID: ruleContradiction, Severity: diag.Warning, Summary: "The branches of an allOf exclude each other.",
		Why: "No value can satisfy it; it is taken as unknown.", Fix: "Correct the type of one branch."},
	{ID: ruleTooComplex, Severity: diag.Warning, Summary: "Schemas are combined in too many ways.",
		Why: "A limit keeps hostile documents from exhausting time and memory; the rest is taken as unknown.", Fix: "Simplify nested oneOf, anyOf and allOf."},
	{ID: rulePathVariable, Severity: diag.Warning, Summary: "Path template and path parameters disagree.",
		Why: "A variable without a declaration is taken as a text; a parameter without a place in the path is dropped.", Fix: "Declare the variable, or correct its name."},
	{ID: rulePathTemplate, Severity: diag.Warning, Summary: "A path template has a brace without its partner.",
		Why: "The brace is taken as text.", Fix: "Close the brace."},
	{ID: ruleParameter, Severity: diag.Warning, Summary: "A parameter is incomplete.",
		Why: "A parameter needs a name and a place (in); without them it is dropped.", Fix: "Complete the parameter."},
	{ID: ruleScheme, Severity: diag.Warning, Summary: "A security requirement names a scheme that is not declared.",
		Why: "Nothing says how the credential is sent; the requirement is left out.", Fix: "Declare the scheme under components.securitySchemes."},
	{ID: ruleOverlay, Severity: diag.Error, Summary: "An overlay is a document of the OpenAPI Overlay Specification 1.0 or 1.1.",
		Why: "What cannot be applied would leave the document as it was, and nobody would see it.", Fix: "Correct the action at the named place."},
	{ID: ruleOverlayUnused, Severity: diag.Warning, Summary: "Every action of an overlay changes something.",
		Why: "A target that selects nothing is a slip, or the document was mended by its owner.", Fix: "Correct the target, or remove the action."},
}
