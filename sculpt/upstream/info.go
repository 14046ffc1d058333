package upstream

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// Errors of transports that do not ask a backend.
var (
	// ErrDryRun is the cause of the error of a call whose transport only showed
	// the request.
	ErrDryRun = errors.New("dry run: nothing was sent")
	// ErrNotRecorded says that a transport of recorded answers has none for a
	// request.
	ErrNotRecorded = errors.New("no answer is recorded")
)

// An Info is what a transport may know of the call that a request belongs to,
// without its credentials. The zero Info belongs to no call.
type Info struct {
	// API is the name of the api in the manifest.
	API string
	// Token says that the request asks for an access token: all that it and its
	// answer hold is secret.
	Token bool

	// query are the parameters of the credentials, secrets what must not be
	// shown, in the spellings that a URL or a text may have.
	query   string
	secrets []string
}

// InfoOf returns what is known of the call that a request with the context
// belongs to; ok is false where it belongs to none.
func InfoOf(ctx context.Context) (info Info, ok bool) {
	c := callOf(ctx)
	if c == nil {
		api, token := ctx.Value(tokenKey{}).(string)
		return Info{API: api, Token: token}, token
	}
	info = Info{API: c.u.name, query: c.secretQuery}
	for _, cred := range c.u.credentials {
		info.hide(cred.Value)
		if cred.file != nil {
			for _, secret := range cred.file.secrets() {
				info.hide(secret)
			}
		}
		if cred.Caller {
			presented := tool.CallerOf(ctx).Authorization
			info.hide(presented)
			_, token, _ := strings.Cut(presented, " ")
			info.hide(token)
		}
	}
	for i := range c.granted {
		info.hide(c.granted[i].token)
		info.hide(c.granted[i].subject)
	}
	return info, true
}

// hide adds a secret that is long enough to be told from ordinary text.
func (i *Info) hide(secret string) {
	if len(secret) >= 8 {
		i.secrets = append(i.secrets, secret, url.QueryEscape(secret), url.PathEscape(secret))
	}
}

// Redact replaces the credentials of the call wherever they stand in a text: in
// what an upstream echoes, say.
func (i Info) Redact(text string) string {
	for _, secret := range i.secrets {
		text = strings.ReplaceAll(text, secret, "REDACTED")
	}
	return text
}

// WithoutCredentials returns a copy of a URL without user and password, and
// without the parameters that hold credentials of the call.
func (i Info) WithoutCredentials(u *url.URL) *url.URL {
	out := *u
	out.User = nil
	out.RawQuery = withoutParams(out.RawQuery, i.query)
	return &out
}

// withoutParams removes the parameters of the credential query.
func withoutParams(query, credential string) string {
	if credential == "" {
		return query
	}
	secret := map[string]bool{}
	for pair := range strings.SplitSeq(credential, "&") {
		name, _, _ := strings.Cut(pair, "=")
		secret[name] = true
	}
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		if name, _, _ := strings.Cut(pair, "="); !secret[name] {
			kept = append(kept, pair)
		}
	}
	return strings.Join(kept, "&")
}
