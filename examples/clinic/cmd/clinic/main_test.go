package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
)

// TestOutOfTheBox: with nothing configured the program plays the clinic, and lets
// in its patients and nobody else.
func TestOutOfTheBox(t *testing.T) {
	for _, name := range []string{"CLINIC_BASE_URL", "CLINIC_API_KEY", "CLINIC_TENANT"} {
		t.Setenv(name, "")
	}
	h, err := handler()
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]int{"": http.StatusUnauthorized, "made-up": http.StatusUnauthorized, backend.TokenMara: http.StatusOK} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/a2t/tools", http.NoBody)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%q: status %d: %s", token, w.Code, w.Body)
		}
	}
}

// TestARealOne: a clinic elsewhere wants its key.
func TestARealOne(t *testing.T) {
	t.Setenv("CLINIC_BASE_URL", "https://clinic.invalid/v2")
	t.Setenv("CLINIC_API_KEY", "")
	if _, err := handler(); err == nil {
		t.Error("it starts without a key")
	}
}
