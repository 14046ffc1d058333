package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestBodyReader: a body is read as it comes, within its limit and the room that all
// of them share, and gives back what it took.
func TestBodyReader(t *testing.T) {
	cut := errors.New("cut off")
	for _, c := range []struct {
		body  io.Reader
		limit int
		most  int
		want  string // the length, or the code or message of the fault
	}{
		{strings.NewReader(""), 9, 0, "0"},
		{strings.NewReader(strings.Repeat("x", 4096)), 4096, 1 << 20, "4096"},
		{strings.NewReader(strings.Repeat("x", 4095)), 1 << 20, 0, "4095"},
		{strings.NewReader(strings.Repeat("x", 4097)), 1 << 20, 0, "too_many_bodies"},
		{strings.NewReader(strings.Repeat("x", 4097)), 1 << 20, 4 * 8192, "4097"},
		{strings.NewReader(strings.Repeat("x", 4097)), 1 << 20, 4*8192 - 1, "too_many_bodies"},
		{strings.NewReader(strings.Repeat("x", 100000)), 100000, 1 << 20, "100000"},
		{strings.NewReader(strings.Repeat("x", 100001)), 100000, 1 << 20, "payload_too_large"},
		{iotest.OneByteReader(strings.NewReader(strings.Repeat("x", 9000))), 10000, 1 << 20, "9000"},
		{io.MultiReader(strings.NewReader("x"), iotest.ErrReader(cut)), 10, 0, "The body could not be read to its end."},
		{strings.NewReader("xx"), 1, 0, "payload_too_large"},
	} {
		room := &bodyRoom{}
		r := bodyReader{room: room, owner: "ann", limit: c.limit, most: c.most}
		b, fault := r.read(c.body, make([]byte, 0, freeBody))
		got := fmt.Sprint(len(b))
		if fault != nil {
			if got = fault.Code; got == "" {
				got = fault.Message
			}
		}
		if got != c.want || room.used != 0 || len(room.by) != 0 {
			t.Errorf("want %s: %s, and %d bytes are held", c.want, got, room.used)
		}
	}
}

// TestShareOfBodies: one caller has a quarter of the room, and all of them no more
// than there is.
func TestShareOfBodies(t *testing.T) {
	room := &bodyRoom{}
	for _, c := range []struct {
		owner string
		bytes int
		fits  bool
	}{{"ann", 25, true}, {"ann", 1, false}, {"bob", 26, false}, {"bob", 25, true}, {"cid", 25, true}, {"dan", 24, true}, {"eve", 2, false}, {"eve", 1, true}} {
		if got := room.take(c.owner, c.bytes, 100); got != c.fits {
			t.Errorf("%s: %v", c.owner, got)
		}
	}
	room.give("ann", 25)
	if !room.take("ann", 25, 100) || room.used != 100 {
		t.Errorf("%+v", room)
	}
}

// TestSlowBodies: 4,000 callers that send long bodies and never finish them take
// less than 256 MiB, and a caller with a short one is answered meanwhile.
func TestSlowBodies(t *testing.T) {
	const callers, body = 4000, 255 << 10
	h, err := NewHandler(nil, WithAuthenticator(anyone{}))
	if err != nil {
		t.Fatal(err)
	}
	bound := make(chan net.Addr, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), "127.0.0.1:0", h, RunOptions{DrainDelay: -1, DrainTimeout: time.Millisecond, ReadTimeout: time.Minute, Bound: func(a net.Addr) { bound <- a }})
	}()
	address := (<-bound).String()
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	part := bytes.Repeat([]byte(" "), body-1)
	took := uint64(0)
	for i := range callers {
		c, err := net.Dial("tcp", address)
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.EADDRNOTAVAIL) {
			t.Skip("this machine lets nobody open so many connections:", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		// Every ten have a caller of their own, so that shares are not all that bounds them.
		fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Caller: %d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", i/10, body)
		_ = c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)) // one that was refused does not read
		_, _ = c.Write(part)
		if i%500 == 499 {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			took = max(took, now.HeapInuse+now.StackInuse-min(before.HeapInuse+before.StackInuse, now.HeapInuse+now.StackInuse))
		}
	}
	if took > 256<<20 {
		t.Errorf("slow bodies take %d MiB", took>>20)
	}
	t.Logf("%d slow bodies take %d MiB", callers, took>>20)
	r, err := http.NewRequest(http.MethodPost, "http://"+address+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal("a short call gets no answer:", err)
	}
	defer resp.Body.Close()
	if text, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		t.Errorf("a short call: %d %s", resp.StatusCode, text)
	}
}

// anyone is whoever the header says.
type anyone struct{}

func (anyone) Authenticate(r *http.Request) (*tool.Principal, error) {
	return &tool.Principal{ID: "caller " + r.Header.Get("X-Caller")}, nil
}

// A wire is a connection of nobody.
type wire struct {
	net.Conn
	from   string
	closed bool
}

func (w *wire) RemoteAddr() net.Addr { return addr(w.from + ":1") }
func (w *wire) Close() error         { w.closed = true; return nil }

type addr string

func (addr) Network() string  { return "tcp" }
func (a addr) String() string { return string(a) }

// TestConnections: which connection goes where there is one too many.
func TestConnections(t *testing.T) {
	open := newConnections(8)
	all := map[string]*wire{}
	do := func(name, from string, states ...http.ConnState) {
		if all[name] == nil {
			all[name] = &wire{from: from}
		}
		for _, s := range states {
			open.note(all[name], s)
		}
	}
	gone := func() (names string) {
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"} {
			if w := all[name]; w != nil && w.closed {
				names += name
			}
		}
		return names
	}
	check := func(want string, left int) {
		t.Helper()
		if got := gone(); got != want || len(open.open) != left {
			t.Errorf("closed are %q of which %d are left, want %q of %d", got, len(open.open), want, left)
		}
	}
	const fresh, active, idle, closed = http.StateNew, http.StateActive, http.StateIdle, http.StateClosed
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		do(name, "192.0.2.1", fresh, active)
	}
	do("g", "192.0.2.1", fresh) // more than three quarters of one address
	check("g", 6)
	do("h", "192.0.2.2", fresh, active)
	do("i", "192.0.2.3", fresh)
	do("j", "192.0.2.4", fresh) // one too many: i has sent nothing
	check("gi", 8)
	do("b", "", idle)
	do("a", "", idle)
	do("k", "192.0.2.5", fresh) // b has been idle for longest
	check("bgi", 8)
	do("a", "", active)
	do("j", "", active)
	do("k", "", active)
	do("l", "192.0.2.6", fresh) // all are busy
	check("bgil", 8)
	do("c", "", closed)
	do("c", "", closed)
	do("g", "", closed)
	do("m", "192.0.2.1", fresh)
	check("bgil", 8)
	for name := range all {
		do(name, "", closed)
	}
	if len(open.open) != 0 || len(open.by) != 0 || open.idle.Len() != 0 || open.fresh.Len() != 0 {
		t.Errorf("%+v", open)
	}
}
