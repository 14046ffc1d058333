package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// What is announced of the end of a tool is read from its document and from the
// headers, also where the document is the one that was kept.
func TestEnding(t *testing.T) {
	sunset := "Thu, 01 Apr 2027 00:00:00 GMT"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Deprecation", "@1767225600")
		w.Header().Set("Sunset", sunset)
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, `{"toolId":"i","name":"n","version":1,"deprecated":{"use":"other"}}`)
	}))
	defer server.Close()
	s, err := New(ProtocolA2T, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2027-04-01", "2027-05-01"} {
		got, err := s.Tool(t.Context(), "i")
		if err != nil || got.Deprecated != "2026-01-01" || got.Sunset != want || got.Use != "other" {
			t.Errorf("%+v %v, want %s", got, err, want)
		}
		sunset = "Sat, 01 May 2027 00:00:00 GMT"
	}
}

// A document that was kept is the tool that was read, in every protocol.
func TestReadTool(t *testing.T) {
	for p, document := range map[Protocol]string{
		ProtocolA2T: `{"toolId":"n","name":"n","version":2,"input_parameters":[{"name":"x"}],"deprecated":true}`,
		ProtocolOTC: `{"id":"n","name":"n","version":"2.1.0","input_schema":{"properties":{"x":{"type":"string"}}}}`,
		ProtocolMCP: `{"name":"n","inputSchema":{"properties":{"x":{"type":"string"}}}}`,
	} {
		got, err := ReadTool(p, []byte(document))
		if err != nil || got.ID != "n" || got.Protocol != p || got.Input("x") == nil || string(got.Document) != document {
			t.Errorf("%s: %+v %v", p, got, err)
		}
		if _, err := ReadTool(p, []byte(`{}`)); err == nil {
			t.Errorf("%s: nothing is a tool", p)
		}
	}
	if _, err := ReadTool("soap", []byte(`{}`)); err == nil {
		t.Error("soap is read")
	}
}

// A refusal names where to sign in, whatever its body is.
func TestChallengeOfMCP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://x.example/.well-known/oauth-protected-resource"`)
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}`)
	}))
	defer server.Close()
	s, err := New(ProtocolMCP, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Tools(t.Context())
	if e, ok := errors.AsType[*Error](err); !ok || e.Metadata != "https://x.example/.well-known/oauth-protected-resource" {
		t.Errorf("%v", err)
	}
}
