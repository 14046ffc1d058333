package typed_test

import (
	_ "embed"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/client"
)

// node is where bench/conformance/client.sh has put TypeScript and the types of Node.
var node = flag.String("typed.node", "", "a folder in which the npm packages typescript and @types/node are installed")

//go:embed testdata/main.ts
var mainModule string

// A stub answers as the path says, and notes what was sent.
type stub struct {
	mu   sync.Mutex
	sent map[string]int
	keys map[string]map[string]bool
}

// stubbed are answers by the first word of the path: a status, and a body.
var stubbed = map[string]struct {
	status int
	body   string
}{
	"worthwhile": {503, `{"code":"backend_unavailable","retryable":true,"retry_after_ms":1}`},
	"pointless":  {503, `{"code":"backend_unavailable","retryable":false}`},
	"unsaid":     {502, `<html>`},
	"limited":    {429, `{}`},
	"issues":     {422, `{"code":"invalid_parameters","detail":"No.","errors":[{"parameter":"city","code":"length","detail":"Too long."}]}`},
	"rejected":   {422, `{"detail":"No such city."}`},
	"moved":      {307, `{}`},
	"nothing":    {200, `{}`},
	"garbage":    {200, `{"output_parameters":[`},
	"other":      {200, `{"output_parameters":[{"name":"temperature_f","value":"47"}]}`},
	"huge":       {200, `{"output_parameters":[{"name":"temperature_f","value":9007199254740993}]}`},
	"null":       {200, `{"output_parameters":[{"name":"__proto__","value":{"place":"x"}},{"name":"place","value":null}]}`},
	"missing":    {400, `{"message":"More.","missing_requirements":{"user_id":true,"secrets":[{"id":"s"}],"authorization":[{"id":"hub","url":"https://hub.example/go"}]}}`},
	"later":      {200, `{"result":{"success":false,"error":{"message":"Later.","can_retry":true,"retry_after_ms":1}}}`},
	"hinted":     {200, `{"result":{"success":false,"error":{"message":"Which?","can_retry":true,"additional_prompt_content":"Add the state."}}}`},
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	if name == "sent" { // how often each was sent, and with how many keys
		what := r.URL.Query().Get("of")
		_, _ = io.WriteString(w, strings.Repeat("+", s.sent[what])+strings.Repeat("k", len(s.keys[what])))
		return
	}
	s.sent[name]++
	if key := r.Header.Get("Idempotency-Key"); key != "" {
		if s.keys[name] == nil {
			s.keys[name] = map[string]bool{}
		}
		s.keys[name][key] = true
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Location", "/worthwhile")
	w.WriteHeader(stubbed[name].status)
	_, _ = io.WriteString(w, stubbed[name].body)
}

// TestTypeScript: modules compile under everything that tsc has to be strict, those
// of hostile servers too, and call servers from Node.
func TestTypeScript(t *testing.T) {
	if *node == "" {
		t.Skip("bench/conformance/client.sh runs this, with TypeScript of npm")
	}
	server := weather(t)
	strict := httptest.NewServer(&stub{sent: map[string]int{}, keys: map[string]map[string]bool{}})
	t.Cleanup(strict.Close)
	closed := httptest.NewServer(nil)
	closed.Close()
	source := filepath.Join(*node, "src")
	if err := os.MkdirAll(source, 0o755); err != nil {
		t.Fatal(err)
	}
	a2t := serviceAt(t, client.ProtocolA2T, server.URL+"/a2t")
	modules := map[string]string{
		"main.ts": mainModule, "a2t.ts": typeScript(t, a2t), "otc.ts": typeScript(t, serviceAt(t, client.ProtocolOTC, server.URL+"/otc")),
		"hostile_a2t.ts": typeScript(t, strange(t, client.ProtocolA2T)), "hostile_otc.ts": typeScript(t, strange(t, client.ProtocolOTC)),
	}
	for _, one := range a2t.Tools {
		one.Effects = nil // nothing is known of what they do
	}
	modules["unsaid.ts"] = typeScript(t, a2t)
	for name, text := range modules {
		if err := os.WriteFile(filepath.Join(source, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = *node
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	run(filepath.Join("node_modules", ".bin", "tsc"), "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--noImplicitOverride",
		"--noImplicitReturns", "--noFallthroughCasesInSwitch", "--noUnusedLocals", "--noUnusedParameters", "--isolatedModules", "--erasableSyntaxOnly", "--declaration", "--target", "es2022",
		"--module", "nodenext", "--outDir", "out", "src/main.ts", "src/hostile_a2t.ts", "src/hostile_otc.ts")
	if out := run("node", "out/main.js", server.URL, strict.URL, closed.URL); !strings.HasSuffix(out, "all called\n") {
		t.Error(out)
	}
	if out := run("node", "-e", `Promise.all(["a2t", "otc"].map((p) => import("./out/hostile_" + p + ".js"))).then((all) => console.log(all.map((m) => Object.keys(m).sort().join()).join(" ")))`); out != "Client,ToolError,address Client,ToolError,address\n" {
		t.Errorf("the modules of hostile servers export %s", out)
	}
}
