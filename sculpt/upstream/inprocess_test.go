package upstream

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestHandlerWritesTooMuch: what a handler writes beyond the bound is too large
// however it is written, wherever the api's own limit is, and never an empty answer or
// one that was cut off.
func TestHandlerWritesTooMuch(t *testing.T) {
	much := append(append([]byte(`{"name":"`), bytes.Repeat([]byte("x"), maxInProcess)...), `"}`...)
	for name, write := range map[string]func(http.ResponseWriter){
		"at once": func(w http.ResponseWriter) { _, _ = w.Write(much) },
		"in parts": func(w http.ResponseWriter) {
			for rest := much; len(rest) > 0; rest = rest[min(len(rest), 1<<20):] {
				_, _ = w.Write(rest[:min(len(rest), 1<<20)])
			}
		},
		"after a little": func(w http.ResponseWriter) { _, _ = w.Write([]byte(" ")); _, _ = w.Write(much) },
	} {
		for _, c := range []struct {
			effect  Effect
			maxBody int64
			set     func(*Call)
			kind    tool.Kind
		}{
			{EffectRead, 2 * maxInProcess, func(*Call) {}, tool.KindBadBackend},
			{EffectRead, 2 * maxInProcess, func(c *Call) { c.MayBeEmpty(nil) }, tool.KindBadBackend},
			{EffectRead, 2 * maxInProcess, func(c *Call) { c.Cache(time.Minute) }, tool.KindBadBackend},
			{EffectRead, 2 * maxInProcess, func(c *Call) { c.As("text/plain"); c.Accept("text/plain") }, tool.KindBadBackend},
			{EffectUnsafe, 2 * maxInProcess, func(*Call) {}, tool.KindUnknownOutcome},
			{EffectRead, 0, func(*Call) {}, tool.KindBadBackend},
		} {
			if name != "at once" && c.maxBody > 0 && c.effect == EffectRead {
				continue
			}
			media := "application/json"
			u := newTestUpstream(t, Spec{MaxBody: c.maxBody, Attempts: 1, Timeout: time.Minute}, API{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if accept := r.Header.Get("Accept"); strings.HasPrefix(accept, "text/") {
					media = "text/plain"
				}
				w.Header().Set("Content-Type", media)
				write(w)
			})})
			call := u.Call("find", map[Effect]string{EffectRead: "GET", EffectUnsafe: "POST"}[c.effect], c.effect)
			c.set(call)
			_, err := Do(context.Background(), call, scanThing)
			e, ok := err.(*tool.Error) //nolint:errorlint // Do makes one
			if !ok || e.Kind != c.kind || !strings.Contains(err.Error(), errTooLarge.Error()) {
				t.Errorf("%s, %+v: %v", name, c, err)
			}
			if c.kind == tool.KindBadBackend && (!ok || e.Code != "upstream_too_large") {
				t.Errorf("%s, %+v: the code is %+v", name, c, e)
			}
		}
	}
}
