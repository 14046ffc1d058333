// Package operation holds what sculpt knows of one backend operation, as plain
// data: method, path, parameters with their styles, body, responses and
// security. Package spec fills it from OpenAPI documents; nothing of OpenAPI's
// own object model escapes into it.
//
// It imports diag, types and server only.
package operation

import (
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// An Operation is one method on one path of one api.
type Operation struct {
	// API is the name of the api in the manifest.
	API string
	// Method is upper case.
	Method string `json:"method"`
	// Path is the template as the document writes it: /points/{latitude},{longitude}.
	Path string `json:"path"`
	// ID is the operationId, "" if the document gives none.
	ID string `json:"operation_id,omitempty"`
	// Parts is the template taken apart, without query and fragment.
	Parts []PathPart
	// Query is what the template has after a question mark, without it: part
	// of every call. Mostly "".
	Query string
	// Server is the first server that applies: that of the operation, of its
	// path or of the document.
	Server Server
	// Params are path-level and operation-level parameters merged, in document
	// order. Header parameters that HTTP or OpenAPI reserve (Accept,
	// Content-Type, Authorization) are not among them.
	Params []*Param
	// Body is nil for operations without a request body.
	Body *Body
	// Responses are in document order.
	Responses []*Response
	// Security lists alternatives; each needs all of its schemes, and one
	// without schemes needs no credential. Empty means that none is wanted, nil
	// that the document does not say.
	Security [][]string
	// Summary and Description come from the document.
	Summary, Description string
	Deprecated           bool
	// Span is the place of the operation in its document.
	Span diag.Span
	// Variant is not "" where the manifest says what the answer is, instead of
	// the document; it tells such operations apart.
	Variant string
	// Digest is the SHA-256 of the sliced document of this operation alone:
	// it changes when anything the operation can reach changes.
	Digest string
}

// A PathPart is a literal piece of a path template or a parameter.
type PathPart struct {
	Literal string
	// Param is the parameter's name, "" for a literal.
	Param string
}

// In is where a parameter travels.
type In string

// The places of parameters.
const (
	Path   In = "path"
	Query  In = "query"
	Header In = "header"
	Cookie In = "cookie"
)

// A Param is one parameter of an operation.
type Param struct {
	Name     string      `json:"name"`
	In       In          `json:"in"`
	Required bool        `json:"required,omitempty"`
	Type     *types.Type `json:"type"`
	// Style and Explode are OpenAPI's, with its defaults filled in, and
	// tabDelimited for the tsv of Swagger 2.0.
	Style   string
	Explode bool
	// AllowReserved says that reserved characters of a value in the query are
	// sent as they are.
	AllowReserved bool
	// Media is the media type of a parameter with "content": its value is a
	// document of that type in text form.
	Media string
	// Asserts are nil where a value has no variants to choose from.
	Asserts     *Assertions
	Description string
	Span        diag.Span
}

// A Body is the request body of an operation.
type Body struct {
	Required bool
	Media    []Media
	Span     diag.Span
}

// Media is one representation of a body or an answer.
type Media struct {
	// Type is the media type as the document writes it.
	Type string
	// Schema is nil where the document gives none.
	Schema *types.Type
	// Nullable says that the whole document may be null.
	Nullable bool
	// Asserts are those of a request body, nil where it has no variants to choose from.
	Asserts *Assertions
	// Encoding says how members of a form or multipart body are written, for
	// those that the document says it of.
	Encoding []Encoding
}

// Encoding is how one member of a form or multipart body is written.
type Encoding struct {
	Name string
	// ContentType is that of a part, "" for the default.
	ContentType string
	// Style is "" where the document says nothing of style and explode: the media
	// type of the value decides then.
	Style         string
	Explode       bool
	AllowReserved bool
}

// A Response is the answer for a status: "200", "4XX" or "default".
type Response struct {
	Status string
	Media  []Media
	Span   diag.Span
}

// A Scheme is a security scheme.
type Scheme struct {
	Name string `json:"scheme"`
	// Type is apiKey, http, oauth2, openIdConnect or mutualTLS.
	Type string `json:"type"`
	// In and Param say where an apiKey goes.
	In    In
	Param string
	// HTTP is the scheme of type http in lower case: basic, bearer.
	HTTP string
	// TokenURL is where an oauth2 scheme gives access tokens, absolute; "" where
	// the document does not say it; AuthorizationURL is where users agree.
	TokenURL, AuthorizationURL string
}
