package diag

import (
	"io"
	"net/url"
	"slices"
)

// The members of SARIF 2.1.0 that are written.
type (
	sarifLog struct {
		Version string     `json:"version"`
		Schema  string     `json:"$schema"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Summary *sarifText   `json:"shortDescription,omitempty"`
		Why     *sarifText   `json:"fullDescription,omitempty"`
		Help    *sarifText   `json:"help,omitempty"`
		Default *sarifConfig `json:"defaultConfiguration,omitempty"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule         string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// SARIF writes the findings in the Static Analysis Results Interchange Format
// 2.1.0. The rules explain the ids: those that were found are put into the
// log.
func SARIF(w io.Writer, list List, rules []Rule) error {
	sorted := list.Sorted()
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "sculpt", Rules: []sarifRule{}}}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
	}
	index := map[RuleID]int{}
	prints := sorted.fingerprints()
	for i, f := range sorted {
		at, known := index[f.Rule]
		if !known {
			at = len(index)
			index[f.Rule] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f.Rule, rules))
		}
		text := Escape(f.Message)
		if f.Fix != "" {
			text += "\nFix: " + Escape(f.Fix)
		}
		result := sarifResult{
			Rule: f.Rule.String(), RuleIndex: at, Level: f.Severity.String(), Message: sarifText{text},
			Locations: []sarifLocation{}, Fingerprints: map[string]string{"sculpt/v1": prints[i]},
		}
		if f.Span.File != "" {
			result.Locations = append(result.Locations, sarifPlace(f.Span))
		}
		for _, r := range f.Related {
			place := sarifPlace(r.Span)
			place.Message = &sarifText{Escape(r.Text)}
			result.Related = append(result.Related, place)
		}
		run.Results = append(run.Results, result)
	}
	return writeJSON(w, sarifLog{
		Version: "2.1.0", Schema: "https://json.schemastore.org/sarif-2.1.0.json", Runs: []sarifRun{run},
	})
}

// sarifRuleOf is the row of a rule; one that nobody documents has its id only.
func sarifRuleOf(id RuleID, rules []Rule) sarifRule {
	at := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id })
	if at < 0 {
		return sarifRule{ID: id.String()}
	}
	r := rules[at]
	return sarifRule{
		ID: id.String(), Summary: &sarifText{r.Summary}, Why: &sarifText{r.Why}, Help: &sarifText{r.Why + "\n\nFix: " + r.Fix},
		Default: &sarifConfig{r.Severity.String()},
	}
}

func sarifPlace(s Span) sarifLocation {
	// A relative reference whose first segment has a colon would be read as a
	// scheme (RFC 3986 4.2): String takes care of it.
	place := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{(&url.URL{Path: s.File}).String()}}}
	if at := placeOf(s); at.Line > 0 {
		place.Physical.Region = &sarifRegion{at.Line, at.Column, at.EndLine, at.EndColumn}
	}
	return place
}
