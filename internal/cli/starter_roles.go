package cli

import (
	"regexp"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/pattern"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A role says what a parameter or a member of a body is for, by its name, its place and its
// type. A model is asked for what means something to the person it works for.
type role uint8

const (
	// meaning is what a person can say: a city, an amount, a state.
	meaning role = iota
	// searching is what most calls that look for something want.
	searching
	// identity names a thing that another call told of.
	identity
	// paging leafs through a long list.
	paging
	// shape chooses the form of the answer.
	shape
	// plumbing is between programs: versions, conditions, names of clients.
	plumbing
	// once tells a repeated call from a new one, tracing follows one through logs.
	once
	tracing
	// access is a credential.
	access
)

var roleNames = map[role]string{
	identity: "id", paging: "paging", shape: "form of the answer", plumbing: "for programs", once: "tells repeated calls apart",
	tracing: "for logs", access: "credential",
}

// roleWords are read from the first to the last; names are in lower case with _ between.
var roleWords = []struct {
	role  role
	words func() *regexp.Regexp
}{
	{once, pattern.Of(`idempoten`)},
	{tracing, pattern.Of(`^(trace_?parent|trace_?state|(x_)?(request|correlation|trace|client_request|b3).*id|(x_)?b3.*)$`)},
	{access, pattern.Of(`^(x_)?(authorization|auth|(access|auth|api|bearer|csrf|session)_?(token|key|secret)|app_?(id|key)|subscription_key|cookie)$`)},
	{paging, pattern.Of(`^(page|pages|cursor|limit|offset|skip|top|marker|continue|per_?page|starting_after|ending_before|start_index|after|before|iterator|rows|first|last|bookmark|anchor|num_?results|max_?(results|items)|.*page_?(size|token|number|num|limit|marker|key|cursor|index)|(page|per)_.*|.*(cursor|_offset|_limit)|next|next_.*|prev|previous|size|count|use_?marker)$`)},
	{shape, pattern.Of(`^(fields?|.*_fields|expand|includes?|include_.*|format|callback|pretty|.*_format|alt|embed|output|language|lang|locale|accept.*|ui_locales|envelope|sparse.*|select|timezone|with_.*|show_.*|x_fields)$`)},
	{plumbing, pattern.Of(`^(user_agent|if_.*|.*version|version.*|x_.*|prefer.*|resource_version.*|etag|timeout|.*_timeout|timeout_.*|watch|.*metadata|feature_flags|content_(type|encoding|length|md5)|host|origin|dry_run|field_manager|client_.*|consistency|debug|test_?mode|signature.*|nonce|object|live_?mode)$`)},
	{searching, pattern.Of(`^(q|s|queries|.*query|.*search.*|filters?|.*filter|keywords?|terms?|text|word|names?|.*_names?|title|address|street|city|town|state|area|zone|country|.*country_?codes?|postal_?code|zip(_?code)?|location|place|near|point|lat|lon|lng|latitude|longitude|radius|category|categories|status|statuses|type|types|kind|from|to|since|until|date|dates|.*_date|start|end|start_.*|end_.*|created.*|updated.*|check_?in|check_?out|origin.*|destination.*|departure.*|return_?date|adults|currency|email|phone|.*phone_?number|user|username|customer|severity|urgency|event|hourly|daily|current|tags?|labels?|genre|market|language_code)$`)},
}

// roleOf says what a value is for.
func roleOf(name string, in operation.In, t *types.Type) role {
	words := snake(name, 80)
	for _, r := range roleWords {
		if r.words().MatchString(words) {
			if r.role == searching && in == operation.Header {
				return plumbing
			}
			return r.role
		}
	}
	switch {
	case in == operation.Header || in == operation.Cookie:
		return plumbing
	case resolve.Programmatic(name, t) != "" || strings.HasSuffix(words, "sid"):
		return identity
	}
	return meaning
}

// A slot is a place of a request that a value goes to.
type slot struct {
	name, doc string
	t         *types.Type
	required  bool
	role      role
	// from is the parameter that an input can take text and bounds over of, "" for
	// none.
	from string
	// within names the member that holds the slot, "" for none.
	within string
}

// fixed is the expression for a value that no caller is asked for, "" for others.
func (s *slot) fixed() string {
	switch {
	case len(s.t.Enum) == 1:
		return scalar(s.t.Enum[0])
	case s.t.Kind != types.String || len(s.t.Enum) > 0 || !fitsUUID(s.t.Limits):
		return ""
	case s.role == once:
		return scalar(`${call.uuid("` + snake(s.name, 40) + `")}`)
	case s.role == tracing && strings.HasPrefix(snake(s.name, 40), "traceparent"):
		return scalar("${call.traceparent}")
	case s.role == tracing:
		return scalar(`${call.uuid("` + snake(s.name, 40) + `")}`)
	}
	return ""
}

func fitsUUID(l *types.Limits) bool {
	const length = 36
	return l == nil || l.Pattern == "" && (l.MaxLength == nil || *l.MaxLength >= length) && (l.MinLength == nil || *l.MinLength <= length)
}
