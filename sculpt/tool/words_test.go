package tool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// TestIssues wants every word of every issue: a model repairs its call by them.
func TestIssues(t *testing.T) {
	for _, c := range []struct {
		args Args
		want Issue
	}{
		{Args{}, Issue{Param: "city", ID: "p1", Code: "missing", Detail: "This parameter is required."}},
		{Args{"city": "x"}, Issue{Param: "city", ID: "p1", Code: "length", Detail: "Must have at least 2 characters, but has 1."}},
		{Args{"city": "éééééé"}, Issue{Param: "city", ID: "p1", Code: "length", Detail: "Must have at most 5 characters, but has 6."}},
		{Args{"city": int64(1)}, Issue{Param: "city", ID: "p1", Code: "type", Detail: "Must be a string, but is a whole number."}},
		{Args{"city": "x\xff"}, Issue{Param: "city", ID: "p1", Code: "type", Detail: "Must be a string, but is not valid UTF-8."}},
		{Args{"city": 1.5}, Issue{Param: "city", ID: "p1", Code: "type", Detail: "Must be a string, but is of a type that arguments cannot have."}},
		{Args{"city": "Bonn", "count": int64(157)}, Issue{Param: "count", ID: "p2", Code: "range", Detail: "Must be from -3 to 156."}},
		{Args{"city": "Bonn", "count": "1"}, Issue{Param: "count", ID: "p2", Code: "type", Detail: "Must be a whole number, but is a string."}},
		{Args{"city": "Bonn", "day": "tody"}, Issue{Param: "day", ID: "p3", Code: "not_allowed", Allowed: []string{"TODAY", "TOMORROW"}, Nearest: "TODAY",
			Detail: `"tody" is not one of the allowed values. Did you mean "TODAY"?`}},
		{Args{"city": "Bonn", "day": "never"}, Issue{Param: "day", ID: "p3", Code: "not_allowed", Allowed: []string{"TODAY", "TOMORROW"}, Detail: `"never" is not one of the allowed values.`}},
		{Args{"city": "Bonn", "day": true}, Issue{Param: "day", ID: "p3", Code: "type", Allowed: []string{"TODAY", "TOMORROW"},
			Detail: "Must be a string, one of the allowed values, but is a boolean."}},
		{Args{"city": "Bonn", "loud": "yes"}, Issue{Param: "loud", ID: "p4", Code: "type", Detail: "Must be true or false, but is a string."}},
		{Args{"city": "Bonn", "state": "ne"}, Issue{Param: "state", ID: "p5", Code: "not_allowed", Detail: `Must match the pattern ^[A-Z]{2}$, but is "ne".`}},
		{Args{"city": "Bonn", "cityy": "x"}, Issue{Param: "cityy", Code: "unknown", Nearest: "city", Detail: `There is no such parameter. Did you mean "city"?`}},
		{Args{"city": "Bonn", strings.Repeat("y", 65): "x"}, Issue{Param: strings.Repeat("y", 64) + "...", Code: "unknown", Detail: "There is no such parameter."}},
	} {
		var e *Error
		if err := Validate(testParams, c.args); !errors.As(err, &e) || !reflect.DeepEqual(e.Issues, []Issue{c.want}) {
			t.Errorf("%v: %+v, want %+v", c.args, err, c.want)
		}
	}
	var e *Error
	if err := Validate([]Param{{Name: "x", ID: "i", Type: TypeJSON}}, Args{"x": "y"}); !errors.As(err, &e) || e.Issues[0].Detail != "This parameter takes no value." {
		t.Errorf("an input of type json: %v", err)
	}
}

// TestWireKinds: what JSON may be instead of a whole number, as issues call it.
func TestWireKinds(t *testing.T) {
	for want, add := range map[string]func(*Inputs){
		"Must be from -3 to 156.":                                                 func(in *Inputs) { in.Number([]byte("99999999999999999999")) },
		"Must be a whole number, but is a list.":                                  func(in *Inputs) { in.List() },
		"Must be a whole number, but is an object.":                               func(in *Inputs) { in.Object() },
		"Must be a whole number, but is a boolean.":                               func(in *Inputs) { in.Bool(true) },
		"Must be a whole number, but is a string.":                                func(in *Inputs) { in.Text("1") },
		"Must be a whole number, but is a number with a fraction or an exponent.": func(in *Inputs) { in.Number([]byte("1e2")) },
	} {
		var in Inputs
		add(&in)
		in.Name("count")
		_, err := in.Bind([]Param{{Name: "count", Type: TypeInt, Min: -3, Max: 156}})
		if err == nil || len(err.Issues) != 1 || err.Issues[0].Detail != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	var huge Inputs
	huge.Number([]byte("99999999999999999999"))
	huge.Name("city")
	if _, err := huge.Bind(testParams); err == nil || err.Issues[0].Detail != "Must be a string, but is a whole number." {
		t.Errorf("a huge number as a text: %v", err)
	}
	var none Inputs
	none.Name("nobody") // there is no value to name
	if len(none.list) != 0 {
		t.Error("a name became an input")
	}
}

// TestInputValues: what protocols look up before inputs are checked.
func TestInputValues(t *testing.T) {
	var in Inputs
	for name, add := range map[string]func(){
		"null": in.Null, "text": func() { in.Text("x") }, "int": func() { in.Number([]byte("-7")) }, "bool": func() { in.Bool(true) },
		"float": func() { in.Number([]byte("1.0")) }, "list": in.List, "object": in.Object, "huge": func() { in.Number([]byte("1" + strings.Repeat("0", 19))) },
	} {
		add()
		in.Name(name)
	}
	for name, want := range map[string]string{
		"null": "<nil> true", "text": "x true", "int": "-7 true", "bool": "true true", "absent": "<nil> true",
		"float": "<nil> false", "list": "<nil> false", "object": "<nil> false", "huge": "<nil> false",
	} {
		if v, plain := in.Value(name); fmt.Sprintf("%v %v", v, plain) != want {
			t.Errorf("%s: %v %v, want %s", name, v, plain, want)
		}
	}
}

// TestBound: arguments are what was sent, and a name that is given twice is a
// fault of the request and not of an input.
func TestBound(t *testing.T) {
	in := InputsOf(testParams, Args{"city": "Bonn", "count": int64(156), "loud": true, "day": nil})
	args, err := in.Bind(testParams)
	if err != nil || !reflect.DeepEqual(args, Args{"city": "Bonn", "count": int64(156), "loud": true}) {
		t.Errorf("%v, %v", args, err)
	}
	if args.Text("city") != "Bonn" || args.Int("count") != 156 || !args.Bool("loud") || args.Text("count") != "" || args.Int("none") != 0 || args.Bool("none") {
		t.Error("plain arguments")
	}
	if *args.OptText("city") != "Bonn" || *args.OptInt("count") != 156 || !*args.OptBool("loud") || args.OptText("day") != nil || args.OptInt("day") != nil || args.OptBool("day") != nil {
		t.Error("optional arguments")
	}
	for range 2 {
		in.Text("Bonn")
		in.Name("city")
	}
	if _, err := in.Bind(testParams); err == nil || err.Kind != KindBadRequest || err.Message != `The parameter "city" is given twice.` {
		t.Errorf("a name that is given twice: %v", err)
	}
	names := ""
	for _, i := range InputsOf(testParams, Args{"zz": 1, "aa": 1, "loud": true, "city": "x"}).list {
		names += i.name + " "
	}
	if names != "city loud aa zz " {
		t.Errorf("the order of inputs is %s", names)
	}
	exact := []Param{{Name: "t", Type: TypeString, MinLength: 2, MaxLength: 2}, {Name: "p", Type: TypeString, Pattern: regexp.MustCompile("b")}}
	if err := Validate(exact, Args{"t": "éé", "p": "abc"}); err != nil {
		t.Error(err)
	}
}

func TestNearestEnds(t *testing.T) {
	long := strings.Repeat("a", clipped)
	for _, c := range []struct{ word, candidate, want string }{
		{long, long, long}, {long + "a", long + "a", ""}, {long, long + "a", ""}, {long[1:], long, long},
		{"ab", "ac", "ac"}, {"ab", "cd", ""}, {"abcdef", "abcdxy", "abcdxy"}, {"abcdef", "abcxyz", ""}, {"abcdef", "abcdefgh", "abcdefgh"}, {"abcdef", "abcdefghi", ""},
		{"abcdefghi", "abcdef", "abcdef"}, {"abcdefghi", "abcde", ""}, {"a", "b", "b"}, {"kitten", "sitting", ""}, {"kitten", "sittin", "sittin"},
	} {
		if got := Nearest(c.word, []string{c.candidate}); got != c.want {
			t.Errorf("Nearest(%q, %q) is %q", c.word, c.candidate, got)
		}
	}
	if got := Nearest("abcd", []string{"abcx", "abcde", "abcd"}); got != "abcd" {
		t.Errorf("the nearest is %q", got)
	}
	if Clip(long) != long || Clip(long+"b") != long+"..." || Clip(long[1:]+"é") != long[1:]+"..." || Quote("x") != `"x"` {
		t.Error("texts are clipped elsewhere")
	}
}

// TestKindWords: a log and a metric know a kind by its word, a model by its
// sentence.
func TestKindWords(t *testing.T) {
	var got []string
	for k := range Kind(15) {
		got = append(got, k.String()+": "+(&Error{Kind: k}).Sentence())
	}
	want := []string{
		"internal: The server failed. It is not the fault of the inputs.", "bad_request: The request is malformed.",
		"unauthorized: The credentials are missing or wrong.", "forbidden: The caller may not do this.", "unknown_tool: ", "unknown_version: ",
		"invalid_input: Some input parameters are invalid", "no_result: Nothing was found for these inputs.", "rejected: The backend refused these inputs.",
		"rate_limited: There are too many calls at the moment. Try again later.", "unavailable: The backend is not available at the moment. Try again later.",
		"timeout: The backend did not answer in time. Try again later.", "bad_backend: The backend gave an answer that this tool cannot use.",
		"unknown_outcome: It is not known whether the call took effect. Check before you repeat it.", "internal: The server failed. It is not the fault of the inputs.",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if (&Error{Message: "secret"}).Sentence() != want[0][len("internal: "):] || (&Error{Kind: KindRejected, Message: "no"}).Sentence() != "no" {
		t.Error("the message of an error")
	}
}

func TestErrorText(t *testing.T) {
	for want, e := range map[string]*Error{
		"no":                    {Message: "no", Code: "c"},
		"c":                     {Code: "c", Kind: KindRejected},
		"rejected":              {Kind: KindRejected},
		"step s: no: it failed": {Message: "no", Step: "s", Err: errors.New("it failed")},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestExplain(t *testing.T) {
	issues := []Issue{{Param: "a", Detail: "Bad."}, {Param: "b", Detail: "Worse.", Allowed: []string{"X", "Y"}}}
	for want, e := range map[string]*Error{
		"Some input parameters are invalid: a: Bad. b: Worse. Allowed: X, Y.": {Kind: KindInvalidInput, Issues: issues},
		"Look: a: Bad.": {Kind: KindInvalidInput, Message: "Look:", Issues: issues[:1]},
		"Gone. Ask later. Done already: pay, ship.":                    {Kind: KindRejected, Message: "Gone.", Hint: "Ask later.", EffectsDone: []string{"pay", "ship"}},
		"The backend did not answer in time. Try again in 2 s.":        {Kind: KindTimeout, Retryable: true, RetryAfter: 1001 * time.Millisecond},
		"The backend did not answer in time. Try again later.":         {Kind: KindTimeout, Retryable: true},
		"The backend is not available at the moment. Try again later.": {Kind: KindUnavailable, RetryAfter: time.Second},
		"There are too many calls at the moment. Try again in 1 s.":    {Kind: KindRateLimited, Retryable: true, RetryAfter: time.Second},
	} {
		if got := e.Explain(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAsError: what no chain has named gets a kind by its cause.
func TestAsError(t *testing.T) {
	known := &Error{Kind: KindRejected, Code: "x"}
	for _, c := range []struct {
		err  error
		want Error
	}{
		{errors.New("x"), Error{}}, {context.DeadlineExceeded, Error{Kind: KindTimeout, Retryable: true}},
		{context.Canceled, Error{Kind: KindUnavailable, Code: "canceled", Message: "The call was canceled.", Retryable: true}},
		{value.ErrNoElement("s", "p", "", "none"), Error{Kind: KindNoResult, Step: "s"}}, {value.ErrMissing("s", "p", ""), Error{Kind: KindBadBackend, Step: "s"}},
		{value.ErrValue("", "p", "", errors.New("x")), Error{Kind: KindRejected, Message: "These inputs give no result: x."}}, {value.ErrValue("s", "p", "", errors.New("x")), Error{Kind: KindBadBackend, Step: "s"}},
		{value.ErrMissing("", "p", ""), Error{Kind: KindBadBackend}},
		{known, *known}, {fmt.Errorf("in a step: %w", known), *known}, {&Error{Err: context.DeadlineExceeded}, Error{Kind: KindTimeout, Retryable: true}},
		{&Error{Kind: KindRejected, Err: context.DeadlineExceeded}, Error{Kind: KindRejected}},
	} {
		got := AsError(c.err)
		cause := got.Err
		if got.Err = nil; !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%v: %+v, want %+v", c.err, *got, c.want)
		}
		if cause == nil && c.want.Code != "x" {
			t.Errorf("%v: the cause is gone", c.err)
		}
	}
	if KindOf(fmt.Errorf("x: %w", known)) != KindRejected || KindOf(errors.New("x")) != KindInternal || KindOf(nil) != KindInternal {
		t.Error("the kind of an error")
	}
	after := AsError(AfterEffects(AfterEffects(known, "ship"), "pay"))
	if !reflect.DeepEqual(after.EffectsDone, []string{"pay", "ship"}) || known.EffectsDone != nil || KindOf(BeforeEffects(context.DeadlineExceeded)) != KindTimeout {
		t.Errorf("the effects are %v, those of the cause %v", after.EffectsDone, known.EffectsDone)
	}
}

func TestGuard(t *testing.T) {
	fails := errors.New("x")
	if err := Guard(context.Background(), func(context.Context) error { return fails }); !errors.Is(err, fails) {
		t.Error(err)
	}
	var p *PanicError
	if err := Guard(context.Background(), func(context.Context) error { panic("boom") }); !errors.As(err, &p) || err.Error() != "panic: boom" || p.Value != "boom" || len(p.Stack) == 0 {
		t.Errorf("%v", err)
	}
}

// TestCallersApart: digests differ by everything that may tell one caller from
// another, and by nothing else.
func TestCallersApart(t *testing.T) {
	all := map[string]*Principal{
		"nobody": {}, "id": {ID: "a"}, "user": {UserID: "a"}, "both": {ID: "a", UserID: "a"}, "authorization": {Authorization: "a"}, "id and authorization": {ID: "a", Authorization: "a"},
		"claim": {Claims: map[string]string{"a": "b"}}, "secret": {Secrets: map[string]string{"a": "b"}}, "token": {Tokens: map[string]string{"a": "b"}},
		"another claim": {Claims: map[string]string{"a": "c"}}, "two claims": {Claims: map[string]string{"a": "b", "c": "d"}}, "joined": {ID: "a1:a"},
		"secret of a": {ID: "a", Secrets: map[string]string{"a": "b"}}, "token of a": {ID: "a", Tokens: map[string]string{"a": "b"}},
	}
	seen := map[[32]byte]string{}
	for name, p := range all {
		if other, twice := seen[p.Digest()]; twice {
			t.Errorf("%s is %s", name, other)
		}
		seen[p.Digest()] = name
	}
	same := func(a, b *Principal) bool { return a.Who() == b.Who() }
	for name, c := range map[string]struct {
		a, b *Principal
		same bool
	}{
		"the same":                {&Principal{ID: "k"}, &Principal{ID: "k", Authorization: "x", Claims: map[string]string{"a": "b"}}, true},
		"another key":             {&Principal{ID: "k"}, &Principal{ID: "l"}, false},
		"another user":            {&Principal{ID: "k", UserID: "u"}, &Principal{ID: "k", UserID: "v"}, false},
		"a renewed token":         {&Principal{ID: "k", UserID: "u", Tokens: map[string]string{"a": "1"}}, &Principal{ID: "k", UserID: "u", Tokens: map[string]string{"a": "2"}}, true},
		"a token instead of user": {&Principal{ID: "k", Tokens: map[string]string{"a": "1"}}, &Principal{ID: "k", Tokens: map[string]string{"a": "2"}}, true},
		"a secret instead":        {&Principal{ID: "k", Secrets: map[string]string{"a": "1"}}, &Principal{ID: "k", Secrets: map[string]string{"a": "2"}}, true},
		"nobody with a secret":    {&Principal{Secrets: map[string]string{"a": "1"}}, &Principal{}, true},
	} {
		if same(c.a, c.b) != c.same {
			t.Errorf("%s: %v", name, !c.same)
		}
	}
}

// TestCallContext: what a call carries, and what there is without one.
func TestCallContext(t *testing.T) {
	ctx := context.Background()
	if *InvocationOf(ctx) != (Invocation{}) || CallerOf(ctx).ID != "" || LoggerOf(ctx) != slog.Default() {
		t.Error("there is a call without one")
	}
	p, inv, log := &Principal{ID: "p"}, &Invocation{CallID: "c"}, slog.New(slog.DiscardHandler)
	single := ContextWithLogger(WithInvocation(WithPrincipal(ctx, p), inv), log)
	for _, c := range []context.Context{single, WithCall(ctx, p, inv, log)} {
		if CallerOf(c) != p || InvocationOf(c) != inv || LoggerOf(c) != log {
			t.Error("the call is not in its context")
		}
	}
	type key struct{}
	outer := ContextWithLogger(context.WithValue(ctx, key{}, "v"), log)
	if inner := WithCall(outer, p, inv, nil); LoggerOf(inner) != log || inner.Value(key{}) != "v" {
		t.Error("what is around a call is gone")
	}
	for _, c := range []context.Context{WithPrincipal(ctx, nil), WithCall(ctx, nil, nil, nil), WithInvocation(ctx, nil), ContextWithLogger(ctx, nil)} {
		if CallerOf(c) == nil || InvocationOf(c) == nil || LoggerOf(c) == nil {
			t.Error("nothing became nil")
		}
	}
}

// TestNamesOfCalls pins the forms that go to backends, which remember them.
func TestNamesOfCalls(t *testing.T) {
	if got := (&Invocation{TraceParent: "00-a-b-00"}).Trace(); got != "00-a-b-00" {
		t.Errorf("the trace of the caller became %s", got)
	}
	trace := (&Invocation{CallID: "c1"}).Trace()
	if !regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`).MatchString(trace) || trace == (&Invocation{CallID: "c2"}).Trace() {
		t.Errorf("the trace is %s", trace)
	}
	of := func(p Principal, inv Invocation, name string) string {
		return UUID(WithCall(context.Background(), &p, &inv, nil), name)
	}
	base := of(Principal{ID: "k"}, Invocation{CallID: "c", Tool: "t"}, "n")
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(base) {
		t.Errorf("%s is not a UUID of version 8", base)
	}
	seen := map[string]bool{}
	for _, id := range []string{
		base, of(Principal{ID: "l"}, Invocation{CallID: "c", Tool: "t"}, "n"), of(Principal{ID: "k"}, Invocation{CallID: "d", Tool: "t"}, "n"),
		of(Principal{ID: "k"}, Invocation{CallID: "c", Tool: "u"}, "n"), of(Principal{ID: "k"}, Invocation{CallID: "c", Tool: "t"}, "m"),
		of(Principal{ID: "k", UserID: "u"}, Invocation{CallID: "c", Tool: "t"}, "n"), of(Principal{ID: "k"}, Invocation{IdempotencyKey: "e", CallID: "c", Tool: "t"}, "n"),
	} {
		if seen[id] {
			t.Errorf("%s is there twice", id)
		}
		seen[id] = true
	}
	marked := func(call string) string {
		return of(Principal{ID: "k"}, Invocation{IdempotencyKey: "e", CallID: call, Tool: "t"}, "n")
	}
	if marked("c") != marked("d") {
		t.Error("a call that is repeated has another UUID")
	}
}

func TestPreviewPrincipal(t *testing.T) {
	p := PreviewPrincipal(Toolset{Tools: []Tool{{Needs: Needs{Claims: []string{"c"}, Secrets: []string{"s"}, Tokens: []string{"t"}}}, {Needs: Needs{Claims: []string{"d"}}}}})
	want := &Principal{
		ID: "preview", UserID: "preview-user", Authorization: "Bearer preview-credential", Claims: map[string]string{"c": "preview-claim", "d": "preview-claim"},
		Secrets: map[string]string{"s": "preview-secret"}, Tokens: map[string]string{"t": "preview-token"},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("%+v", p)
	}
}

func TestResults(t *testing.T) {
	var w ResultWriter
	w.Output("a").Text("x")
	w.Output("b")
	w.Output("c").Int(1)
	got, err := w.Result()
	if text := string(got.AppendJSON([]byte("="))); err != nil || text != `={"a":"x","b":null,"c":1}` {
		t.Errorf("%s, %v", text, err)
	}
	if text := string(Result(nil).AppendJSON(nil)); text != "{}" {
		t.Errorf("nothing is %s", text)
	}
	w.Output("d").Float(math.NaN())
	if got, err := w.Result(); got != nil || err == nil || err.Error() != "output d the number is not finite" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestResultsAreKept: writers share memory, and what one has returned must not
// change when another writes, nor when its receiver appends to a part of it.
func TestResultsAreKept(t *testing.T) {
	write := func(text string) Result {
		var w ResultWriter
		w.Output("a").Text(text)
		w.Output("b").Text(text)
		got, err := w.Result()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := write("first")
	_ = append(first[0].JSON, "spoiled"...)
	for range 100 {
		write("another")
	}
	if text := string(first.AppendJSON(nil)); text != `{"a":"first","b":"first"}` {
		t.Error(text)
	}
	long := strings.Repeat("x", 2*keepResult)
	if text := string(write(long)[1].JSON); text != `"`+long+`"` {
		t.Error("a long text is", len(text), "bytes")
	}
	if n := testing.AllocsPerRun(100, func() { write("first") }); n > 3 {
		t.Errorf("%v allocations for two outputs", n)
	}
}

func TestWindowBeginsOnce(t *testing.T) {
	var w Window
	begun := 0
	begin := func() any { begun++; return begun }
	for range 2 {
		if got := w.State(begin); got != 1 {
			t.Errorf("the window began %d times", got)
		}
	}
}
