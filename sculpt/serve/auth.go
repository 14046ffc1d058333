package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// An Authenticator decides who the caller of a request is.
//
// Any error refuses the request: an *Error of Kind Forbidden or Unavailable
// with 403 or 503, every other one with 401. A nil principal without an error
// is refused as well, so that a forgotten case fails closed. The text of the
// error reaches the log only.
//
// An Authenticator that has a method Challenge() string decides the
// WWW-Authenticate header of refused requests; the default is "Bearer".
type Authenticator interface {
	Authenticate(*http.Request) (*tool.Principal, error)
}

var errNoCredentials = errors.New("no or unknown credentials")

// StaticKeys accepts the API keys of a table: key to principal. The key is the
// whole value of the named header, such as X-API-Key or OTC-API-Key. Keys are
// compared as SHA-256 digests in constant time. Every principal needs an ID.
func StaticKeys(header string, keys map[string]tool.Principal) Authenticator {
	k := &staticKeys{header: http.CanonicalHeaderKey(header), challenge: `ApiKey realm="tools"`}
	if header == "" {
		k.fault = errors.New("serve: StaticKeys needs the name of a header")
	}
	k.fill(keys)
	return k
}

// BearerTokens accepts the tokens of a table, token to principal, from the
// Authorization header (RFC 6750). It compares them as [StaticKeys] does. The
// tokens are for this server: where an api wants the caller's own credential
// ("auth: caller"), every principal needs one in Authorization.
func BearerTokens(tokens map[string]tool.Principal) Authenticator {
	k := &staticKeys{header: "Authorization", scheme: "Bearer", challenge: `Bearer realm="tools"`}
	k.fill(tokens)
	return k
}

type staticKeys struct {
	header, scheme, challenge string
	digests                   [][sha256.Size]byte
	principals                []tool.Principal
	fault                     error
}

func (k *staticKeys) fill(keys map[string]tool.Principal) {
	if len(keys) == 0 && k.fault == nil {
		k.fault = errors.New("serve: an authenticator without keys lets nobody in")
	}
	for key, p := range keys {
		if key == "" || p.ID == "" {
			k.fault = fmt.Errorf("serve: an authenticator has an empty key or a principal without ID (%q)", p.ID)
		}
		k.digests = append(k.digests, sha256.Sum256([]byte(key)))
		k.principals = append(k.principals, p)
	}
}

// check lets NewHandler refuse a faulty table.
func (k *staticKeys) check() error { return k.fault }

// takes reports whether Authorization is the key of this server.
func (k *staticKeys) takes() bool { return k.header == "Authorization" }

// passes reports whether a tool may pass on the Authorization of every caller:
// that is not the key of this server.
func (k *staticKeys) passes() bool {
	return !k.takes() || !slices.ContainsFunc(k.principals, func(p tool.Principal) bool { return p.Authorization == "" })
}

// ownKeyStays refuses tools that would pass the key of this server on to an api.
func (s *settings) ownKeyStays(tools []*servedTool) error {
	if k, ok := s.auth.(*staticKeys); !ok || k.passes() {
		return nil
	}
	var errs []error
	for _, t := range tools {
		if t.CallerAuth {
			errs = append(errs, fmt.Errorf("serve: tool %s sends the caller's own Authorization to an api (auth: caller), and here that is the key of this server: "+
				"accept keys in another header, as StaticKeys(\"X-API-Key\", ...) does, or give every principal the Authorization that is meant for the api", t.Name))
		}
	}
	return errors.Join(errs...)
}

// Challenge implements the optional method of [Authenticator].
func (k *staticKeys) Challenge() string { return k.challenge }

// Authenticate implements [Authenticator].
func (k *staticKeys) Authenticate(r *http.Request) (*tool.Principal, error) {
	// Two values could mean one thing to a proxy and another to us.
	given := r.Header[k.header]
	if len(given) != 1 {
		return nil, errNoCredentials
	}
	key := given[0]
	if k.scheme != "" {
		scheme, rest, ok := strings.Cut(key, " ")
		if !ok || !strings.EqualFold(scheme, k.scheme) {
			return nil, errNoCredentials
		}
		key = strings.TrimLeft(rest, " ")
	}
	digest := sha256.Sum256([]byte(key))
	at := -1
	for i := range k.digests {
		// No early exit: the time must not tell which key was near.
		if subtle.ConstantTimeCompare(digest[:], k.digests[i][:]) == 1 {
			at = i
		}
	}
	if at < 0 {
		return nil, errNoCredentials
	}
	p := k.principals[at]
	return &p, nil
}

// principal finds out who calls. Without an authenticator it is who the
// vendor's own middleware put into the context, else nobody.
func (s *Handler) principal(r *http.Request) (*tool.Principal, *tool.Error) {
	if s.auth == nil {
		known := tool.CallerOf(r.Context())
		if presented := r.Header["Authorization"]; len(presented) > 0 && known.Authorization == "" {
			own := *known // what is in the context is not ours to write to
			own.Authorization, known = presented[0], &own
		}
		return known, nil
	}
	p, err := s.auth.Authenticate(r)
	if err == nil && p == nil {
		err = errors.New("the authenticator gave neither a principal nor an error")
	}
	if err != nil {
		refused := &tool.Error{Kind: tool.KindUnauthorized, Err: err}
		if kind := tool.KindOf(err); kind == tool.KindForbidden || kind == tool.KindUnavailable {
			refused.Kind, refused.Retryable = kind, kind == tool.KindUnavailable
		}
		return nil, refused
	}
	known := *p // the authenticator may hand out one value for many requests
	k, static := s.auth.(*staticKeys)
	if known.Authorization == "" && !(static && k.takes()) {
		known.Authorization = r.Header.Get("Authorization")
	}
	return &known, nil
}

// challenge is the WWW-Authenticate header of a refused request.
func (s *Handler) challenge() string {
	if c, ok := s.auth.(interface{ Challenge() string }); ok {
		if text := c.Challenge(); text != "" {
			return text
		}
	}
	return "Bearer"
}
