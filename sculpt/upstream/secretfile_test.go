package upstream_test

import (
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// A rotating service takes one credential, and keeps what it was sent.
type rotating struct {
	mu   sync.Mutex
	good string
	sent []string
}

func (s *rotating) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := r.Header.Get("Authorization") + r.URL.Query().Get("key")
	s.sent = append(s.sent, got)
	if got != s.good {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	_, _ = w.Write([]byte(`{}`))
}

func (s *rotating) call(t *testing.T, u *upstream.Client) error {
	c := u.Call("read", http.MethodPost, upstream.EffectUnsafe)
	c.Credentials("login")
	c.Path("/x")
	_, err := upstream.Do[struct{}](t.Context(), c, nil)
	return err
}

func write(t *testing.T, file, text string, age time.Duration) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-age)
	if err := os.Chtimes(file, at, at); err != nil {
		t.Fatal(err)
	}
}

// TestSecretFile: a secret that is replaced on the disk is sent instead of the old
// one, at once where the old one is refused, and without a refusal a second later.
func TestSecretFile(t *testing.T) {
	basic := func(s string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(s)) }
	bearer := func(s string) string { return "Bearer " + s }
	plain := func(s string) string { return s }
	for name, c := range map[string]struct {
		credential upstream.Credential
		as         func(string) string
		again      bool
	}{
		"bearer": {upstream.Credential{In: "header", Name: "authorization", Prefix: "Bearer "}, bearer, true},
		"basic":  {upstream.Credential{In: "header", Name: "Authorization", Prefix: "Basic "}, basic, true},
		"query":  {upstream.Credential{In: "query", Name: "key"}, plain, false},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "secret")
			write(t, file, "first:secret\n", time.Hour)
			k := c.credential
			k.Scheme, k.File, k.Value = "login", file, strings.TrimPrefix(c.as("first:secret"), k.Prefix)
			s := &rotating{good: c.as("first:secret")}
			u, err := upstream.New(upstream.Spec{Name: "a", BaseURL: "https://a.example", Credentials: []upstream.Credential{k}}, upstream.API{Handler: s})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.call(t, u); err != nil {
				t.Fatal(err)
			}
			write(t, file, "other:secret\n", time.Hour) // of the same size and time
			s.good = c.as("other:secret")
			err = s.call(t, u)
			if c.again != (err == nil) {
				t.Errorf("right after the change: %v", err)
			}
			if err := s.call(t, u); err != nil {
				t.Errorf("after a refusal: %v", err)
			}
			// A file that is empty or gone changes nothing.
			for _, spoil := range []func(){func() { write(t, file, " \n", 0) }, func() { _ = os.Remove(file) }} {
				spoil()
				s.good = "nothing"
				_ = s.call(t, u)
				s.good = c.as("other:secret")
				if err := s.call(t, u); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestSecretFileInTime: nobody has to refuse the old secret first, and the file is
// not looked at by every call.
func TestSecretFileInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "secret")
		write(t, file, "first", time.Hour)
		s := &rotating{good: "Bearer first"}
		u, err := upstream.New(upstream.Spec{Name: "a", BaseURL: "https://a.example", Credentials: []upstream.Credential{
			{Scheme: "login", In: "header", Name: "Authorization", Prefix: "Bearer ", Value: "first", File: file},
		}}, upstream.API{Handler: s})
		if err != nil {
			t.Fatal(err)
		}
		write(t, file, "the second", 0)
		if err := s.call(t, u); err != nil {
			t.Errorf("looked at within a second: %v", err)
		}
		time.Sleep(time.Second)
		_ = s.call(t, u)
		if got := strings.Join(s.sent, "|"); !strings.HasPrefix(got, "Bearer first|Bearer the second") {
			t.Error(got)
		}
	})
}

// TestSecretFileNotTheirs: a program that sets a value of its own keeps it.
func TestSecretFileNotTheirs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	write(t, file, "of the file", 0)
	s := &rotating{good: "Bearer of the file"}
	u, err := upstream.New(upstream.Spec{Name: "a", BaseURL: "https://a.example", Credentials: []upstream.Credential{
		{Scheme: "login", In: "header", Name: "Authorization", Prefix: "Bearer ", Value: "their own", File: file},
	}}, upstream.API{Handler: s})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.call(t, u); err == nil || strings.Join(s.sent, "|") != "Bearer their own" {
		t.Errorf("%v after %q", err, s.sent)
	}
}
