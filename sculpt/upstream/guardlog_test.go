package upstream

import (
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
)

// rude answers every request on a connection of its own, and says more than it
// was asked. It closes gone when the client has closed the connection.
func rude(t *testing.T, more string) (url string, gone chan struct{}) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	gone = make(chan struct{})
	go func() {
		defer close(gone)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = conn.Read(make([]byte, 4096))
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"+more)
		_, _ = io.Copy(io.Discard, conn)
	}()
	return "http://" + listener.Addr().String(), gone
}

// A logged text may be written while it is read.
type logged struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	return len(p), nil
}

// take returns what was written since the last time.
func (l *logged) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := string(l.text)
	l.text = nil
	return text
}

// capture collects what package log writes.
func capture(t *testing.T) *logged {
	t.Helper()
	l := &logged{}
	log.SetOutput(l)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	return l
}

// TestGuardLog: what an upstream sends unasked closes its connection and gets
// into no log. The transport writes before it closes the connection, so the
// whole message is there when the server sees the end.
func TestGuardLog(t *testing.T) {
	written := capture(t)
	GuardLog()
	GuardLog()
	url, gone := rude(t, "\x1b[2Jsecret of another caller")
	transport := NewTransport()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "{}" {
		t.Fatalf("%q, %v", body, err)
	}
	resp.Body.Close()
	<-gone
	if got := written.take(); !strings.HasSuffix(got, "Unsolicited response received on idle HTTP channel\n") || strings.Contains(got, "secret") || strings.Contains(got, "2J") {
		t.Errorf("the log holds %q", got)
	}
	log.Print("of the program itself\nin two lines")
	if got := written.take(); !strings.HasSuffix(got, "of the program itself\nin two lines\n") {
		t.Errorf("the log holds %q", got)
	}
}
