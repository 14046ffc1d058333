package upstream

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A script answers attempt after attempt: with a status, or with what befalls the
// connection.
type script []any

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	now := (*s)[0]
	*s = (*s)[1:]
	if err, failed := now.(error); failed {
		return nil, err
	}
	return &http.Response{StatusCode: now.(int), Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

var (
	errLost    = io.ErrUnexpectedEOF
	errRefused = &net.OpError{Op: "dial", Err: errors.New("refused")}
)

// TestDoubt: whether the effect of a call may have happened, by what its attempts
// met. What nobody knows is never "no answer", and a later attempt does not make
// it known.
func TestDoubt(t *testing.T) {
	missing := func(status int, class bool) Case {
		return Case{Status: status, Class: class, Retry: RetryNever, Fail: func() error { return nil }}
	}
	worded := func(status int, retry RetryRule) Case {
		return Case{Status: status, Class: true, Retry: retry, Fail: func() error { return &tool.Error{Kind: tool.KindRejected, Code: "worded"} }}
	}
	for name, c := range map[string]struct {
		effect   Effect
		attempts script
		on       []Case
		kind     tool.Kind // fine: no error
		doubt    bool
	}{
		"a read":                               {EffectRead, script{errLost}, nil, tool.KindUnavailable, false},
		"a read of which no answer is fine":    {EffectRead, script{503}, []Case{missing(5, true)}, fine, false},
		"lost":                                 {EffectIdempotent, script{errLost}, nil, tool.KindUnavailable, true},
		"refused":                              {EffectIdempotent, script{errRefused}, nil, tool.KindUnavailable, false},
		"lost, then refused":                   {EffectIdempotent, script{errLost, errRefused}, nil, tool.KindUnavailable, true},
		"refused, then lost":                   {EffectIdempotent, script{errRefused, errLost}, nil, tool.KindUnavailable, true},
		"lost, then made":                      {EffectIdempotent, script{errLost, 204}, nil, fine, false},
		"lost, then rejected":                  {EffectIdempotent, script{errLost, 409}, nil, tool.KindRejected, true},
		"lost, then not there, which is fine":  {EffectIdempotent, script{errLost, 404}, []Case{missing(404, false)}, fine, false},
		"rejected":                             {EffectIdempotent, script{409}, nil, tool.KindRejected, false},
		"not begun":                            {EffectIdempotent, script{429}, nil, tool.KindRateLimited, false},
		"a fault of the server":                {EffectIdempotent, script{500}, nil, tool.KindUnavailable, true},
		"a fault of the server, worded":        {EffectIdempotent, script{500}, []Case{worded(5, RetryDefault)}, tool.KindRejected, true},
		"a fault of the server, to be retried": {EffectIdempotent, script{501}, []Case{worded(5, RetrySame)}, tool.KindRejected, true},
		"a fault of the server, said final":    {EffectIdempotent, script{500}, []Case{worded(5, RetryNever)}, tool.KindRejected, false},
		"a fault that counts as no answer":     {EffectIdempotent, script{503}, []Case{missing(5, true)}, tool.KindUnavailable, true},
		"a redirect that counts as no answer":  {EffectIdempotent, script{302}, []Case{missing(302, false)}, tool.KindUnknownOutcome, false},
		"an order that counts as no answer":    {EffectUnsafe, script{503}, []Case{missing(5, true)}, tool.KindUnknownOutcome, false},
		"an order that was not there":          {EffectUnsafe, script{404}, []Case{missing(404, false)}, fine, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				left := c.attempts
				u := newTestUpstream(t, Spec{Attempts: len(c.attempts)}, API{Transport: &left})
				call := u.Call("pay", map[Effect]string{EffectRead: "GET", EffectIdempotent: "PUT", EffectUnsafe: "POST"}[c.effect], c.effect)
				for _, on := range c.on {
					call.On(on)
				}
				_, err := Do[struct{}](context.Background(), call, nil)
				e, _ := errors.AsType[*tool.Error](err)
				if e == nil && (err != nil || c.kind != fine) || e != nil && (e.Kind != c.kind || e.OutcomeUnknown != c.doubt) {
					t.Errorf("%+v, want %v, in doubt %v", e, c.kind, c.doubt)
				}
				if done := call.Done(); done != (len(c.on) == 0 || err != nil || c.kind != fine) {
					t.Errorf("an answer: %v", done)
				}
				if len(left) > 0 && len(c.attempts) > 1 {
					t.Errorf("%d attempts were not made", len(left))
				}
			})
		})
	}
}
