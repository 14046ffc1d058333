package atip

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrust: what a description says of its program is verified, or the program is
// refused with what is missing (ATIP 3.2.2).
func TestTrust(t *testing.T) {
	const text = "#!/bin/sh\ncat \"$0.json\"\n"
	sum256, sum384, sum512 := sha256.Sum256([]byte(text)), sha512.Sum384([]byte(text)), sha512.Sum512([]byte(text))
	refused := errors.New("the identity is another one")
	cosign := `"signature":{"type":"cosign","identity":"release@tools.example","issuer":"https://id.example"}`
	for name, c := range map[string]struct {
		trust  string
		verify error
		// asked says that Verify is set, want is a part of the problem, "" for none.
		asked bool
		want  string
	}{
		"nothing":           {`"source":"native","verified":true`, nil, false, ""},
		"sha256":            {fmt.Sprintf(`"integrity":{"checksum":"sha256:%x"}`, sum256), nil, false, ""},
		"sha384":            {fmt.Sprintf(`"integrity":{"checksum":"sha384:%x"}`, sum384), nil, false, ""},
		"sha512":            {fmt.Sprintf(`"integrity":{"checksum":"SHA512:%X"}`, sum512), nil, false, ""},
		"another sha512":    {fmt.Sprintf(`"integrity":{"checksum":"sha512:%x"}`, sha512.Sum512(nil)), nil, false, "its checksum is not that of its description"},
		"md5":               {`"integrity":{"checksum":"md5:d41d8cd98f00b204e9800998ecf8427e"}`, nil, false, `its checksum is by "md5", and not by sha256, sha384 or sha512`},
		"signature":         {`"integrity":{` + cosign + `}`, nil, false, "its description names a signature by cosign, which nothing here verifies"},
		"signed shim":       {`"shimIntegrity":{"signature":{"type":"minisign"}}`, nil, false, "a signature by minisign, which nothing"},
		"signed otherwise":  {cosign, nil, false, "a signature by cosign, which nothing"},
		"provenance":        {`"integrity":{` + cosign + `},"provenance":{"url":"https://x.example/a","format":"slsa-provenance-v1","slsaLevel":3}`, nil, false, "a signature by cosign and provenance as slsa-provenance-v1, which nothing"},
		"verified":          {`"integrity":{` + cosign + `}`, nil, true, ""},
		"not verified":      {`"integrity":{` + cosign + `}`, refused, true, "which does not hold: the identity is another one"},
		"checksum at first": {`"integrity":{"checksum":"sha256:00",` + cosign + `}`, nil, true, "its checksum is not that"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			path := program(t, dir, "tool", text)
			doc := `{"atip":{"version":"0.6"},"name":"tool","version":"1","description":"A tool.","trust":{` + c.trust + `},"commands":{"do":{"description":"Do it."}}}`
			if err := os.WriteFile(filepath.Join(dir, "tool.json"), []byte(doc), 0o600); err != nil {
				t.Fatal(err)
			}
			f := Finder{Path: []string{dir}}
			asked := 0
			if c.asked {
				f.Verify = func(_ context.Context, at string, description json.RawMessage) error {
					asked++
					if at != path || !strings.Contains(string(description), "release@tools.example") {
						t.Errorf("asked of %s: %s", at, description)
					}
					return c.verify
				}
			}
			programs, problems := find(t, f)
			switch {
			case c.want == "" && (len(programs) != 1 || problems != nil):
				t.Errorf("%v %v", programs, problems)
			case c.want != "" && (len(programs) != 0 || len(problems) != 1 || !strings.Contains(problems[0].Err.Error(), c.want)):
				t.Errorf("%v %v", programs, problems)
			}
			if wanted := c.asked && !strings.Contains(c.want, "checksum"); wanted != (asked == 1) {
				t.Errorf("it was asked %d times", asked)
			}
		})
	}
}
