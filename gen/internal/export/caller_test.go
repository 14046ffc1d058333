package export_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A value of the caller that several tools read is one variable, and each of
// them says so; required is what no tool works without.
func TestCallerValuesAreShared(t *testing.T) {
	tool := func(name string, needs signature.Needs) *signature.Signature {
		return &signature.Signature{
			ID: "6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11", Name: name, Toolkit: "Kit", ToolName: "Tool", Version: 1, Description: "A tool.", Needs: needs,
			Effects: signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true},
		}
	}
	one := tool("one", signature.Needs{UserID: true, Secrets: []string{"key"}, Claims: []string{"plan"}})
	two := tool("two", signature.Needs{UserID: true, Secrets: []string{"other", "key"}, Tokens: []string{"mail"}})
	three := tool("three", signature.Needs{Secrets: []string{"key"}, Tokens: []string{"mail"}, Claims: []string{"plan"}})
	shown := func(p export.Program, tools ...*signature.Signature) string {
		var doc struct {
			Authentication struct {
				Required bool
				Methods  []struct{ Type, EnvVar, Description string }
			}
			Caller []map[string]any `json:"x-caller"`
		}
		if err := json.Unmarshal(export.ATIP(p, tools).Data, &doc); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, c := range doc.Caller {
			fmt.Fprintln(&b, c["kind"], c["id"], c["envVar"])
		}
		for _, m := range doc.Authentication.Methods {
			fmt.Fprintf(&b, "%s %s %s\n", m.Type, m.EnvVar, m.Description)
		}
		return fmt.Sprintf("%srequired %t\n", b.String(), doc.Authentication.Required)
	}
	kit := export.Program{Name: "kit", Face: export.Face{Toolkit: "Kit"}}
	for _, c := range []struct {
		p     export.Program
		tools []*signature.Signature
		want  string
	}{
		{kit, []*signature.Signature{one, two, three}, `user_id  KIT_USER_ID
secret key KIT_SECRET_KEY
claim plan KIT_CLAIM_PLAN
token mail KIT_TOKEN_MAIL
secret other KIT_SECRET_OTHER
api-key KIT_SECRET_KEY The secret key.
token KIT_TOKEN_MAIL The token of mail.
api-key KIT_SECRET_OTHER The secret other.
required true
`},
		{kit, []*signature.Signature{one}, `user_id  KIT_USER_ID
secret key KIT_SECRET_KEY
claim plan KIT_CLAIM_PLAN
api-key KIT_SECRET_KEY The secret key.
required true
`},
		{kit, []*signature.Signature{two, tool("none", signature.Needs{})}, `user_id  KIT_USER_ID
secret other KIT_SECRET_OTHER
secret key KIT_SECRET_KEY
token mail KIT_TOKEN_MAIL
api-key KIT_SECRET_OTHER The secret other.
api-key KIT_SECRET_KEY The secret key.
token KIT_TOKEN_MAIL The token of mail.
required false
`},
		{export.Program{Name: "kit", Caller: true, Face: kit.Face}, []*signature.Signature{two, tool("none", signature.Needs{})}, `authorization  KIT_AUTHORIZATION
user_id  KIT_USER_ID
secret other KIT_SECRET_OTHER
secret key KIT_SECRET_KEY
token mail KIT_TOKEN_MAIL
token KIT_AUTHORIZATION The header Authorization, such as Bearer and a token, that is passed on.
api-key KIT_SECRET_OTHER The secret other.
api-key KIT_SECRET_KEY The secret key.
token KIT_TOKEN_MAIL The token of mail.
required true
`},
	} {
		if diff := cmp.Diff(c.want, shown(c.p, c.tools...)); diff != "" {
			t.Error(diff)
		}
	}
}

// Texts in other languages stand beside the English ones of the tool, each
// language once; what the vendor wrote for English is what holds.
func TestLanguagesStandOnce(t *testing.T) {
	s, _ := weather()
	s.Description, s.Notes.Localization = "Get the weather.", []signature.Localization{
		{Language: "de", Description: "Wetter holen.", WhenToUse: "Bei Fragen."}, {Language: "en", Description: "Fetch weather.", WhenToUse: "Asked for it."}, {Language: "fr", Description: "Le temps.", WhenToUse: "Toujours."},
	}
	var got string
	for name, data := range documents(t, s) {
		if strings.Contains(name, "enhanced") {
			var doc struct{ Localization json.RawMessage }
			if err := json.Unmarshal(data, &doc); err != nil {
				t.Fatal(err)
			}
			got = strings.Join(strings.Fields(string(doc.Localization)), " ")
		}
	}
	if want := `{"en":{"description":"Fetch weather.","when_to_use":"Asked for it."},"de":{"description":"Wetter holen.","when_to_use":"Bei Fragen."},"fr":{"description":"Le temps.","when_to_use":"Toujours."}}`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
