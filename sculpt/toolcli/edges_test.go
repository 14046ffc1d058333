package toolcli

import (
	"bytes"
	"context"
	"errors"
	"log"
	"log/slog"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestCaller: who calls, by a variable of each kind; one that is set to nothing
// is not set.
func TestCaller(t *testing.T) {
	kinds := []string{"user_id", "authorization", "secret", "token", "claim"}
	r := &run{doc: &Document{}}
	for _, kind := range kinds {
		r.doc.Caller = append(r.doc.Caller, callerValue{EnvVar: kind, Kind: kind, ID: "an " + kind})
	}
	values := map[string]string{}
	for i := range len(kinds) + 1 {
		r.Lookup = func(name string) (string, bool) { v, ok := values[name]; return v, ok }
		want := &tool.Principal{ID: "console", Secrets: map[string]string{}, Tokens: map[string]string{}, Claims: map[string]string{}}
		if values["user_id"] != "" {
			want.UserID = "1"
		}
		if values["authorization"] != "" {
			want.Authorization = "1"
		}
		for kind, to := range map[string]map[string]string{"secret": want.Secrets, "token": want.Tokens, "claim": want.Claims} {
			if values[kind] != "" {
				to["an "+kind] = "1"
			}
		}
		if got := r.caller(); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, want %+v", values, got, want)
		}
		if i < len(kinds) {
			values[kinds[i]] = "1"
		}
	}
	for _, kind := range kinds {
		values[kind] = ""
	}
	if got := r.caller(); got.UserID != "" || got.Authorization != "" || len(got.Secrets)+len(got.Tokens)+len(got.Claims) != 0 {
		t.Errorf("of empty variables: %+v", got)
	}
}

// bare is a program without tools, which logs when it is configured.
func bare(err error) Program {
	return Program{
		Docs: fstest.MapFS{"atip/atip.json": {Data: []byte(`{"name":"bare","version":"1","description":"Bare.","commands":{"ask":{"description":"Ask.","examples":["bare ask --a","x"]}}}`)}},
		Handler: func() (http.Handler, error) {
			slog.Error("noise")
			if err != nil {
				return nil, err
			}
			return serve.NewHandler(nil, serve.WithLogger(slog.New(slog.DiscardHandler)))
		},
	}
}

// TestVerbose: what is logged is shown to who asks for it, and what was set
// before is set again.
func TestVerbose(t *testing.T) {
	var written bytes.Buffer
	log.SetOutput(&written)
	defer log.SetOutput(os.Stderr)
	var talk bytes.Buffer
	p := bare(errors.New("not\n\nconfigured"))
	call := func(args ...string) int {
		written.Reset()
		talk.Reset()
		return p.Run(t.Context(), Console{Args: append([]string{"bare.exe", "ask"}, args...), Stdout: &talk, Stderr: &talk, Lookup: os.LookupEnv})
	}
	if code := call(); code != 1 || written.Len() != 0 || talk.String() != "bare: not\nbare: configured\n" {
		t.Errorf("%d: %q, %q", code, &written, &talk)
	}
	if code := call("--verbose"); code != 1 || !regexp.MustCompile(`^\S+ \S+ ERROR noise\n$`).MatchString(written.String()) {
		t.Errorf("%d: %q", code, &written)
	}
	written.Reset()
	if slog.Info("after"); written.Len() == 0 {
		t.Error("nothing is logged any more")
	}
}

// stopper ends a program once it has said something.
type stopper struct {
	bytes.Buffer
	stop context.CancelFunc
}

func (s *stopper) Write(p []byte) (int, error) {
	s.stop()
	return s.Buffer.Write(p)
}

// TestBound: a server says where it listens, unless its program wants to.
func TestBound(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	talk := &stopper{stop: stop}
	p := bare(nil)
	p.Serve.DrainDelay = -1
	code := p.Run(ctx, Console{Args: []string{"bare", "serve", "--addr", "127.0.0.1:0"}, Stdout: talk, Stderr: talk, Lookup: os.LookupEnv})
	if code != 0 || !regexp.MustCompile(`^listening on 127\.0\.0\.1:[1-9][0-9]*\n$`).MatchString(talk.String()) {
		t.Errorf("%d: %q", code, talk.String())
	}
}

// TestUndescribed: a package without a description of its commands, or with one
// that cannot be read.
func TestUndescribed(t *testing.T) {
	for data, want := range map[string]string{
		"":  "shop: the package has no description of its commands: open atip/atip.json: file does not exist\n   = fix: run \"sculpt generate\" again\n",
		"[": "shop: atip/atip.json: unexpected EOF\n   = fix: run \"sculpt generate\" again\n",
	} {
		p := Program{Docs: fstest.MapFS{}}
		if data != "" {
			p.Docs = fstest.MapFS{"atip/atip.json": {Data: []byte(data)}}
		}
		var talk bytes.Buffer
		if code := p.Run(t.Context(), Console{Args: []string{"/usr/bin/shop.exe"}, Stderr: &talk}); code != 1 || talk.String() != want {
			t.Errorf("%d: %s", code, &talk)
		}
	}
	var talk bytes.Buffer
	p := Program{Docs: fstest.MapFS{}}
	if code := p.Run(t.Context(), Console{Stderr: &talk}); code != 1 || !bytes.HasPrefix(talk.Bytes(), []byte(": the package has")) {
		t.Errorf("without arguments: %d, %s", code, &talk)
	}
}
