package pins

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/client"
)

// mostDoors bounds what is read of a page that may name the doors of a server.
const mostDoors = 1 << 20

// discover finds out what a server speaks: one of sculpt names its doors, any other
// is tried. Protocol and address of the provider are then those that were found.
func (o *Opener) discover(ctx context.Context, p *Provider, options []client.Option) (*client.Server, error) {
	tries := o.doors(ctx, p.URL)
	if tries == nil {
		at := strings.TrimSuffix(strings.TrimRight(p.URL, "/"), "/tools")
		tries = []door{{client.ProtocolA2T, at}, {client.ProtocolOTC, at}, {client.ProtocolMCP, p.URL}}
	}
	var first error
	var empty *client.Server
	for _, d := range tries {
		server, err := client.New(d.Protocol, d.At, options...)
		if err != nil {
			first = cmp.Or(first, err)
			continue
		}
		tools, err := server.Tools(ctx)
		switch {
		case refused(err):
			return nil, err
		case slices.ContainsFunc(tools, func(t *client.Tool) bool { return t.Broken == nil }):
			return p.found(server), nil
		case err == nil && len(tools) == 0 && empty == nil:
			empty = server // which may be the list of another protocol
		}
		first = cmp.Or(first, err)
	}
	if empty != nil {
		return p.found(empty), nil
	}
	return nil, fmt.Errorf("it speaks none of A2T, OTC and MCP: %w", cmp.Or(first, errors.New("no tool that it lists can be read")))
}

// found keeps what a provider turned out to be.
func (p *Provider) found(s *client.Server) *client.Server {
	p.Protocol, p.URL = s.Protocol(), s.Address()
	return s
}

// refused reports that the server wants a sign-in: other doors of it will, too.
func refused(err error) bool {
	e, ok := errors.AsType[*client.Error](err)
	return ok && e.Status == http.StatusUnauthorized
}

// A door is where a server speaks a protocol.
type door struct {
	Protocol client.Protocol
	At       string
}

// doors are those that a server names, nil where it names none. They are paths, so
// they lead nowhere else, and no credential is needed to see them.
func (o *Opener) doors(ctx context.Context, address string) []door {
	base, err := url.Parse(address)
	if err != nil {
		return nil
	}
	var face struct{ Doors []door }
	if o.fetch(ctx, address, &face) != nil {
		return nil
	}
	var found []door
	for _, word := range protocols {
		for _, d := range face.Doors {
			at, err := url.Parse(d.At)
			if string(d.Protocol) != word || err != nil || at.IsAbs() || at.Host != "" {
				continue
			}
			to := *base
			to.Path, to.RawQuery = strings.TrimRight(base.Path, "/")+"/"+strings.TrimLeft(at.Path, "/"), ""
			if d.Protocol != client.ProtocolMCP {
				to.Path = strings.TrimSuffix(to.Path, "/tools")
			}
			found = append(found, door{d.Protocol, to.String()})
		}
	}
	return found
}

// fetch reads a JSON document that anybody may read.
func (o *Opener) fetch(ctx context.Context, address string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	plain := *o.HTTP
	plain.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := plain.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostDoors))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return json.Unmarshal(body, into)
}

// Explain says in words why a provider could not be asked, and what to do. Where it
// wants a sign-in, its metadata name the authorization server (RFC 9728 5.1); they
// are read from its own origin alone, so that a server cannot send us elsewhere.
func (o *Opener) Explain(ctx context.Context, p *Provider, err error) (text, fix string) {
	if p.Program != "" {
		return err.Error(), "install the program, or correct its path; tools of programs are listed and not pinned"
	}
	e, ok := errors.AsType[*client.Error](err)
	if !ok || e.Status != http.StatusUnauthorized {
		return err.Error(), "start the server, or correct its address in the file of providers"
	}
	text, fix = "it wants a sign-in", "give provider "+p.Name+" a credential in the file of providers"
	at, _ := url.Parse(e.Metadata)
	home, _ := url.Parse(p.URL)
	if e.Metadata == "" || at == nil || home == nil || at.Scheme != home.Scheme || at.Host != home.Host {
		return text, fix
	}
	var metadata struct {
		Servers []string `json:"authorization_servers"`
	}
	if o.fetch(ctx, e.Metadata, &metadata) == nil && len(metadata.Servers) > 0 {
		text += "; its authorization server is " + metadata.Servers[0]
		fix += ", with a token of " + metadata.Servers[0]
	}
	return text, fix
}
