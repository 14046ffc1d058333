// Command agent is an agent that works with the tools of two vendors and with a
// program, offline: a weather service over A2T, which sculpt made, a shop over Open
// Tool Calling, which it did not, and a clock that describes itself by --agent. A
// script stands for the model, in the format of each provider:
// What it may use of both is pinned in agents.pins.yaml.
//
//	go run ./examples/agent [--provider openai-chat|openai-responses|gemini|anthropic]
//
// With --model URL a real model of OpenAI's chat format is asked, with the key of
// MODEL_KEY and the name of MODEL.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/pins"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/client/agent"
	"github.com/sculpt-tools/sculpt/sculpt/client/atip"
)

func main() {
	if os.Getenv(clockVariable) != "" {
		os.Exit(clock(os.Args[1:], os.Stdout))
	}
	provider := flag.String("provider", string(agent.OpenAIChat), "the format of the model")
	model := flag.String("model", "", "the address of chat completions, instead of the script")
	recorded := flag.String("replay", "examples/nws/replay", "the exchanges of the weather service")
	flag.Parse()
	ask := scripted(agent.Provider(*provider))
	if *model != "" {
		*provider, ask = string(agent.OpenAIChat), remote(*model)
	}
	if err := run(context.Background(), agent.Provider(*provider), ask, *recorded, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

// An asker gives the model's answer to what was said so far.
type asker func(ctx context.Context, system string, tools json.RawMessage, said []json.RawMessage) ([]byte, error)

// mostTurns bounds how often the model may ask for more.
const mostTurns = 8

// run starts the vendors, lets the model work until it asks for nothing more, and
// writes down what happens.
func run(ctx context.Context, p agent.Provider, ask asker, recorded string, w io.Writer) error {
	weather, shop, stop, err := vendors(recorded, new(shopServer))
	if err != nil {
		return err
	}
	defer stop()
	return converse(ctx, p, ask, providersAt(weather, shop), w)
}

// converse lets the model work with the tools of vendors that are there.
func converse(ctx context.Context, p agent.Provider, ask asker, providers []*pins.Provider, w io.Writer) error {
	box, err := toolbox(ctx, providers, w)
	if err != nil {
		return err
	}
	tools, err := box.List(p)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, box.SafetyPrompt())
	var said []json.RawMessage
	for range mostTurns {
		answer, err := ask(ctx, box.SafetyPrompt(), tools, said)
		if err != nil {
			return err
		}
		calls, err := p.Calls(answer)
		if err != nil {
			return err
		}
		if len(calls) == 0 {
			return nil
		}
		outcomes := box.Run(ctx, calls)
		for _, o := range outcomes {
			times := ""
			if n := sent(o); n > 0 {
				times = fmt.Sprintf(" (sent %s)", map[bool]string{true: "once", false: fmt.Sprintf("%d times", n)}[n == 1])
			}
			fmt.Fprintf(w, "\n> %s %s\n< %s%s\n", o.Call.Name, o.Call.Arguments, o.Content, times)
		}
		messages, err := p.Messages(outcomes)
		if err != nil {
			return err
		}
		said = append(append(said, mine(p, answer)...), messages...)
	}
	return fmt.Errorf("the model asks for more after %d turns", mostTurns)
}

// sent counts how often a call went to a server.
func sent(o agent.Outcome) int {
	if o.Result != nil {
		return o.Result.Attempts
	}
	if e, failed := errors.AsType[*client.Error](o.Err); failed {
		return e.Attempts
	}
	return 0
}

// toolbox gathers what is pinned of both vendors, and the clock.
func toolbox(ctx context.Context, providers []*pins.Provider, w io.Writer) (*agent.Box, error) {
	entries, policy, err := pinnedTools(ctx, providers, w)
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	finder := atip.Finder{
		Machine: atip.Local([]string{clockVariable + "=1"}), Path: []string{filepath.Dir(program)}, Allow: []string{filepath.Base(program)},
	}
	programs, problems := finder.Find(ctx)
	if len(programs) != 1 {
		return nil, fmt.Errorf("the clock is not found: %v", problems)
	}
	for _, t := range programs[0].Tools() {
		entries = append(entries, agent.Entry{Server: programs[0], Tool: t})
	}
	slices.SortFunc(entries, func(a, b agent.Entry) int { return strings.Compare(a.Tool.Name, b.Tool.Name) })
	return agent.New(entries, agent.WithPolicy(policy))
}

// remote asks a model that speaks OpenAI's chat format.
func remote(address string) asker {
	return func(ctx context.Context, system string, tools json.RawMessage, said []json.RawMessage) ([]byte, error) {
		messages := []any{
			map[string]string{"role": "system", "content": system},
			map[string]string{"role": "user", "content": "What is the weather in Omaha, Nebraska, and what does an umbrella cost? What time is it?"},
		}
		for _, m := range said {
			messages = append(messages, m)
		}
		body, err := json.Marshal(map[string]any{"model": os.Getenv("MODEL"), "messages": messages, "tools": tools})
		if err != nil {
			return nil, err
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+os.Getenv("MODEL_KEY"))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(io.LimitReader(resp.Body, 8<<20))
		if err == nil && resp.StatusCode != http.StatusOK {
			err = fmt.Errorf("the model answers with %s: %s", resp.Status, answer[:min(len(answer), 300)])
		}
		return answer, err
	}
}
