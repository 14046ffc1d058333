package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/pins"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/client/agent"
)

const pinsName = "agents.pins.yaml"

// pinned are the tools that this agent was designed for, as "sculpt pin" keeps them.
//
//go:embed agents.pins.yaml
var pinned []byte

// providersAt are the vendors, where they listen now.
func providersAt(weather, shop string) []*pins.Provider {
	return []*pins.Provider{{Name: "weather", Protocol: client.ProtocolA2T, URL: weather}, {Name: "shop", Protocol: client.ProtocolOTC, URL: shop}}
}

// pinnedTools are the tools that are pinned, with what their designer allows. What a
// server does not keep to is told and left out.
func pinnedTools(ctx context.Context, providers []*pins.Provider, w io.Writer) ([]agent.Entry, agent.Policy, error) {
	// Somebody would be asked about what may do harm, who agrees here.
	policy := agent.Policy{Confirm: func(context.Context, agent.Call, *client.Tool, []string) (bool, error) { return true, nil }}
	file, findings := pins.ReadFile(pinsName, pinned)
	if len(findings) > 0 {
		return nil, policy, fmt.Errorf("%s: %s", pinsName, findings[0].Message)
	}
	opener := &pins.Opener{
		HTTP:   &http.Client{Timeout: 10 * time.Second},
		Secret: func(string) (string, error) { return "", errors.New("this agent has no secrets") },
	}
	broken := map[string]bool{}
	for _, f := range pins.Check(ctx, file, opener, providers).Findings {
		if f.Severity == diag.Error {
			fmt.Fprintf(w, "! %s\n", f.Message)
			broken[f.Tool] = true
		}
	}
	var entries []agent.Entry
	for _, p := range file.Pins {
		if p.Policy == "denied" {
			policy.Denied = append(policy.Denied, p.Name)
		}
		for _, known := range providers {
			if known.Name != p.Provider.Name || broken[p.Name] {
				continue
			}
			server, err := opener.Open(ctx, known)
			if err != nil {
				return nil, policy, err
			}
			entries = append(entries, agent.Entry{Server: server, Tool: p.Tool, Name: p.Name, Description: p.Text, Wait: p.Wait})
		}
	}
	return entries, policy, nil
}
