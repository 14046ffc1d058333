// Package typed writes callers of tools of any server, with a type for what each
// tool takes and one for what it gives.
//
//	service := &typed.Service{Protocol: client.ProtocolA2T, Address: "https://tools.example/a2t", Tools: tools}
//	source, err := service.Go("weather")
//	source, err = service.TypeScript()
//
// [Own] writes them for a generated package, over the structs that it has.
//
// Every text is that of a stranger: names become identifiers, or strings in quotes
// that no character leaves, and descriptions become comments that nothing ends
// early. The same tools give the same bytes, in whatever order they come.
//
// It imports the standard library, naming, and this module's client, tool and
// value.
package typed

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/sculpt/client"
)

// A Service is tools of one server.
type Service struct {
	Protocol client.Protocol
	// Address is where the server was when the tools were read.
	Address string
	Tools   []*client.Tool
}

// A method calls one version of one tool.
type method struct {
	*client.Tool
	// label is made into identifiers: the name of the tool, and of versions that are
	// not the newest of the service their number as well.
	label           string
	inputs, outputs []field
}

// methods puts the tools into an order of their own and reads their types.
func (s *Service) methods() ([]*method, error) {
	if len(s.Tools) == 0 {
		return nil, errors.New("there is no tool to call")
	}
	tools := slices.Clone(s.Tools)
	slices.SortFunc(tools, func(a, b *client.Tool) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID), cmp.Compare(b.Version, a.Version))
	})
	var all []*method
	for i, t := range tools {
		if t.Broken != nil {
			return nil, fmt.Errorf("%s cannot be called: %w", strconv.Quote(t.Name), t.Broken)
		}
		m := &method{Tool: t, label: t.Name, inputs: inputsOf(t), outputs: outputsOf(t)}
		if i > 0 && tools[i-1].ID == t.ID {
			if tools[i-1].Version == t.Version {
				continue
			}
			m.label += "_v" + strconv.Itoa(t.Version)
		}
		all = append(all, m)
	}
	return all, nil
}

// readOnly reports whether the server says that nothing changes.
func (m *method) readOnly() bool { return m.Effects != nil && m.Effects.ReadOnly }

// summary is what a comment says of a tool: first what it is, then its text.
func (m *method) summary() string {
	text := "calls " + strconv.QuoteToASCII(m.Name)
	if m.Version > 0 {
		text += ", version " + strconv.Itoa(m.Version)
	}
	return text + ". " + m.Description
}

// ending is what the server announces of the end of the tool, "" for nothing.
func (m *method) ending() string {
	if m.Deprecated == "" && m.Sunset == "" {
		return ""
	}
	text := "this version should not be used any more"
	if m.Sunset != "" {
		text += "; it is not served from " + m.Sunset + " on"
	}
	if m.Use != "" {
		text += "; use " + strconv.QuoteToASCII(m.Use)
	}
	return text + "."
}

// named gives every field an identifier that no other one has.
func named(fields []field, name func(string) string) []string {
	scope := naming.NewScope(nil)
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = scope.Unique(name(fields[i].wire))
	}
	return names
}
