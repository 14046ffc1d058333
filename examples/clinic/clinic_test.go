package clinic_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/examples/clinic"
	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
	"github.com/sculpt-tools/sculpt/examples/clinic/internal/signin"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// firstDay is a Sunday; the calendar of the clinic begins the day after.
func firstDay() time.Time { return time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC) }

// A caller is a patient with what they sign in with.
type caller struct{ token, pin string }

var (
	mara   = caller{backend.TokenMara, backend.PINMara}
	tomas  = caller{backend.TokenTomas, backend.PINTomas}
	nobody = caller{}
	forger = caller{token: "demo-token-of-maria", pin: "00000"}
)

// secrets must never leave, whatever is asked of whom.
var secrets = []string{backend.APIKey, backend.TokenMara, backend.TokenTomas, backend.PINMara, backend.PINTomas, forger.token}

// served is the tools over one backend, with all that they say.
type served struct {
	tools   *clinic.Tools
	set     tool.Toolset
	handler http.Handler
	log     *lockedBuffer
}

// A lockedBuffer is written to by several goroutines.
type lockedBuffer struct {
	mu   sync.Mutex
	data bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.String()
}

func serveOver(t testing.TB, api upstream.API, options ...serve.Option) *served {
	t.Helper()
	tools, err := clinic.New(clinic.Config{Clinic: api, ClinicAPIKey: backend.APIKey})
	if err != nil {
		t.Fatal(err)
	}
	s := &served{tools: tools, set: tools.Toolset(), log: &lockedBuffer{}}
	transport := api.Transport
	if api.Handler != nil {
		transport = atDocument{api.Handler}
	}
	options = append([]serve.Option{
		serve.WithAuthenticator(&signin.Patients{URL: "https://api.lakeside-clinic.example/v2/me", Transport: transport, Key: backend.APIKey, Tenant: "lakeside"}),
		serve.WithLogger(slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
		serve.WithUnreleased(), serve.WithClock(firstDay),
	}, options...)
	if s.handler, err = serve.NewHandler([]tool.Toolset{s.set}, options...); err != nil {
		t.Fatal(err)
	}
	return s
}

// as is the context of somebody's call in process.
func (c caller) as(ctx context.Context) context.Context {
	p := &tool.Principal{ID: c.token, UserID: c.token, Secrets: map[string]string{"patient_pin": c.pin}}
	if c.token != "" {
		p.Authorization = "Bearer " + c.token
	}
	return tool.WithPrincipal(ctx, p)
}

// call calls a version of a tool in process; 0 is the current one.
func (s *served) call(t testing.TB, c caller, name string, version int, inputs string) (map[string]any, *tool.Error) {
	t.Helper()
	var args tool.Args
	if err := json.Unmarshal([]byte(inputs), &args); err != nil {
		t.Fatal(err)
	}
	result, err := serve.Invoke(c.as(t.Context()), s.set, name, version, args)
	if err != nil {
		var e *tool.Error
		if !errors.As(err, &e) {
			t.Fatalf("%v is no error of the run time", err)
		}
		return nil, e
	}
	values := map[string]any{}
	if err := json.Unmarshal(result.AppendJSON(nil), &values); err != nil {
		t.Fatal(err)
	}
	return values, nil
}

func (s *served) mustCall(t testing.TB, c caller, name string, version int, inputs string) map[string]any {
	t.Helper()
	values, err := s.call(t, c, name, version, inputs)
	if err != nil {
		t.Fatalf("%s %s: %v", name, inputs, err)
	}
	return values
}

func (s *served) tool(t testing.TB, name string) *tool.Tool {
	t.Helper()
	at := slices.IndexFunc(s.set.Tools, func(t tool.Tool) bool { return t.Name == name })
	if at < 0 {
		t.Fatalf("there is no tool %q", name)
	}
	return &s.set.Tools[at]
}
