package upstream

import (
	"bytes"
	"io"
	"log"
	"sync"
)

// GuardLog keeps what upstreams send out of the log of this process. The
// transport of net/http has no logger of its own: what comes on a connection
// that nobody asked on, or after the end of an answer, it writes to package log
// as it came, and so to stderr. Whoever reads that may be a terminal, a file or
// a model. Other messages pass as they are.
//
// [Run] and the programs of package toolcli call it. A program that serves in
// another way does so after it has set its loggers up.
func GuardLog() {
	guarding.Lock()
	defer guarding.Unlock()
	if _, done := log.Writer().(*logGuard); !done {
		log.SetOutput(&logGuard{log.Writer()})
	}
}

var guarding sync.Mutex

// unsolicited begins the message of net/http that holds bytes of an upstream.
var unsolicited = []byte("Unsolicited response received on idle HTTP channel")

// A logGuard ends that message before the bytes.
type logGuard struct{ next io.Writer }

// Write implements io.Writer. Package log writes a message in one piece.
func (g *logGuard) Write(message []byte) (int, error) {
	at := bytes.Index(message, unsolicited)
	if at < 0 {
		return g.next.Write(message)
	}
	if _, err := g.next.Write(append(message[:at+len(unsolicited):at+len(unsolicited)], '\n')); err != nil {
		return 0, err
	}
	return len(message), nil
}
