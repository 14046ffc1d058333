package clinic_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/examples/clinic"
	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
	"github.com/sculpt-tools/sculpt/examples/clinic/internal/signin"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/doors"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// firstDay is a Sunday; the calendar of the clinic begins the day after.
func firstDay() time.Time { return time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC) }

// Who calls: two patients, nobody, and somebody with a token of their own making.
var (
	mara   = signedIn(backend.TokenMara, backend.PINMara)
	tomas  = signedIn(backend.TokenTomas, backend.PINTomas)
	forger = signedIn("demo-token-of-maria", "nobody-0000-00")
	nobody = doors.Caller{}
)

// secrets must never be said, whatever is asked by whom.
var secrets = []string{backend.APIKey, backend.TokenMara, backend.TokenTomas, backend.PINMara, backend.PINTomas, "demo-token-of-maria", "nobody-0000-00"}

// signedIn is a caller with a token, at every door.
func signedIn(token, pin string) doors.Caller {
	return doors.Caller{
		Principal: &tool.Principal{ID: "agent", UserID: token, Authorization: "Bearer " + token, Secrets: map[string]string{"patient_pin": pin}},
		Headers:   []string{"Authorization: Bearer " + token, signin.PINHeader + ": " + pin},
		Env:       map[string]string{"CLINIC_AUTHORIZATION": "Bearer " + token, "CLINIC_SECRET_PATIENT_PIN": pin},
	}
}

// atDocument sends requests to a handler as if it were at the address of the
// document.
type atDocument struct{ http.Handler }

func (a atDocument) RoundTrip(r *http.Request) (*http.Response, error) {
	asked := r.Clone(r.Context())
	if asked.Body == nil {
		asked.Body = http.NoBody // as a server has it
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, asked)
	answer := w.Result()
	answer.Request = r
	return answer, nil
}

// serveFor serves the tools over a backend, to a caller. All that is answered and
// logged is searched for secrets when the test ends.
func serveFor(t testing.TB, who doors.Caller, api upstream.API, options ...serve.Option) *doors.Served {
	t.Helper()
	tools, err := clinic.New(clinic.Config{Clinic: api, ClinicAPIKey: backend.APIKey})
	if err != nil {
		t.Fatal(err)
	}
	patients := &signin.Patients{URL: "https://api.lakeside-clinic.example/v2/me", Transport: api.Transport, Key: backend.APIKey, Tenant: "lakeside"}
	if api.Handler != nil {
		patients.Transport = atDocument{api.Handler}
	}
	said := &ear{}
	log := slog.New(slog.NewJSONHandler(said, &slog.HandlerOptions{Level: slog.LevelDebug}))
	options = append([]serve.Option{serve.WithAuthenticator(patients), serve.WithLogger(log), serve.WithClock(firstDay)}, options...)
	plain, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { said.search(t) })
	return &doors.Served{
		Program: "clinic", Docs: clinic.Docs(), Set: tools.Toolset(), Caller: who, Method: doors.MethodOf(tools),
		Plain: plain, Judged: golden.Judged(t, said.at(plain)),
	}
}

// overClinic serves the tools over a clinic.
func overClinic(t testing.TB, who doors.Caller, c http.Handler) *doors.Served {
	t.Helper()
	return serveFor(t, who, upstream.API{Handler: c})
}

// An ear hears what is answered and logged, by several goroutines.
type ear struct {
	mu   sync.Mutex
	data bytes.Buffer
}

// Write implements io.Writer.
func (e *ear) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.data.Write(p)
}

// at passes requests on and listens to the answers.
func (e *ear) at(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&eavesdropped{w, e}, r)
		_ = w.Header().Write(e) // nothing that is written to fails
	})
}

type eavesdropped struct {
	http.ResponseWriter
	ear *ear
}

func (w *eavesdropped) Write(p []byte) (int, error) {
	return io.MultiWriter(w.ResponseWriter, w.ear).Write(p)
}

func (e *ear) search(t testing.TB) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	searchSecrets(t, "an answer or the log", e.data.Bytes())
}

func searchSecrets(t testing.TB, where string, data []byte) {
	t.Helper()
	for _, secret := range secrets {
		if at := bytes.Index(data, []byte(secret)); at >= 0 {
			t.Errorf("%s holds %s: %.200s", where, secret, data[max(0, at-80):])
		}
	}
}

// call calls a version of a tool in process; 0 is the current one.
func call(t testing.TB, s *doors.Served, name string, version int, inputs string) (map[string]any, *tool.Error) {
	t.Helper()
	var args tool.Args
	if err := json.Unmarshal([]byte(inputs), &args); err != nil {
		t.Fatal(err)
	}
	ctx := tool.WithPrincipal(context.Background(), s.Caller.Principal)
	result, err := serve.Invoke(ctx, s.Set, name, version, args)
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

// brokenly answers instead of a clinic.
type brokenly func(w http.ResponseWriter, r *http.Request, clinic http.Handler)

// broken is a clinic that does otherwise at one place: a method and the end of a
// path.
type broken struct {
	http.Handler
	method, path string
	instead      brokenly
}

func (b *broken) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == b.method && strings.HasSuffix(r.URL.Path, b.path) {
		b.instead(w, r, b.Handler)
		return
	}
	b.Handler.ServeHTTP(w, r)
}

func answers(status int, media, body string) brokenly {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// hangs never answers.
func hangs(_ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() }

// worksAndHangs does what it is asked for, and never says so.
func worksAndHangs(_ http.ResponseWriter, r *http.Request, clinic http.Handler) {
	clinic.ServeHTTP(httptest.NewRecorder(), r)
	<-r.Context().Done()
}
