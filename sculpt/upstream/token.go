package upstream

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/cause"
	"github.com/sculpt-tools/sculpt/internal/oauth"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

type tokenKey struct{}

// A tokenTransport tells transports that a request asks for a token.
type tokenTransport struct {
	http.RoundTripper
	api string
	// again: a request uses nothing up, so that it may be sent twice.
	again bool
}

// RoundTrip implements http.RoundTripper. As a read does, a request that met a stale
// connection goes over a fresh one.
func (t tokenTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := context.WithValue(r.Context(), tokenKey{}, t.api)
	w := &wire{stop: func() {}}
	resp, err := t.RoundTripper.RoundTrip(r.WithContext(w.watch(ctx)))
	if err == nil || !t.again || !w.stale(err) || ctx.Err() != nil || r.GetBody == nil {
		return resp, err
	}
	again := r.WithContext((&wire{anew: true, stop: func() {}}).watch(ctx))
	if again.Body, err = r.GetBody(); err != nil {
		return nil, err
	}
	return t.RoundTripper.RoundTrip(again)
}

// token is the value of a credential that a token endpoint gives, "" where the
// exchanges are recorded: these have no credentials.
func (c *Call) token(ctx context.Context, cred *credential) (string, error) {
	subject, err := c.subject(ctx, cred)
	if err != nil {
		return "", err
	}
	within, stop := context.WithTimeout(ctx, c.timeout)
	defer stop()
	token, err := cred.tokens.Get(within, subject)
	switch {
	case err == nil:
		c.granted = append(c.granted, grantedToken{cred, subject, token})
		return cred.Prefix + token, nil
	case errors.Is(err, ErrNotRecorded):
		return "", nil
	case errors.Is(err, oauth.ErrConsent):
		return "", c.unagreed(ctx, cred, subject)
	}
	return "", c.tokenFault(ctx, cred, err)
}

// subject is for whom a token is asked, "" for this program.
func (c *Call) subject(ctx context.Context, cred *credential) (string, error) {
	switch cred.Grant {
	case oauth.AuthorizationCode:
		return c.userKey(cred, tool.CallerOf(ctx))
	case oauth.TokenExchange:
		presented, err := c.presented(ctx, cred)
		if err != nil {
			return "", err
		}
		word, token, _ := strings.Cut(presented, " ")
		if token = strings.TrimSpace(token); strings.EqualFold(word, "bearer") && token != "" {
			return token, nil
		}
		return "", &tool.Error{Kind: tool.KindUnauthorized, Step: c.step, Message: "The service behind this tool needs a bearer token of the caller."}
	}
	return "", nil
}

// fromFile is the value of a credential that a file holds.
func (c *Call) fromFile(cred *credential) fileValue {
	v := cred.file.value()
	c.granted = append(c.granted, grantedToken{cred: cred, token: v.text})
	return v
}

// A grantedToken is one that a call was sent with; that of a file has its prefix.
type grantedToken struct {
	cred           *credential
	subject, token string
}

// renew gets other tokens for those that the service did not take, once in a
// call, and returns the header with them; nil where there is no sense in that. A
// call that was refused with 401 has done nothing. The error is that of a user who
// does not agree any more.
func (c *Call) renew(ctx context.Context, header http.Header) (http.Header, error) {
	old := c.granted
	if len(old) == 0 || c.renewed || c.status != http.StatusUnauthorized {
		return nil, nil
	}
	c.renewed, c.granted, header = true, nil, maps.Clone(header)
	for _, g := range old {
		if g.cred.file != nil {
			value := g.cred.file.refused(g.token)
			if value == "" || g.cred.In != "header" {
				return nil, nil
			}
			header[g.cred.Name] = []string{value}
			continue
		}
		g.cred.tokens.Refused(g.subject, g.token)
		value, err := c.token(ctx, g.cred)
		if e, ok := errors.AsType[*tool.Error](err); ok && e.Authorization != nil {
			return nil, err
		}
		if err != nil || value == g.cred.Prefix+g.token {
			return nil, nil //nolint:nilerr // that the service refused the call says more
		}
		header[g.cred.Name] = []string{value}
	}
	return header, nil
}

// blame notes why there is no token, and at which endpoint.
func (c *Call) blame(cred *credential, err error) {
	if endpoint, parsed := url.Parse(cred.TokenURL); parsed == nil {
		c.at = endpoint.Host
	}
	e, known := errors.AsType[*oauth.Error](err)
	switch {
	case errors.Is(err, oauth.ErrStore):
		c.why = cause.TokenStore
	case known && e.Status != 0 && e.Err != nil:
		c.why, c.status = cause.BadAnswer, e.Status
	case known && e.Status != 0:
		c.why, c.status = cause.Status, e.Status
	default:
		c.why = wordOf(err)
	}
}

// tokenFault is the error of a call that has no token: nothing was sent.
func (c *Call) tokenFault(ctx context.Context, cred *credential, err error) error {
	refused, known := errors.AsType[*oauth.Error](err)
	c.blame(cred, err)
	e := &tool.Error{Step: c.step, Err: err, Code: "upstream_auth"}
	switch {
	case ctx.Err() != nil:
		return c.interrupted(ctx, false)
	case !known || refused.Temporary():
		e.Kind, e.Retryable = tool.KindUnavailable, true
		e.Message = "The service that signs in this server is not available at the moment. Try again later."
	case c.forCaller() && refused.Status < http.StatusInternalServerError:
		e.Kind, e.Code, e.Message = tool.KindUnauthorized, "", "The service behind this tool did not accept the caller's credentials."
	default:
		e.Kind, e.Message = tool.KindBadBackend, "The service behind this tool did not accept the credentials of this server."
	}
	return e
}
