package spec

// A role is what an object of the document is. Names decide nothing by
// themselves: a property may be called "example" or "$ref".
type role uint8

const (
	// rawRole values are copied as they are, references in them not followed.
	rawRole role = iota
	dropRole
	operationRole
	parameterRole
	bodyRole
	responseRole
	mediaRole
	encodingRole
	schemaRole
	schemeRole
	flowRole
)

// sections are the parts of components that the roles live in; a role with a
// section may be a $ref.
var sections = [...]string{
	parameterRole: "parameters",
	bodyRole:      "requestBodies",
	responseRole:  "responses",
	schemaRole:    "schemas",
	schemeRole:    "securitySchemes",
}

// An arrangement says how values of a role are arranged under a key.
type arrangement uint8

const (
	one arrangement = iota
	list
	table
)

type place struct {
	role role
	as   arrangement
}

// grammar says for each role what its members are. Members that it does not
// name are raw; extensions are dropped. Keywords that say nothing about types
// (not, if, dependentSchemas and so on) stay raw on purpose: what they refer
// to is not read, but a change of them changes the digest.
var grammar = map[role]map[string]place{
	operationRole: {
		"parameters": {parameterRole, list}, "requestBody": {bodyRole, one}, "responses": {responseRole, table},
		"callbacks": {role: dropRole}, "tags": {role: dropRole}, "externalDocs": {role: dropRole},
	},
	parameterRole: {
		"schema": {schemaRole, one}, "content": {mediaRole, table}, "items": {schemaRole, one},
		"example": {role: dropRole}, "examples": {role: dropRole},
	},
	bodyRole: {"content": {mediaRole, table}},
	responseRole: {
		"content": {mediaRole, table}, "schema": {schemaRole, one},
		"headers": {role: dropRole}, "links": {role: dropRole}, "examples": {role: dropRole},
	},
	mediaRole: {
		"schema": {schemaRole, one}, "itemSchema": {schemaRole, one}, "encoding": {encodingRole, table},
		"example": {role: dropRole}, "examples": {role: dropRole},
	},
	encodingRole: {"headers": {role: dropRole}},
	schemaRole: {
		"properties": {schemaRole, table}, "additionalProperties": {schemaRole, one}, "patternProperties": {schemaRole, table},
		"items": {schemaRole, one}, "prefixItems": {schemaRole, list},
		"allOf": {schemaRole, list}, "anyOf": {schemaRole, list}, "oneOf": {schemaRole, list},
		"$defs": {role: dropRole}, "definitions": {role: dropRole}, "externalDocs": {role: dropRole},
		"example": {role: dropRole}, "examples": {role: dropRole}, "xml": {role: dropRole},
	},
	schemeRole: {"flows": {flowRole, table}, "scopes": {role: dropRole}},
	flowRole:   {"scopes": {role: dropRole}},
}
