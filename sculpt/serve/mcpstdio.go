package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// stdioDrain is how long effects that run may go on after ctx has ended.
const stdioDrain = 5 * time.Second

// Stdio serves the tools of handler, one of [NewHandler] or [Wrap], over MCP
// on a pair of streams: one message in each line, nothing else on out. It
// returns nil when in has ended and every call is answered, or when ctx ends;
// an error when handler has no MCP or out cannot be written.
//
//	handler, err := serve.NewHandler(sets)
//	err = serve.Stdio(ctx, handler, nil, os.Stdin, os.Stdout)
//
// chosen is what the query of /mcp may say: url.Values{"pins": {"find@2"}}, or
// "tools" or "tags"; nil is everything. To choose what is not there is a
// [tool.KindBadRequest].
//
// Who starts the program is its caller, so the authenticator of the handler is
// not asked; [tool.WithPrincipal] puts into ctx who that is. A line may be as long as
// [Limits] allows for a body.
func Stdio(ctx context.Context, handler http.Handler, chosen url.Values, in io.Reader, out io.Writer) error {
	s, err := unwrap(handler)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(s.mounts, func(m mount) bool { return m.p.word() == ProtocolMCP })
	if at < 0 {
		return errors.New("serve: the handler does not serve MCP")
	}
	p := s.mounts[at].p.(*mcp)
	view, fault := p.view(chosen)
	if fault != nil {
		return &tool.Error{Kind: tool.KindBadRequest, Message: fault.message}
	}
	over, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	life := &lifetime{over: over}
	base, cancel := context.WithCancelCause(context.WithValue(ctx, lifetimeKey{}, life))
	defer cancel(nil)
	c := &stdio{p: p, view: view, ctx: base, cancel: cancel, out: out, running: map[string]*stdioCall{}}
	c.read(in, int(s.limits.Body))

	ended := make(chan struct{})
	go func() { c.calls.Wait(); life.settle(ctx); close(ended) }()
	select {
	case <-ended:
	case <-base.Done():
		// Reads stop at once; effects get a moment.
		select {
		case <-ended:
		case <-time.After(stdioDrain):
		}
	}
	if err := context.Cause(base); ctx.Err() == nil && err != nil {
		return err
	}
	return nil
}

// A stdio is one client at the other end of two pipes.
type stdio struct {
	p    *mcp
	view *mcpView
	// ctx ends with the cause that out cannot be written, or with the caller's.
	ctx    context.Context
	cancel context.CancelCauseFunc
	calls  sync.WaitGroup
	// batches says that initialize agreed to the revision that has them.
	batches bool

	// writing guards out; mu the table, which must not wait for a slow reader.
	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex
	running map[string]*stdioCall
	// opens says that initialize agreed to the revision in which the client can be
	// asked to open a page, and that it can.
	opens bool
}

// A stdioCall is a call that is not answered yet.
type stdioCall struct {
	cancel context.CancelFunc
	// gone says that the client wants no answer any more.
	gone bool
}

// A stdioLine is one line, or what is left of one that is too long.
type stdioLine struct {
	text    []byte
	tooLong bool
}

// read takes lines until in or the context ends. in is read by a goroutine that
// nobody can stop while it waits for input; it holds nothing but its buffer.
func (c *stdio) read(in io.Reader, limit int) {
	lines := make(chan stdioLine)
	go func() {
		defer close(lines)
		r := bufio.NewReader(in)
		for {
			line, err := readLine(r, limit)
			if len(line.text) > 0 || line.tooLong {
				select {
				case lines <- line:
				case <-c.ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	for {
		select {
		case line, more := <-lines:
			if !more {
				return
			}
			c.take(line, limit)
		case <-c.ctx.Done():
			return
		}
	}
}

// readLine reads one line without the white space around it; of one beyond
// the limit it keeps nothing. The last line needs no end.
func readLine(r *bufio.Reader, limit int) (stdioLine, error) {
	var line stdioLine
	for {
		part, err := r.ReadSlice('\n')
		if len(line.text)+len(part) > limit+1 {
			line.text, line.tooLong = nil, true
		}
		if !line.tooLong {
			line.text = append(line.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			line.text = bytes.TrimSpace(line.text)
			return line, err
		}
	}
}

// take answers one line. Calls run on their own, so that others, and the word
// to cancel them, can come meanwhile.
func (c *stdio) take(line stdioLine, limit int) {
	if line.tooLong {
		c.write(appendRPCError(nil, nil, &rpcError{code: rpcInvalid, message: tooLarge(int64(limit)).Message}))
		return
	}
	messages, batch, fault := decodeMCP(line.text)
	if fault == nil && batch && !c.batches {
		fault = &rpcError{code: rpcInvalid, message: "Batches belong to MCP " + mcpBatches + " alone."}
	}
	if fault != nil {
		c.write(appendRPCError(nil, known(messages), fault))
		return
	}
	start := time.Now()
	if batch {
		c.calls.Go(func() {
			c.write(c.p.batch(messages, func(m *rpcMessage) []byte { return c.one(c.open(m), m, start) }))
		})
		return
	}
	m := &messages[0]
	switch {
	case m.method == "notifications/cancelled" && m.id == nil:
		c.end(m.params.cancels)
	case m.method == "tools/call" && m.id != nil:
		call := c.open(m) // before the next line is read, which may cancel it
		c.calls.Go(func() {
			c.write(c.p.guarded(m, func(m *rpcMessage) []byte { return c.one(call, m, start) }))
		})
	default:
		if m.method == "initialize" && m.fault == nil {
			c.batches = agreed(m.params.version) == mcpBatches
			c.mu.Lock()
			c.opens = agreed(m.params.version) == mcpLegacy && m.params.opens
			c.mu.Unlock()
		}
		c.write(c.one(c.open(m), m, start))
	}
}

// A stdioOpen is the context of a message, and its entry in the table of those
// that run, nil for a notification.
type stdioOpen struct {
	ctx  context.Context
	call *stdioCall
	// opens is that of the client when the message came.
	opens bool
}

// open notes that a message is being answered.
func (c *stdio) open(m *rpcMessage) stdioOpen {
	if m.id == nil || m.answer {
		return stdioOpen{ctx: c.ctx}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running[string(m.id)] != nil {
		m.refuse(rpcInvalid, "This id belongs to a call that is not answered yet.")
		return stdioOpen{ctx: c.ctx}
	}
	ctx, cancel := context.WithCancel(c.ctx)
	call := &stdioCall{cancel: cancel}
	c.running[string(m.id)] = call
	return stdioOpen{ctx, call, c.opens}
}

// end cancels a call: it is not answered any more (2025-11-25, Cancellation).
func (c *stdio) end(id []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if call := c.running[string(id)]; call != nil {
		call.gone = true
		call.cancel()
	}
}

// one answers a message, nil for none.
func (c *stdio) one(open stdioOpen, m *rpcMessage, start time.Time) []byte {
	defer c.forget(open, m)
	t := &mcpTurn{p: c.p, view: c.view, principal: tool.CallerOf(c.ctx), start: start, opens: open.opens}
	t.openStdio(m)
	b, _ := t.answer(open.ctx, nil, m)
	c.mu.Lock()
	defer c.mu.Unlock()
	if open.call != nil && open.call.gone {
		return nil
	}
	return b
}

func (c *stdio) forget(open stdioOpen, m *rpcMessage) {
	if open.call == nil {
		return
	}
	open.call.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.running, string(m.id))
}

// openStdio decides which revision a message speaks: there are no headers.
func (t *mcpTurn) openStdio(m *rpcMessage) {
	meta := &m.params.meta
	if m.fault != nil || m.id == nil {
		return
	}
	if meta.versioned && meta.version != mcpFirst && !slices.Contains(mcpRevisions, meta.version) {
		m.fault = unsupported(meta.version)
		return
	}
	t.modern = meta.version == mcpModern || !meta.versioned && m.method == "server/discover"
	if t.modern {
		m.fault, t.opens, t.tasks = m.needsMeta(), meta.opens, meta.tasks
	}
}

// write writes one line. Without a reader at the other end nothing that is
// left to do has a sense.
func (c *stdio) write(b []byte) {
	if len(b) == 0 {
		return
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.out.Write(append(b, '\n')); err != nil {
		c.cancel(err)
	}
}
