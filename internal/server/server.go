// Package server fills in the variables of the addresses that documents give
// their servers:
//
//	server.Fill("https://{tenant}.example.com/{base}", []server.Variable{{Name: "tenant", Value: "acme"}})
//	// https://acme.example.com/{base}
//
// A value stays in its part of the address: none can lead to another host than
// the template says. The package imports the standard library only, because the
// run time uses it, too.
package server

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Variable is a value for {name} in an address.
type Variable struct {
	Name, Value string
	// Enum are the only values, unless it is empty.
	Enum []string
	// From says where the value comes from, for messages; "" for the name alone.
	From string
}

// part is where in an address a variable is.
type part int

const (
	scheme part = iota
	label       // a label of the host, or a piece of one
	domain      // all of the host, or its end
	port
	path
)

// A piece is literal text or a variable of an address.
type piece struct {
	text string
	part part
	// variable says that text is a name.
	variable bool
}

// Names lists the variables of an address in their order, each once.
func Names(template string) []string {
	var out []string
	for _, p := range pieces(template) {
		if p.variable && !slices.Contains(out, p.text) {
			out = append(out, p.text)
		}
	}
	return out
}

// Fill puts the values of variables into an address; those that it has no value
// for stay. An error says which variable has a value that the address or its enum
// does not allow, and never the value, which may come from the environment.
func Fill(template string, values []Variable) (string, error) {
	var b strings.Builder
	for _, p := range pieces(template) {
		at := slices.IndexFunc(values, func(v Variable) bool { return p.variable && v.Name == p.text })
		switch {
		case at >= 0:
			if why := values[at].fault(p.part); why != "" {
				return "", errors.New(values[at].String() + " " + why)
			}
			b.WriteString(values[at].Value)
		case p.variable:
			b.WriteString("{" + p.text + "}")
		default:
			b.WriteString(p.text)
		}
	}
	return b.String(), nil
}

var samples = [...]string{scheme: "https", label: "x", domain: "x", port: "1", path: "x"}

// SampleOf is something that fits in the place of a variable.
func SampleOf(template, name string) string {
	for _, p := range pieces(template) {
		if p.variable && p.text == name {
			return samples[p.part]
		}
	}
	return ""
}

// Sample is an address with something that fits in the place of each variable.
func Sample(template string) string {
	var b strings.Builder
	for _, p := range pieces(template) {
		if p.variable {
			p.text = samples[p.part]
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// String names a variable in a message.
func (v *Variable) String() string {
	text := "the server variable " + strconv.Quote(v.Name)
	if v.From != "" {
		text += ", which is " + v.From + ","
	}
	return text
}

// Documents are stricter than this with enum:. A piece of a host has no dot, so
// that {tenant}.example.com is a host of one tenant.
var shapes = map[part]struct {
	pattern *regexp.Regexp
	words   string
}{
	scheme: {regexp.MustCompile(`^https?$`), "must be http or https"},
	label:  {regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`), "must be a label of a host: letters, digits and -"},
	domain: {regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$`), "must be a host: labels of letters, digits and - with dots between"},
	port:   {regexp.MustCompile(`^[1-9][0-9]{0,4}$`), "must be a port"},
	path:   {regexp.MustCompile(`^[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*$`), "must be segments of a path: letters, digits, and any of . _ ~ -"},
}

// fault says what is wrong with a value at its place, "" for nothing. What an
// enum names is the document's own.
func (v *Variable) fault(at part) string {
	if len(v.Enum) > 0 {
		if slices.Contains(v.Enum, v.Value) {
			return ""
		}
		return "must be one of " + strings.Join(v.Enum, ", ")
	}
	shape := shapes[at]
	if !shape.pattern.MatchString(v.Value) || at == path && hasDots(v.Value) {
		return shape.words
	}
	if n, _ := strconv.Atoi(v.Value); at == port && n > 65535 {
		return shape.words
	}
	return ""
}

// hasDots reports segments that lead elsewhere.
func hasDots(text string) bool {
	return slices.ContainsFunc(strings.Split(text, "/"), func(s string) bool { return s == "." || s == ".." })
}

// pieces takes an address apart. A brace without its partner is text.
func pieces(template string) []piece {
	var out []piece
	at := scheme
	for template != "" {
		open := strings.IndexByte(template, '{')
		end := -1
		if open >= 0 {
			end = strings.IndexByte(template[open:], '}')
		}
		if end < 0 {
			return append(out, piece{text: template})
		}
		if open > 0 {
			out = append(out, piece{text: template[:open]})
			at = after(at, template[:open])
		}
		p := piece{template[open+1 : open+end], at, true}
		template = template[open+end+1:]
		if at == label && endsHost(template) {
			p.part = domain
		}
		out = append(out, p)
	}
	return out
}

// after is the part of an address that follows some text.
func after(at part, text string) part {
	if at == scheme {
		_, rest, ok := strings.Cut(text, "://")
		if !ok {
			if strings.HasPrefix(text, "/") {
				return path // an address without host
			}
			return scheme
		}
		at, text = label, rest
	}
	switch {
	case strings.ContainsAny(text, "/"):
		return path
	case at == label && strings.Contains(text, ":"):
		return port
	}
	return at
}

// endsHost reports whether nothing of a host follows.
func endsHost(rest string) bool {
	return rest == "" || strings.ContainsAny(cmp.Or(rest, "/")[:1], "/:?#")
}
