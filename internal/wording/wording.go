// Package wording judges texts that models read: whether they try to instruct
// the model instead of describing a tool, and whether they are English.
//
//	what, at := wording.Suspicious(text, known)
//
// Both are guesses from words, for warnings. A text that means harm and knows
// this package gets through; what is found is worth a look. It imports
// pattern alone.
package wording

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/sculpt-tools/sculpt/internal/pattern"
)

// signs are what descriptions of tools have no need to say, by what it is. The
// expressions ignore case.
var signs = []struct {
	what string
	form func() *regexp.Regexp
}{
	{"it tells the model to set aside what it was told", sign(
		`\b(ignore|disregard|forget|override|bypass)\b( all| any| every| the| your| these| of)*( (previous|prior|above|earlier|preceding|other|existing|system|safety))+ (instruction|rule|prompt|message|guideline|polic|direction|restriction|constraint)`,
		`\b(ignore|disregard|forget)\b (all|everything|anything)( that)?( was| is| you)*( said| told| been told| written| stated)? (above|before|earlier|so far)`,
		`\b(forget|ignore|disregard)\b (all )?(your|its) (instructions|rules|guidelines|training)`,
		`\bnew (system )?instructions?:`, `\bfrom now on,? (you|always|the (assistant|model))`, `\byou are (now|no longer)\b`, `\bpretend (to be|that you|you are)\b`, `\b(jailbreak|developer mode|do anything now)\b`)},
	{"it speaks about hiding something from the user", sign(
		`\b(do not|don't|never|without)\b( ever)? (tell|telling|inform|informing|notify|notifying|mention|mentioning|reveal|revealing|show|showing|ask|asking|alert|alerting)( this| it| anything)?( to)? (the |your |any )?(user|human|person|customer)s?\b`,
		`\b(secretly|silently|covertly|quietly)\b (send|call|copy|forward|upload|read|include|pass|add|invoke|run)`,
		`\bhide (this|it|the \w+) from (the )?(user|human)`, `\bthe user (must|should) not (know|see|notice)`, `\b(user|human)s? (does|do) not need to (know|approve|confirm|see)`)},
	{"it tells the model what to do beside the tool", sign(
		`\b(before|after|when|whenever) (using|calling|invoking|running) (this|any|another|other) tools?,? (you |the (model|assistant) )?(must|should|always|first|read|send|call|invoke|access|open|please)`,
		`\b(the (assistant|model|agent|ai)|you,? the (assistant|model|agent|ai),?) must\b`, `\byou must (always |first |also )*(call|invoke|run|execute|reply|respond|pass|read|send) `,
		`\byou must always include the (password|conversation|prompt|token|key)`,
		`\balways (call|invoke|use|prefer|choose|run|pick) (this|it)\b.{0,40}\b(first|instead|before|over|no matter|other)`,
		`\b(never|do not|don't) (use|call|invoke|choose|trust) (any )?(other|another|the other) tools?`,
		`\b(read|open|cat|access|print|dump|send|include|paste|copy) (the )?(contents? of |file )?(~/|/etc/|\.env\b|\.ssh|id_rsa|mcp\.json|\.aws|\.npmrc|\$home)`,
		`\b(send|forward|pass|post|upload|copy|include|append|exfiltrate)\b.{0,40}\b(conversation|chat history|system prompt|previous messages)\b`,
		`\b(send|forward|upload|exfiltrate|leak)\b.{0,20}\b(credentials|passwords?|api keys?|private keys?|environment variables)\b`,
		`\b(reveal|print|repeat|output|show) (me )?(the |your )(system prompt|instructions|hidden|initial prompt)`,
		`\brespond (only )?with\b.{0,30}\bregardless\b`)},
	{"it has the tags of a prompt", sign(
		`</?\s*(important|system|instructions?|assistant|user|human|secret|prompt|admin|context|tool_call|function_call|override|critical)\b[^<>]{0,80}>`,
		`\[/?(inst|system|assistant|user)\]`, `<</?sys>>`, `<\|[a-z_]{2,30}\|>`, `(?m)^\s*#{1,6}\s*(system|instructions?|assistant)\b\s*:?\s*$`, `(?m)^\s*(system|assistant|human)\s*:`)},
	{"it loads something from elsewhere", sign(`!\[[^\]]{0,80}\]\(`, `\bdata:[a-z]+/[a-z0-9.+-]+[;,]`, `javascript:`)},
}

// sign is an expression that any of the parts matches.
func sign(parts ...string) func() *regexp.Regexp {
	return pattern.Of(`(?i)(?:` + strings.Join(parts, "|") + `)`)
}

var (
	address = pattern.Of(`(?i)\b(?:https?|ftp|wss?)://[^\s"'<>)]+`)
	calls   = pattern.Of("(?i)\\b(?:call|calling|invoke|invoking|run|trigger)\\b(?: the)?(?: tool)? [`'\"]?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\\b")
)

// Suspicious says what in a text looks like an instruction to the model that
// reads it, and at which byte; what is "" for nothing. known are the names that
// the text may mention, such as those of the tools of its package.
func Suspicious(text string, known map[string]bool) (what string, at int) {
	for _, s := range signs {
		if found := s.form().FindStringIndex(text); found != nil {
			return s.what, found[0]
		}
	}
	for _, m := range base64Runs().FindAllStringIndex(text, -1) {
		if encoded(text[m[0]:m[1]]) {
			return "it holds text in Base64", m[0]
		}
	}
	for _, m := range calls().FindAllStringSubmatchIndex(text, -1) {
		if !known[text[m[2]:m[3]]] {
			return "it sends the model to " + text[m[2]:m[3]] + ", which is not a tool of the package", m[2]
		}
	}
	if found := address().FindStringIndex(text); found != nil {
		return "it holds an address, which models may open", found[0]
	}
	return "", 0
}

var base64Runs = pattern.Of(`[A-Za-z0-9+/]{60,}={0,2}|(?:[A-Za-z0-9+/]{4}){8,}={1,2}`)

// encoded tells Base64 from paths, names and digests.
func encoded(run string) bool {
	return strings.Count(run, "/")*16 <= len(run) && strings.ContainsAny(run, "0123456789") &&
		strings.ToLower(run) != run && strings.ToUpper(run) != run
}

// Words that are frequent in one language and rare in English texts about tools.
var (
	english = wordSet(`the of and to a in is for that with by on are be as or this an at from it not which can if when its has use returns get list given used only more than each all no one must should may where new their you your user`)
	foreign = wordSet(`der die das und ist für nicht mit ein eine einer eines den dem des sie wird werden oder auf als auch bei nach aus zum zur über wenn nur kann durch
le la les des du un une et est pour dans que qui sur avec pas par sont ou au aux ce cette ces son sa ses nous vous être plus leur
el los las del una y es para en que por con no se su al lo como más o sus este esta entre cuando muy sin
il lo gli della di che è per non con una sono nel alla dei delle come più anche questo
o os as do da dos das e é em um uma para com não por na no se mais ao pelo pela são está
de het een en van is dat niet met voor op zijn aan door ook maar bij naar wordt deze over
och att det som en på är för med av den till inte ett har om eller från kan ska vid
w z na do się jest nie dla że to lub oraz przez jak tego które
ve bir bu için ile olarak olan da de`)
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// Foreign reports whether a text is probably not English: it is in another
// script, or has more of the small words of other languages than of English.
// Short texts are given the benefit of the doubt.
func Foreign(text string) bool {
	letters, other := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if !unicode.Is(unicode.Latin, r) {
				other++
			}
		}
	}
	if letters >= 4 && other*2 > letters {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '_' && r != '-'
	})
	here, there := 0, 0
	for _, word := range words {
		if english[word] {
			here++
		}
		if foreign[word] && !english[word] {
			there++
		}
	}
	return there >= 2 && there > here+1
}
