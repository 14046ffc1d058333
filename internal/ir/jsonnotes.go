package ir

import "github.com/sculpt-tools/sculpt/internal/signature"

// A notesDoc is what is published of a tool and not locked, in the words of
// the manifest. The errors of the tool stand in its steps.
type notesDoc struct {
	Author        string                     `json:"author,omitempty"`
	Category      string                     `json:"category,omitempty"`
	Homepage      string                     `json:"homepage,omitempty"`
	Created       string                     `json:"created,omitempty"`
	Updated       string                     `json:"updated,omitempty"`
	Success       string                     `json:"success,omitempty"`
	Localization  map[string]localizationDoc `json:"localization,omitempty"`
	Prerequisites prerequisitesDoc           `json:"prerequisites,omitzero"`
	Feedback      feedbackDoc                `json:"feedback,omitzero"`
	Creates       []string                   `json:"creates,omitempty"`
	Modifies      []string                   `json:"modifies,omitempty"`
	Deletes       []string                   `json:"deletes,omitempty"`
	Cost          string                     `json:"cost,omitempty"`
	Duration      string                     `json:"duration,omitempty"`
	MCPHeaders    map[string]string          `json:"mcp_headers,omitempty"`
	Deadline      string                     `json:"deadline"`
}

type localizationDoc struct {
	Description string `json:"description"`
	WhenToUse   string `json:"when_to_use"`
}

type prerequisitesDoc struct {
	Tools      []string `json:"tools,omitempty"`
	Conditions []string `json:"conditions,omitempty"`
}

type feedbackDoc struct {
	Progress   []string `json:"progress,omitempty"`
	Completion []string `json:"completion,omitempty"`
}

func notesOf(s *signature.Signature) notesDoc {
	n := &s.Notes
	d := notesDoc{
		Author: n.Author, Category: n.Category, Homepage: n.Homepage, Created: n.Created, Updated: n.Updated, Success: n.Success,
		Prerequisites: prerequisitesDoc{n.Tools, n.Conditions}, Feedback: feedbackDoc{n.Progress, n.Completion},
		Creates: n.Creates, Modifies: n.Modifies, Deletes: n.Deletes, Cost: n.Cost, Duration: n.Typical, Deadline: n.Deadline.String(),
	}
	for _, l := range n.Localization {
		if d.Localization == nil {
			d.Localization = map[string]localizationDoc{}
		}
		d.Localization[l.Language] = localizationDoc{l.Description, l.WhenToUse}
	}
	for i := range s.Inputs {
		if in := &s.Inputs[i]; in.MCPHeader != "" {
			if d.MCPHeaders == nil {
				d.MCPHeaders = map[string]string{}
			}
			d.MCPHeaders[in.Name] = in.MCPHeader
		}
	}
	return d
}
