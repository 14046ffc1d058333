package resolve

import (
	"maps"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
)

// An apiUse is what a manifest says of an api, and whether it came to
// something: what no call uses is reported.
type apiUse struct {
	m *manifest.API
	// contentType is the request media type that the manifest asks for, unset
	// for none; typed says that a body was sent as it.
	contentType manifest.Scalar
	typed       bool
	// schemes are the security schemes whose credentials a call sends.
	schemes map[string]bool
	// answers are the media types of the answers of operations that are called.
	answers map[string]bool
	// variables are those that servers: sets, known all that servers of operations
	// that are called have.
	variables []*serverVariable
	known     []string
	// called says that a step calls the api, homeless that the lack of a server
	// was reported.
	called, homeless bool
}

// server says where a call goes: to the server of its operation, unless
// base_url: replaces all servers of the document.
func (t *toolResolver) server(s *ir.Step, call manifest.Scalar) {
	api, use := t.apiByID[s.API], t.apiUses[s.API]
	own := t.serverOf(use, api, &s.Op.Server)
	switch {
	case use.m.BaseURL.IsSet():
		if doc := &t.set.APIs[s.API].Server; own != "" && own != t.address(use, doc) {
			t.warnf(ruleServerReplaced, call.Span, "name the document as another api, with "+own+" or nothing as its base_url:",
				"operation %s has a server of its own, %s; base_url: of api %s replaces it", title(s.Op), own, s.API)
		}
	case own == "":
		if !use.homeless {
			use.homeless = true
			t.errorf(ruleNoServer, use.m.OpenAPI.Span, "add base_url: https://...",
				"the document names no server for operation %s; %s replaces what base_url: says when the program starts", title(s.Op), ir.BaseURLEnv(s.API))
		}
	case own != api.BaseURL:
		s.Server = own
	}
}

// credentials chooses the credentials that go with a call: those of the first
// alternative of the operation that the manifest satisfies. Where the document
// says nothing of security, the one credential that the manifest names goes
// along.
func (t *toolResolver) credentials(s *ir.Step, call manifest.Scalar) {
	api, use := t.apiByID[s.API], t.apiUses[s.API]
	if s.Op.Security == nil {
		if len(api.Credentials) > 1 {
			t.errorf(ruleAmbiguousCredential, call.Span, "name the document as another api, with one credential under auth:",
				"the document does not say which credential operation %s wants, and api %s has %d", title(s.Op), s.API, len(api.Credentials))
			return
		}
		for _, c := range api.Credentials {
			s.Schemes = append(s.Schemes, c.Scheme.Name)
		}
	} else {
		s.Schemes = t.alternative(api, s.Op, call)
	}
	seen := map[string]string{}
	for _, name := range s.Schemes {
		use.schemes[name] = true
		in, header := placeOfScheme(schemeOf(api, name))
		at := string(in) + " " + strings.ToLower(header)
		if first, taken := seen[at]; taken {
			t.errorf(ruleCredentialClash, call.Span, "leave one of them out under auth:", "operation %s wants %s and %s, which are both sent as the %s %s", title(s.Op), first, name, in, header)
		}
		seen[at] = name
	}
}

// alternative is the choice of credentials by the security of an operation.
func (r *resolver) alternative(api *ir.API, op *operation.Operation, call manifest.Scalar) []string {
	var some []string
	open := len(op.Security) == 0
	for _, schemes := range op.Security {
		given, all := r.given(api, schemes)
		switch {
		case len(schemes) == 0:
			open = true
		case all:
			return given
		case some == nil:
			some = given
		}
	}
	if faulty := len(r.apiUses[api.Name].m.Auth) > len(api.Credentials); !open && !faulty {
		r.warnf(ruleNoCredential, call.Span, "name the scheme under auth: of the api", "operation %s wants a credential (%s) and the api gives none", title(op), strings.Join(op.Security[0], ", "))
	}
	if open {
		return nil
	}
	return some
}

// given returns those schemes of an alternative that auth: has a credential
// for. all says that the others are satisfied as well: by a header of the api,
// or by the transport, which alone can present a certificate.
func (r *resolver) given(api *ir.API, schemes []string) (given []string, all bool) {
	all = true
	for _, name := range schemes {
		scheme := r.set.APIs[api.Name].Schemes[name]
		switch {
		case schemeOf(api, name) != nil:
			given = append(given, name)
		case scheme == nil:
			all = false
		default:
			in, header := placeOfScheme(scheme)
			all = all && (scheme.Type == "mutualTLS" || in == operation.Header && hasHeader(api, header))
		}
	}
	return given, all
}

// schemeOf returns the scheme that auth: of an api has a credential for, or nil.
func schemeOf(api *ir.API, name string) *operation.Scheme {
	for _, c := range api.Credentials {
		if c.Scheme.Name == name {
			return c.Scheme
		}
	}
	return nil
}

// placeOfScheme is where the credential of a scheme travels.
func placeOfScheme(s *operation.Scheme) (operation.In, string) {
	if s.Type == "apiKey" {
		return s.In, s.Param
	}
	return operation.Header, "Authorization"
}

// isCredential reports whether a credential of the step is sent as the
// parameter.
func (t *toolResolver) isCredential(s *ir.Step, p *operation.Param) bool {
	api := t.apiByID[s.API]
	return api != nil && slices.ContainsFunc(s.Schemes, func(name string) bool {
		in, param := placeOfScheme(schemeOf(api, name))
		return in == p.In && (param == p.Name || in == operation.Header && strings.EqualFold(param, p.Name))
	})
}

// Sendable reports whether a credential of a scheme can be sent.
func Sendable(s *operation.Scheme) bool { return s != nil && supported(s) == "" }

// supported says why the credential of a scheme cannot be sent, "" if it can.
func supported(s *operation.Scheme) string {
	switch {
	case s.Type == "apiKey" && (s.Param == "" || s.In != operation.Header && s.In != operation.Query && s.In != operation.Cookie):
		return "names no place where the key goes"
	case s.Type == "http" && s.HTTP != "basic" && s.HTTP != "bearer":
		return "is HTTP " + s.HTTP + ", which is not supported yet"
	case s.Type == "mutualTLS":
		return "is a client certificate, which a manifest cannot name"
	}
	return ""
}

// unusedParts reports what apis of the manifest say without any effect.
func (r *resolver) unusedParts() {
	for _, m := range r.m.APIs {
		use := r.apiUses[m.Name.Value]
		if !use.called {
			continue
		}
		for _, a := range m.Auth {
			if api := r.apiByID[m.Name.Value]; schemeOf(api, a.Scheme.Value) != nil && !use.schemes[a.Scheme.Value] {
				r.warnf(ruleUnusedCredential, a.Scheme.Span, "remove it, or send it under headers:", "no operation that is called wants the credential of %s", a.Scheme.Value)
			}
		}
		if use.contentType.IsSet() && !use.typed {
			r.errorf(ruleWrongHeader, use.contentType.Span, "remove it", "no call of api %s sends a body that could have the type %s", m.Name.Value, use.contentType.Value)
		}
		r.accepted(use)
		r.unknownVariables(use)
	}
}

// accepted reports an Accept that asks for what no operation documents. Kinds of
// JSON are as good as any: services have more of them than they document.
func (r *resolver) accepted(use *apiUse) {
	for _, p := range use.m.Headers {
		text := p.Value.Scalar.Value
		base := baseMedia(text)
		if !strings.EqualFold(p.Key.Value, "Accept") || len(use.answers) == 0 || use.answers[base] || isJSON(base) || strings.ContainsAny(text, "$*,") {
			continue
		}
		known := slices.Sorted(maps.Keys(use.answers))
		r.errorf(ruleWrongHeader, p.Value.Scalar.Span, "write one of "+strings.Join(known, ", ")+", or remove it", "no operation that is called answers with %s%s", text, diag.DidYouMean(base, known))
	}
}

// OwnHeaders are the headers that the run time sets itself or refuses.
var OwnHeaders = []string{
	"Accept-Encoding", "Connection", "Content-Length", "Cookie", "Expect", "Host", "Keep-Alive", "Proxy-Authenticate",
	"Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// contentType takes a Content-Type out of the headers of an api: it says which
// media type bodies have, and calls without a body have none.
func (r *resolver) contentType(use *apiUse, p manifest.Pair) bool {
	if !strings.EqualFold(p.Key.Value, "Content-Type") {
		return false
	}
	use.contentType = p.Value.Scalar
	if strings.Contains(use.contentType.Value, "${") {
		r.errorf(ruleWrongHeader, use.contentType.Span, "write the media type", "a Content-Type is fixed: it decides how bodies are written")
		use.contentType, use.typed = manifest.Scalar{}, true
	}
	return true
}

// clashingHeaders reports headers of an api that a credential of it is sent as.
func (r *resolver) clashingHeaders(api *ir.API, headers []manifest.Pair) {
	for _, p := range headers {
		for _, c := range api.Credentials {
			if in, name := placeOfScheme(c.Scheme); in == operation.Header && strings.EqualFold(name, p.Key.Value) {
				r.errorf(ruleCredentialClash, p.Key.Span, "remove the header, or the credential under auth:", "the credential of %s is sent as the header %s too", c.Scheme.Name, name)
			}
		}
	}
}

var wireRules = []diag.Rule{
	{ID: ruleAmbiguousCredential, Summary: "It is known which credential a call sends.", Why: "A service must not get the credential that was meant for something else.", Fix: "Name the document as another api, with one credential under auth:."},
	{ID: ruleCredentialClash, Summary: "One value is sent in one place.", Why: "Of a credential and a header or parameter of the same name one would be lost.", Fix: "Remove one of them."},
	{ID: ruleDeprecatedOperation, Severity: diag.Warning, Summary: "The operations that are called are not deprecated.", Why: "Their service is going to remove them.", Fix: "Call the operation that its document names instead."},
	{ID: ruleFixedParameter, Summary: "What the path of an operation fixes is not bound again.", Why: "The service would get the parameter twice, and take one of the values.", Fix: "Remove it under with:."},
	{ID: ruleNoServer, Summary: "It is known which server a call goes to.", Why: "Nothing but the document and base_url: says it; a guess would send callers' data to strangers.", Fix: "Add base_url: to the api."},
	{ID: ruleNoWireForm, Summary: "A parameter or field gets a value that OpenAPI has a form for at its place.", Why: "A service reads what its document says; for anything else there is only a guess.", Fix: "Bind a plain value or a list, or have the document say style: deepObject or content:."},
	{ID: ruleServerReplaced, Severity: diag.Warning, Summary: "base_url: does not replace another server of the document.", Why: "The operation may exist on its own server alone.", Fix: "Name the document as another api for it."},
	{ID: ruleUnknownVariable, Summary: "Variables under servers: are in an address that is called.", Why: "A value that goes nowhere is a slip, and the call goes elsewhere than was meant.", Fix: "Use a name of the document, as in https://{tenant}.example.com."},
	{ID: ruleUnusedCredential, Severity: diag.Warning, Summary: "Every credential under auth: is sent with a call.", Why: "What nobody sends is a slip: the security of the operations decides what they get.", Fix: "Remove it."},
	{ID: ruleServerVariable, Summary: "Variables under servers: have values that the document allows, and that stay at their place of the address.", Why: "A value that reaches beyond it would send callers' data and credentials to strangers.", Fix: "Write a value of the enum, or a label of a host, a port, or segments of a path, as its place wants; or ${env.NAME}."},
	{ID: ruleWrongMedia, Summary: "A body is written in a media type that its operation takes.", Why: "The service would refuse it, or read something else than was meant.", Fix: "Write a body of the shape that one of its types has."},
}
