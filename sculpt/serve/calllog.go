package serve

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/cause"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// logCall writes the one record of a call. It holds no input, no output and no
// message, for messages may repeat inputs; the place of a failed expression
// is for the vendor's eyes, and is here only.
func (s *Handler) logCall(ctx context.Context, j *job, out *conclusion) {
	level, kind := slog.LevelInfo, "ok"
	if out.err != nil {
		level, kind = levelOf(out.err), out.err.Kind.String()
	}
	if !s.log.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 16)
	attrs = append(attrs,
		slog.String("tool", j.version.label),
		slog.String("protocol", string(j.protocol)),
		slog.String("outcome", kind),
		slog.Duration("duration", out.took),
		slog.String("call_id", j.inv.CallID),
		slog.String("principal", j.principal.ID))
	if j.inv.TraceParent != "" {
		attrs = append(attrs, slog.String("traceparent", j.inv.TraceParent))
	} else if j.inv.TraceID != "" {
		attrs = append(attrs, slog.String("trace_id", j.inv.TraceID))
	}
	if out.err != nil {
		attrs = appendFault(attrs, out.err)
	}
	s.record(ctx, level, j.start.Add(out.took), attrs)
}

// record writes a record of a call.
func (s *Handler) record(ctx context.Context, level slog.Level, at time.Time, attrs []slog.Attr) {
	r := slog.NewRecord(at, level, "call", logPlace)
	r.AddAttrs(attrs...)
	_ = s.log.Handler().Handle(ctx, r) // as slog.Logger does
}

// logPlace is the place in the source that all records of calls have. A logger
// would look for it each time, at a higher price than that of the rest.
var logPlace = func() uintptr {
	var at [1]uintptr
	runtime.Callers(1, at[:])
	return at[0]
}()

// refusals are the kinds of errors of an [Authenticator], whose text is for the
// log. Other texts may hold what the caller has sent.
var refusals = []tool.Kind{tool.KindUnauthorized, tool.KindForbidden, tool.KindUnavailable}

// logRefusal writes the record of a call that reached no tool.
func (s *Handler) logRefusal(ctx context.Context, word Protocol, who *tool.Principal, start time.Time, e *tool.Error) {
	level := levelOf(e)
	if !s.log.Enabled(ctx, level) {
		return
	}
	principal := ""
	if who != nil {
		principal = who.ID
	}
	attrs := []slog.Attr{
		slog.String("protocol", string(word)),
		slog.String("outcome", e.Kind.String()),
		slog.Duration("duration", time.Since(start)),
		slog.String("principal", principal),
	}
	if e.Code != "" {
		attrs = append(attrs, slog.String("code", e.Code))
	}
	if who == nil && e.Err != nil && slices.Contains(refusals, e.Kind) {
		attrs = append(attrs, slog.String("error", escaped(e.Err.Error())))
	}
	s.record(ctx, level, time.Now(), attrs)
}

func levelOf(e *tool.Error) slog.Level {
	switch e.Kind {
	case tool.KindInternal:
		return slog.LevelError
	case tool.KindBadBackend, tool.KindUnavailable, tool.KindTimeout, tool.KindUnknownOutcome:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

func appendFault(attrs []slog.Attr, e *tool.Error) []slog.Attr {
	if e.Code != "" {
		attrs = append(attrs, slog.String("code", e.Code))
	}
	if e.Step != "" {
		attrs = append(attrs, slog.String("step", e.Step))
	}
	if len(e.EffectsDone) > 0 {
		attrs = append(attrs, slog.Any("effects_done", e.EffectsDone))
	}
	for i := range e.Issues {
		// The name of an unknown parameter is the caller's text.
		name := e.Issues[i].Param
		if e.Issues[i].Code == "unknown" {
			name = "?"
		}
		attrs = append(attrs, slog.String("issue", name+": "+e.Issues[i].Code))
	}
	attrs = appendCause(attrs, e)
	var path *value.PathError
	var panicked *tool.PanicError
	switch {
	case errors.As(e.Err, &path):
		// Not its text and cause: those may quote a value.
		attrs = append(attrs, slog.String("path", escaped(path.Path)), slog.String("at", path.At), slog.Int("why", int(path.Why)))
	case errors.As(e.Err, &panicked):
		attrs = append(attrs, slog.String("error", escaped(panicked.Error())), slog.String("stack", string(panicked.Stack)))
	case e.Kind == tool.KindInternal && e.Err != nil:
		attrs = append(attrs, slog.String("error", escaped(e.Err.Error())))
	case e.Kind == tool.KindInternal && e.Developer != "":
		attrs = append(attrs, slog.String("error", escaped(e.Developer)))
	}
	return attrs
}

// appendCause adds why an api failed, in a word of package cause and numbers, and its
// host: a path or query may hold what a caller said.
func appendCause(attrs []slog.Attr, e *tool.Error) []slog.Attr {
	fault, ok := errors.AsType[*cause.Error](e.Err)
	if !ok {
		if word := causeOf(e); word != "" {
			attrs = append(attrs, slog.String("cause", string(word)))
		}
		return attrs
	}
	attrs = append(attrs, slog.String("cause", string(fault.Word)))
	if fault.Status != 0 {
		attrs = append(attrs, slog.Int("status", fault.Status))
	}
	if fault.Attempts != 0 {
		attrs = append(attrs, slog.Int("attempts", fault.Attempts))
	}
	if fault.Host != "" {
		attrs = append(attrs, slog.String("host", fault.Host))
	}
	return attrs
}

// causeOf is the cause of an error that is not that of one request, "" for none: what
// an expression found in an answer, or how a chain ended.
func causeOf(e *tool.Error) cause.Word {
	switch {
	case errors.Is(e.Err, context.Canceled):
		return cause.Canceled
	case e.Kind == tool.KindTimeout:
		return cause.Timeout
	case e.Kind == tool.KindBadBackend:
		return cause.BadAnswer
	}
	return ""
}

// escaped is a text that may hold what a backend sent, on one line and without what
// acts on a terminal, since a handler of the vendor may write it as it is.
func escaped(text string) string { return value.Sentence(lineBreaks.Replace(text)) }

var lineBreaks = strings.NewReplacer("\r", `\r`, "\n", `\n`, "\t", `\t`)
