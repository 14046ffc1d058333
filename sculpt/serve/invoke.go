package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A job is one call, as a protocol hands it over.
type job struct {
	tool      *servedTool
	version   *servedVersion
	protocol  Protocol
	inputs    tool.Inputs
	principal *tool.Principal
	inv       tool.Invocation
	start     time.Time
	// typed: the answer is a Go value instead of JSON.
	typed bool
	// from is the network that an anonymous caller is told apart by, "" where the
	// call did not come over one.
	from string
}

// A conclusion is what became of a job.
type conclusion struct {
	result tool.Result
	err    *tool.Error
	// started says that the tool itself ran: OTC answers faults before that
	// differently from faults of the tool. A call that wants the consent of a user
	// first has not, whatever it has read.
	started bool
	took    time.Duration
	// typed is the answer of [InvokeTyped].
	typed any
}

// call validates and runs a job. Every call leaves here with one log record.
// The context is that of the request; parent is its Traceparent header.
func (s *Handler) call(ctx context.Context, parent string, j *job) conclusion {
	j.inv.Tool, j.inv.Version, j.inv.Protocol, j.inv.Time = j.tool.Name, j.version.N, string(j.protocol), j.start.UTC()
	if isTraceParent(parent) {
		j.inv.TraceParent = parent
	} else if isTraceParent(j.inv.TraceID) {
		j.inv.TraceParent = j.inv.TraceID
	}
	out := s.attempt(ctx, j)
	out.took = time.Since(j.start)
	s.logCall(ctx, j, &out)
	return out
}

func (s *Handler) attempt(ctx context.Context, j *job) conclusion {
	if fault := s.ended(j.tool); fault != nil {
		return conclusion{err: fault}
	}
	if missing := unmet(&j.tool.Needs, j.principal); missing != "" {
		return conclusion{err: &tool.Error{Kind: tool.KindForbidden, Code: missingRequirements, Message: "This tool needs " + missing + " of its caller."}}
	}
	args, fault := j.inputs.Bind(j.version.Inputs)
	if fault != nil {
		return conclusion{err: fault}
	}
	if fault := s.caps.enter(j.principal.ID); fault != nil {
		return conclusion{err: fault}
	}
	defer s.caps.leave(j.principal.ID)
	fill(args, j.version.defaults)
	if !j.named() {
		return s.run(ctx, j, args)
	}
	return j.once(ctx, args, &s.limits, func() conclusion { return s.run(ctx, j, args) })
}

func fill(args tool.Args, defaults []namedDefault) {
	for i := range defaults {
		if _, ok := args[defaults[i].name]; !ok {
			args[defaults[i].name] = defaults[i].value
		}
	}
}

// named reports whether a call has a name and must not be made again under it.
// A call that only reads, and costs nothing, is made as often as it is asked for.
func (j *job) named() bool {
	return j.inv.IdempotencyKey != "" && (!j.tool.Effects.ReadOnly || j.tool.Effects.Billable)
}

// repeatable reports whether a second call, under the same name if this one has
// one, changes nothing that the first has not, and costs nothing either.
func (j *job) repeatable() bool {
	e := j.tool.Effects
	return (e.ReadOnly || e.Idempotent) && !e.Billable || j.tool.IdempotentIfNamed && j.inv.IdempotencyKey != ""
}

// run runs the chain under its deadline.
func (s *Handler) run(ctx context.Context, j *job, args tool.Args) conclusion {
	if !j.tool.Effects.ReadOnly || j.tool.Effects.Billable {
		// A caller that hangs up must not cut an effect in two. The call is
		// still bounded by its deadline and by the end of the server.
		ctx = detached(ctx)
	}
	result, err := execute(ctx, j.tool, j.version.N, who{j.principal, &j.inv, s.log, &s.limits, s.intercept}, args)
	out := conclusion{result: result, started: true}
	if err != nil {
		out.err = j.settle(err)
		out.started = out.err.Authorization == nil || len(out.err.EffectsDone) > 0
	}
	return out
}

// Invoke calls a tool of the set in process: the same validation, defaults,
// deadline and error mapping as over the wire, without authentication, caps
// and log. Version 0 is the current one. The result holds exactly the outputs
// of that version; nil JSON means null. The error is always an *Error. The
// principal and the invocation of ctx are passed on, and its idempotency key is
// kept, in the [tool.Window] of the set.
func Invoke(ctx context.Context, set tool.Toolset, name string, version int, args tool.Args) (tool.Result, error) {
	j, fault := inside(ctx, &set, name, version)
	if fault != nil {
		return nil, fault
	}
	out := j.invoke(ctx, args, func() any { return nil })
	if out.err != nil {
		return nil, out.err
	}
	return project(j.version.Outputs, out.result), nil
}

// inside is the job of a call in process.
func inside(ctx context.Context, set *tool.Toolset, name string, version int) (*job, *tool.Error) {
	at := slices.IndexFunc(set.Tools, func(t tool.Tool) bool { return t.Name == name })
	if at < 0 {
		return nil, &tool.Error{Kind: tool.KindUnknownTool, Message: "There is no tool named " + tool.Quote(name) + "."}
	}
	t := &servedTool{Tool: set.Tools[at], deadline: set.Tools[at].Deadline, window: windowOf(set.Window)}
	if t.deadline <= 0 {
		t.deadline = DefaultDeadline
	}
	n := len(t.Versions)
	if version == 0 && n > 0 {
		version = t.Versions[n-1].N
	}
	v := slices.IndexFunc(t.Versions, func(v tool.Version) bool { return v.N == version })
	if v < 0 {
		return nil, unknownVersion(&t.Tool)
	}
	j := &job{tool: t, version: &servedVersion{Version: t.Versions[v]}, principal: tool.CallerOf(ctx), inv: *tool.InvocationOf(ctx)}
	if missing := unmet(&t.Needs, j.principal); missing != "" {
		return nil, &tool.Error{Kind: tool.KindForbidden, Code: missingRequirements, Message: "This tool needs " + missing + " of its caller."}
	}
	j.version.defaults = defaultsOf(j.version.Inputs, t.Versions[n-1].Inputs)
	j.inv.Tool, j.inv.Version = name, version
	if j.inv.CallID == "" {
		j.inv.CallID = newCallID()
	}
	if j.inv.Time.IsZero() {
		j.inv.Time = time.Now().UTC()
	}
	return j, nil
}

// inProcessLimits are those of calls that pass no handler.
var inProcessLimits = func() (l Limits) { l.fill(); return l }()

// invoke runs a call in process; typed gives its answer where that is not JSON.
func (j *job) invoke(ctx context.Context, args tool.Args, typed func() any) conclusion {
	inputs := tool.InputsOf(j.version.Inputs, args)
	checked, fault := inputs.Bind(j.version.Inputs)
	if fault != nil {
		return conclusion{err: fault}
	}
	fill(checked, j.version.defaults)
	run := func() conclusion {
		result, err := execute(ctx, j.tool, j.version.N, who{principal: j.principal, inv: &j.inv}, checked)
		if err != nil {
			return conclusion{err: j.settle(err)}
		}
		return conclusion{result: result, typed: typed()}
	}
	if !j.named() {
		return run()
	}
	return j.once(ctx, checked, &inProcessLimits, run)
}

// unknownVersion says of a tool that it lacks the version that was asked for,
// and which to ask for. Every door but OTC, which has a form of its own, says it
// in these words.
func unknownVersion(t *tool.Tool) *tool.Error {
	text := "The tool " + t.Name + " has no such version"
	if n := len(t.Versions); n > 0 {
		text += "; its current version is " + strconv.Itoa(t.Versions[n-1].N)
	}
	return &tool.Error{Kind: tool.KindUnknownVersion, Message: text + "."}
}

// project picks the outputs of one version from those of the current chain.
func project(slots []tool.OutputSlot, result tool.Result) tool.Result {
	picked := make(tool.Result, len(slots))
	for i := range slots {
		picked[i] = tool.Output{Name: slots[i].Name, JSON: outputOf(result, slots[i].Name, i)}
	}
	return picked
}

// who is for whom a call runs. Upstream calls are logged to log; nil means their
// default.
type who struct {
	principal *tool.Principal
	inv       *tool.Invocation
	log       *slog.Logger
	// limits bound what the call takes of each api; nil is no bound.
	limits *Limits
	// through are the interceptors, the outermost first.
	through []func(CallFunc) CallFunc
}

// execute runs the chain. A panic becomes an error that holds its stack.
func execute(ctx context.Context, t *servedTool, version int, w who, args tool.Args) (result tool.Result, err error) {
	var perAPI, perPrincipal, waiting int
	if w.limits != nil {
		perAPI, perPrincipal, waiting = w.limits.PerAPI, w.limits.perPrincipal(), w.limits.waiting()
	}
	ctx, end := upstream.Within(tool.WithCall(ctx, w.principal, w.inv, w.log), t.deadline, perAPI, perPrincipal, waiting)
	defer end()
	run := func(ctx context.Context, call *Call) (tool.Result, error) { return t.Call(ctx, call.Args) }
	for _, intercept := range slices.Backward(w.through) {
		run = intercept(run)
	}
	err = tool.Guard(ctx, func(ctx context.Context) (err error) {
		result, err = run(ctx, &Call{&t.Tool, version, args})
		return err
	})
	if err == nil {
		result, err = declared(&t.Tool, version, result)
	}
	if path := (*value.PathError)(nil); errors.As(err, &path) && path.Tool == "" {
		path.Tool, path.Version, path.At = t.Name, version, placeOf(t.Places, path.At)
	}
	return result, err
}

// placeOf finds line and column of a part of the manifest in the table of a tool.
func placeOf(places, part string) string {
	for line := range strings.Lines(places) {
		if at, ok := strings.CutPrefix(line, part+"\t"); ok {
			return strings.TrimSuffix(at, "\n")
		}
	}
	return part
}

// settle makes the one error of the run time out of what a chain returned, and
// sees to it that no effect is repeated by accident.
func (j *job) settle(err error) *tool.Error {
	explicit := errors.As(err, new(*tool.Error))
	e := tool.AsError(err)
	if e.Kind == tool.KindUnknownOutcome {
		e.Retryable = false
	}
	if j.repeatable() {
		if e.OutcomeUnknown && e.Retryable && e.Hint == "" && !j.tool.Effects.Idempotent {
			e.Hint = "Repeat the call under the same idempotency key or call id only."
		}
		return e
	}
	// Executors retry every 5xx and 429 (A2T 5.3). Where effects have happened,
	// or where nobody has said that none has, that would repeat them. An
	// explicit error of the chain is believed, except for a fault of our own.
	status := classOf(e).status
	retried := status >= 500 || e.Kind == tool.KindRateLimited
	if e.OutcomeUnknown || retried && (len(e.EffectsDone) > 0 || !explicit || e.Kind == tool.KindInternal) {
		e = unknownOutcome(e, err)
	}
	if len(e.EffectsDone) > 0 {
		e.Retryable = false
	}
	return e
}

// unknownOutcome is the error of a call of which nobody knows whether it took
// effect. The words of the manifest stay.
func unknownOutcome(e *tool.Error, err error) *tool.Error {
	u := &tool.Error{Kind: tool.KindUnknownOutcome, Code: e.Code, Developer: e.Developer, Step: e.Step, EffectsDone: e.EffectsDone, Err: err}
	if u.Code == "" {
		u.Code = classOf(e).code
	}
	switch {
	case e.OutcomeUnknown:
		u.Message, u.Hint = e.Message, cmp.Or(e.Hint, "Do not repeat the call. Find out first whether it took effect.")
	case len(e.EffectsDone) > 0:
		u.Message = "The call failed after some of its effects had happened. Do not repeat it; check first."
	}
	return u
}

// missingRequirements is the reason of a call that lacks what the tool needs
// of its caller.
const missingRequirements = "missing_requirements"

// unmet says what the principal lacks, "" for nothing.
func unmet(needs *tool.Needs, p *tool.Principal) string {
	if needs.UserID && p.UserID == "" {
		return "a user id"
	}
	for _, id := range needs.Secrets {
		if p.Secrets[id] == "" {
			return "the secret " + id
		}
	}
	for _, id := range needs.Tokens {
		if p.Tokens[id] == "" {
			return "a token of " + id
		}
	}
	for _, name := range needs.Claims {
		if p.Claims[name] == "" {
			return "the claim " + name
		}
	}
	return ""
}

// newCallID returns a random UUID (version 4).
func newCallID() string {
	var id [16]byte
	rand.Read(id[:])
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	var text [36]byte
	hex.Encode(text[:8], id[:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:], id[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}

// isTraceParent checks the form of W3C trace context, so that nothing else is
// sent on upstream under that name.
func isTraceParent(s string) bool {
	if len(s) != 55 || s[2] != '-' || s[35] != '-' || s[52] != '-' || s[:2] == "ff" {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if i != 2 && i != 35 && i != 52 && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return s[3:35] != "00000000000000000000000000000000" && s[36:52] != "0000000000000000"
}

// withCall returns a principal with what the call brought itself. What the
// authenticator vouched for wins.
func withCall(p *tool.Principal, userID string, secrets, tokens map[string]string) *tool.Principal {
	if userID == "" && secrets == nil && tokens == nil {
		return p
	}
	merged := *p
	if merged.UserID == "" {
		merged.UserID = userID
	}
	merged.Secrets = overlay(secrets, p.Secrets)
	merged.Tokens = overlay(tokens, p.Tokens)
	return &merged
}

func overlay(base, top map[string]string) map[string]string {
	both := map[string]string{}
	maps.Copy(both, base)
	maps.Copy(both, top)
	return both
}
