package manifest

import (
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/pattern"
)

var (
	// tokenShapes are credentials that announce themselves.
	tokenShapes = pattern.Of(`\b(sk|rk|pk)_(live|test)_[0-9A-Za-z]{8,}` +
		`|\bsk-[0-9A-Za-z_-]{20,}` +
		`|\bgh[pousr]_[0-9A-Za-z]{16,}|\bgithub_pat_[0-9A-Za-z_]{16,}|\bglpat-[0-9A-Za-z_-]{16,}` +
		`|\bxox[abeprs]-[0-9A-Za-z-]{10,}` +
		`|\b(AKIA|ASIA)[0-9A-Z]{12,}|\bAIza[0-9A-Za-z_-]{30,}` +
		`|\beyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]*` +
		`|-----BEGIN [A-Z ]*PRIVATE KEY`)
	// schemes are credentials in the header Authorization.
	schemes = pattern.Of(`(?i)\b(bearer|basic|token)\s+[0-9A-Za-z._~+/=-]{8,}`)
	// long are runs that only machines write.
	long = pattern.Of(`[0-9A-Za-z+/_=-]{32,}`)
)

// looksSecret reports whether a text where credentials stand is one.
func looksSecret(text string) bool {
	text = withoutExpressions(text)
	return tokenShapes().MatchString(text) || schemes().MatchString(text) || randomRun(text)
}

// randomRun reports whether a text has a long run that mixes letters and
// digits; words with hyphens are names.
func randomRun(text string) bool {
	for _, run := range long().FindAllString(text, -1) {
		if strings.ContainsAny(run, "0123456789") && strings.ContainsAny(strings.ToLower(run), "abcdefghijklmnopqrstuvwxyz") {
			return true
		}
	}
	return false
}

func withoutExpressions(text string) string {
	var b strings.Builder
	for {
		before, _, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := closing(text, len(before)+1)
		if end < 0 {
			return b.String()
		}
		b.WriteByte(' ')
		text = text[end+1:]
	}
}

// findSecrets reports credentials: well-known shapes anywhere, anything that
// looks random where apis are reached.
func findSecrets(root *Node, list *diag.List) {
	for _, top := range root.Members {
		if top.Key.Value != "apis" {
			walkScalars(&top.Value, func(s Scalar) { reportSecret(s, tokenShapes().MatchString(s.Value), list) })
			continue
		}
		for _, api := range top.Value.Members {
			for _, m := range api.Value.Members {
				strict := m.Key.Value == "headers" || m.Key.Value == "auth"
				walkScalars(&m.Value, func(s Scalar) {
					reportSecret(s, tokenShapes().MatchString(s.Value) || strict && looksSecret(s.Value), list)
				})
			}
		}
	}
}

func reportSecret(s Scalar, secret bool, list *diag.List) {
	if !secret {
		return
	}
	// The message and the excerpt must not carry it into a build log.
	list.Add(diag.Finding{
		Rule: ruleSecretInManifest, Span: s.Span, Private: true, Message: "this value looks like a secret",
		Fix: "declare a variable under env and write ${env.NAME}, or env:NAME under auth; revoke the secret if it was committed",
	})
}

func walkScalars(n *Node, visit func(Scalar)) {
	switch n.Kind {
	case ScalarNode:
		visit(n.Scalar)
	case ListNode:
		for i := range n.Items {
			walkScalars(&n.Items[i], visit)
		}
	case MapNode:
		for i := range n.Members {
			walkScalars(&n.Members[i].Value, visit)
		}
	}
}
