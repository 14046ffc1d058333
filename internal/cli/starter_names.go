package cli

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// noName are words of titles that tell no api from another.
var noName = []string{
	"api", "apis", "openapi", "swagger", "open", "rest", "restful", "http", "spec", "specification", "official", "reference", "documentation",
	"document", "docs", "definition", "schema", "the", "a", "of", "for", "s", "service", "services", "public", "server", "web", "platform", "extension",
	"my", "our", "sample", "example", "yaml", "json", "www", "com", "org", "net", "gov", "io", "app", "dev",
}

// apiName names an api after the title of its document, its host or its file.
func apiName(title, server, file string) string {
	host := ""
	if u, err := url.Parse(server); err == nil {
		labels := strings.Split(u.Hostname(), ".")
		host = strings.Join(labels[max(0, len(labels)-2):], " ")
		if len(labels) > 3 && len(labels[len(labels)-2]) <= 3 { // example.co.uk
			host = labels[len(labels)-3]
		}
	}
	for _, text := range []string{plain(title, 80), host, strings.TrimSuffix(path.Base(file), path.Ext(file))} {
		if name := fewWords(text); name != "" {
			return name
		}
	}
	return "backend"
}

// fewWords are the first two words of a text that name something.
func fewWords(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) {
		return ""
	}
	text, _, _ = strings.Cut(strings.TrimPrefix(snake(text, 80), "x"), "\n")
	var words []string
	for word := range strings.SplitSeq(text, "_") {
		digits := strings.Trim(strings.TrimPrefix(word, "v"), "0123456789") == ""
		if word != "" && !digits && !slices.Contains(noName, word) && len(words) < 2 {
			words = append(words, word)
		}
	}
	const longest = 24
	name := strings.Join(words, "_")
	if len(name) > longest && len(words) > 1 {
		name = words[0]
	}
	return strings.TrimRight(name[:min(len(name), longest)], "_")
}
