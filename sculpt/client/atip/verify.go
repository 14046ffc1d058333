package atip

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// trust is what a description says of where it and its program come from. Signatures
// are found under several names in the texts of ATIP.
type trust struct {
	Source    string
	Signature *signature
	Integrity struct {
		Checksum  string
		Signature *signature
	}
	ShimIntegrity struct{ Signature *signature }
	Provenance    *struct{ Format string }
}

type signature struct{ Type string }

// claims are what somebody has to verify who wants to know that they hold. A
// signature by cosign leads to a root of trust and a log, one by gpg or minisign to a
// key, and the description has none of these.
func (t *trust) claims() []string {
	var all []string
	for _, s := range []*signature{t.Integrity.Signature, t.Signature, t.ShimIntegrity.Signature} {
		if s != nil {
			all = append(all, named("a signature", " by ", s.Type))
		}
	}
	if t.Provenance != nil {
		all = append(all, named("provenance", " as ", t.Provenance.Format))
	}
	return all
}

func named(what, by, kind string) string {
	if kind == "" {
		return what
	}
	return what + by + tool.Clip(kind)
}

// verify holds a program against its description. A checksum that is not that of the
// program says that one of the two is not what it was.
func (f *Finder) verify(ctx context.Context, c *candidate, doc *document, text []byte) error {
	for _, sum := range []string{doc.Trust.Integrity.Checksum, doc.Binary.Hash} {
		if sum == "" {
			continue
		}
		got, err := f.checksum(c, sum)
		if err != nil {
			return err
		}
		if !strings.EqualFold(sum, got) {
			return errors.New("its checksum is not that of its description")
		}
	}
	claims := doc.Trust.claims()
	if claims == nil {
		return nil
	}
	said := "its description names " + strings.Join(claims, " and ")
	if f.Verify == nil {
		return errors.New(said + ", which nothing here verifies")
	}
	if err := f.Verify(ctx, c.path, text); err != nil {
		return fmt.Errorf("%s, which does not hold: %w", said, err)
	}
	return nil
}

// checksum is that of the program by the algorithm that a description names.
func (f *Finder) checksum(c *candidate, wanted string) (string, error) {
	algorithm, _, _ := strings.Cut(wanted, ":")
	algorithm = strings.ToLower(algorithm)
	var digest []byte
	switch algorithm {
	case "sha256":
		if c.hash == "" {
			hash, err := f.Machine.Hash(c.path)
			if err != nil {
				return "", err
			}
			c.hash = hash
		}
		return algorithm + ":" + c.hash, nil
	case "sha384", "sha512":
		program, err := f.Machine.Read(c.path)
		if err != nil {
			return "", err
		}
		long, short := sha512.Sum512(program), sha512.Sum384(program)
		if digest = long[:]; algorithm == "sha384" {
			digest = short[:]
		}
		return algorithm + ":" + hex.EncodeToString(digest), nil
	}
	return "", fmt.Errorf("its checksum is by %q, and not by sha256, sha384 or sha512", tool.Clip(algorithm))
}
