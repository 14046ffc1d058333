package upstream

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
)

// A node is a value of a parameter or form: a text, a list or an object.
type node struct {
	name string // of a member
	text string
	kids []node
	kind scan.Kind // String for every text
}

func textNodes(values []string) node {
	list := node{kind: scan.Array}
	for _, v := range values {
		list.kids = append(list.kids, node{text: v, kind: scan.String})
	}
	return list
}

// nodeOf reads a document. What is null is as if it were not there.
func nodeOf(s *scan.Scanner) node {
	n := node{kind: s.Kind()}
	keep := func(name string, kid node) {
		if kid.name = name; kid.kind != scan.Null {
			n.kids = append(n.kids, kid)
		}
	}
	switch n.kind {
	case scan.Object:
		for s.Open(); s.NextAny(); {
			name := s.Key()
			keep(name, nodeOf(s))
		}
	case scan.Array:
		for s.OpenList(); s.NextElem(); {
			keep("", nodeOf(s))
		}
	case scan.String:
		n.text = s.Text()
	case scan.Null:
		s.Skip()
	default:
		n.text, n.kind = string(s.Raw()), scan.String
	}
	return n
}

// A style is how a value is written: the word of OpenAPI and its flags.
type style struct {
	word              string
	explode, reserved bool
	// raw separates the texts of one pair, as it is before escaping; sent is how
	// it is in an address or a form.
	raw, sent string
}

func styleOf(text string) style {
	var s style
	text, s.reserved = strings.CutSuffix(text, "+")
	s.word, s.explode = strings.CutSuffix(text, "*")
	switch s.word {
	case "spaceDelimited":
		s.raw, s.sent = " ", "%20"
	case "pipeDelimited":
		s.raw, s.sent = "|", "%7C"
	case "tabDelimited":
		s.raw, s.sent = "\t", "%09"
	default:
		s.raw, s.sent = ",", ","
	}
	return s
}

// A pair is a part of a value that is written by itself. Its texts are joined.
type pair struct {
	name  string
	texts []string
	// member says that the name is that of a member, and not of the parameter,
	// alone that the value is this one text.
	member, alone bool
}

// pairs takes a value apart. ok is false for what the style has no form for.
func (s *style) pairs(name string, n node) (out []pair, ok bool) {
	if s.word == "deepObject" {
		return deepPairs(nil, name, n), true
	}
	if n.kind == scan.String {
		return []pair{{name: name, texts: []string{n.text}, alone: true}}, true
	}
	var texts []string
	for _, kid := range n.kids {
		switch {
		case kid.kind != scan.String:
			return nil, false
		case !s.explode && n.kind == scan.Object:
			texts = append(texts, kid.name, kid.text)
		case !s.explode:
			texts = append(texts, kid.text)
		case n.kind == scan.Object:
			out = append(out, pair{name: kid.name, texts: []string{kid.text}, member: true})
		default:
			out = append(out, pair{name: name, texts: []string{kid.text}})
		}
	}
	if texts != nil {
		out = []pair{{name: name, texts: texts}}
	}
	return out, true
}

// deepPairs writes the way to each text in brackets, numbers for list elements.
func deepPairs(out []pair, name string, n node) []pair {
	if n.kind == scan.String {
		return append(out, pair{name: name, texts: []string{n.text}})
	}
	for i, kid := range n.kids {
		key := kid.name
		if n.kind == scan.Array {
			key = strconv.Itoa(i)
		}
		out = deepPairs(out, name+"["+key+"]", kid)
	}
	return out
}

// bracketed reports whether a name in a value would be taken for more than one.
func bracketed(n node) bool {
	return strings.ContainsAny(n.name, "[]") || slices.ContainsFunc(n.kids, bracketed)
}

// Structured adds a list, an object or another document as the value of a
// parameter or field. in is path, query, header, cookie, form or multipart. how is
// a style of OpenAPI (or tabDelimited), with * for explode as RFC 6570 has it and
// + for allowReserved; "json" makes a field of every element of a list. What is
// null, and an empty list or object, adds nothing.
func (c *Call) Structured(in, name, how string, document []byte) {
	if c.err != nil {
		return
	}
	if how == "json" {
		c.documents(in, name, document)
		return
	}
	s := scan.NewBytes(document, scan.Limits{Bytes: -1, Depth: 1024})
	n := nodeOf(s)
	if s.End(); s.Err() != nil {
		c.broken(in + " parameter " + name + ": " + s.Err().Error())
		return
	}
	if n.kind != scan.Null {
		c.write(in, name, styleOf(how), n)
	}
}

// documents makes a field of every element of a list of documents.
func (c *Call) documents(in, name string, document []byte) {
	s := scan.NewBytes(document, scan.Limits{Bytes: -1, Depth: 1024})
	for s.OpenList(); s.NextElem(); {
		switch raw := s.Raw(); {
		case string(raw) == "null":
		case in == "multipart":
			c.Part(name, "application/json", "", raw)
		default:
			c.Form(name, string(raw))
		}
	}
	if s.End(); s.Err() != nil {
		c.broken("field " + name + ": " + s.Err().Error())
	}
}

// spots say where a value goes: to the model, and to the vendor with its name.
var spots = map[string]struct{ place, where string }{
	"path": {"the path", "path parameter "}, "query": {"the query", "query parameter "}, "header": {"a header", "header "},
	"cookie": {"a cookie", "cookie "}, "form": {"the form", "form field "}, "multipart": {"the form", "form field "},
}

func (c *Call) write(in, name string, s style, n node) {
	pairs, ok := s.pairs(name, n)
	spot, known := spots[in]
	if !ok || !known {
		c.broken(in + " parameter " + name + " has no form in style " + s.word)
		return
	}
	if s.word == "deepObject" && bracketed(n) {
		c.refuse(spot.place, spot.where+name, "has a member whose name holds a bracket")
		return
	}
	for _, p := range pairs {
		if why := s.fault(in, &p); why != "" {
			c.refuse(spot.place, spot.where+name, why)
			return
		}
	}
	c.writePairs(in, name, &s, pairs)
}

func (c *Call) writePairs(in, name string, s *style, pairs []pair) {
	switch in {
	case "path":
		c.pathPairs(s, pairs)
		return
	case "form": // also where it stays empty
		c.beginForm()
	}
	if len(pairs) == 0 {
		return
	}
	switch in {
	case "query":
		for _, p := range pairs {
			c.query = s.appendPair(c.query, &p, appendEscaped)
		}
	case "header":
		c.Header(name, headerPairs(s, pairs))
	case "cookie":
		c.cookies = appendCookie(c.cookies, name, string(s.appendTexts(nil, pairs[0].texts, appendEscaped)))
	case "form":
		for _, p := range pairs {
			c.body = s.appendPair(c.body, &p, appendFormText)
		}
	case "multipart":
		for _, p := range pairs {
			c.Part(p.name, "", "", []byte(strings.Join(p.texts, s.raw)))
		}
	}
}

// fault says why nobody could read the texts of a pair back.
func (s *style) fault(in string, p *pair) string {
	texts := p.texts
	if p.member {
		texts = append([]string{p.name}, texts...)
	}
	separator := s.separator(in)
	for _, text := range texts {
		switch {
		case !utf8.ValidString(text):
			return "is not valid UTF-8"
		case !p.alone && separator != "" && strings.Contains(text, separator):
			return "holds the character that separates the items"
		}
	}
	if in == "header" && p.member && strings.Contains(p.name, "=") {
		return "has a member whose name holds =, which separates name and value"
	}
	return ""
}

// separator is what separates texts and cannot be escaped in them.
func (s *style) separator(in string) string {
	switch {
	case in == "path" && s.word == "label" && s.explode:
		return "."
	case in == "header", !s.explode && s.raw != ",":
		return s.raw
	}
	return ""
}

type escaper = func(b []byte, text string) []byte

func appendFormText(b []byte, text string) []byte { return append(b, url.QueryEscape(text)...) }

// appendReserved keeps what cannot be mistaken, and in a list no comma.
func appendReserved(b []byte, text string) []byte { return appendKept(b, text, &inReserved) }

func appendReservedItem(b []byte, text string) []byte { return appendKept(b, text, &inReservedItem) }

func (s *style) appendPair(b []byte, p *pair, escape escaper) []byte {
	if len(b) > 0 {
		b = append(b, '&')
	}
	b = append(escape(b, p.name), '=')
	switch {
	case s.reserved && s.explode:
		escape = appendReserved
	case s.reserved:
		escape = appendReservedItem
	}
	return s.appendTexts(b, p.texts, escape)
}

func (s *style) appendTexts(b []byte, texts []string, escape escaper) []byte {
	for i, text := range texts {
		if i > 0 {
			b = append(b, s.sent...)
		}
		b = escape(b, text)
	}
	return b
}

// headerPairs is not escaped: OpenAPI has headers as they are.
func headerPairs(s *style, pairs []pair) string {
	var out []string
	for _, p := range pairs {
		text := strings.Join(p.texts, s.raw)
		if p.member {
			text = p.name + "=" + text
		}
		out = append(out, text)
	}
	return strings.Join(out, s.raw)
}

// pathPairs expands pairs as RFC 6570 does (3.2.2, 3.2.5 and 3.2.7).
func (c *Call) pathPairs(s *style, pairs []pair) {
	first, between := "", s.sent
	switch s.word {
	case "label":
		if first = "."; s.explode {
			between = "."
		}
	case "matrix":
		first, between = ";", ";"
	}
	for i, p := range pairs {
		if i == 0 {
			c.expand(first)
		} else {
			c.expand(between)
		}
		if s.word == "matrix" || p.member {
			c.expand(string(appendEscaped(nil, p.name)))
			if s.word != "matrix" || len(p.texts) > 1 || p.texts[0] != "" {
				c.expand("=")
			}
		}
		c.expand(string(s.appendTexts(nil, p.texts, appendEscaped)))
	}
	c.values++
	c.ends = c.values
	c.segment()
}

// expand appends text that is escaped already.
func (c *Call) expand(escaped string) { c.path, c.plain = appendLiteral(c.path, c.plain, escaped) }
