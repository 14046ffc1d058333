// Package signin lets those patients call the tools whom the clinic knows: it
// asks the clinic whose token a request carries. It imports the standard library
// and this module's tool only.
package signin

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// Patients is an Authenticator of package serve.
type Patients struct {
	// URL is the operation getMe.
	URL string
	// Transport is nil for that of net/http.
	Transport http.RoundTripper
	// Key and Tenant are what the program itself is known by.
	Key, Tenant string
}

// PINHeader is where a caller sends what only refills want. It is not part of the
// call, so no model sees it; OTC has a place of its own for it, too.
const PINHeader = "X-Patient-Pin"

var errNotSignedIn = errors.New("the clinic does not know the token")

// Authenticate asks the clinic who calls.
func (p *Patients) Authenticate(r *http.Request) (*tool.Principal, error) {
	token := r.Header["Authorization"]
	if len(token) != 1 || !strings.HasPrefix(token[0], "Bearer ") {
		return nil, errNotSignedIn
	}
	ask, err := http.NewRequestWithContext(r.Context(), http.MethodGet, p.URL, nil)
	if err != nil {
		return nil, err
	}
	ask.Header.Set("Authorization", token[0])
	ask.Header.Set("X-Api-Key", p.Key)
	ask.Header.Set("X-Tenant", p.Tenant)
	client := http.Client{Transport: p.Transport}
	answer, err := client.Do(ask)
	if err != nil {
		return nil, &tool.Error{Kind: tool.KindUnavailable, Err: err}
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusUnauthorized:
		return nil, errNotSignedIn
	case answer.StatusCode != http.StatusOK:
		return nil, &tool.Error{Kind: tool.KindUnavailable, Err: fmt.Errorf("the clinic answers %d", answer.StatusCode)}
	}
	var me struct{ ID string }
	if err := json.NewDecoder(http.MaxBytesReader(nil, answer.Body, 1<<16)).Decode(&me); err != nil || me.ID == "" {
		return nil, &tool.Error{Kind: tool.KindUnavailable, Err: errors.New("the clinic does not say who that is")}
	}
	who := &tool.Principal{ID: me.ID, UserID: me.ID, Authorization: token[0]}
	if pin := r.Header.Get(PINHeader); pin != "" {
		who.Secrets = map[string]string{"patient_pin": pin}
	}
	return who, nil
}
