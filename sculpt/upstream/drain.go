package upstream

import (
	"io"
	"sync"
	"time"
)

const (
	// maxDrain is what may be read to keep a connection; beyond it a new
	// connection is cheaper.
	maxDrain  = 256 << 10
	drainTime = 50 * time.Millisecond
	// drainAtOnce is more than the transport of net/http buffers, so that it reads
	// from the connection and copies nothing.
	drainAtOnce = 64 << 10
)

var drains = sync.Pool{New: func() any { return new([drainAtOnce]byte) }}

// finish reads the rest of a body as it comes from the wire, packed or not, if it
// is short and at hand, and closes it.
func finish(body io.ReadCloser) {
	late := time.AfterFunc(drainTime, func() { _ = body.Close() })
	buffer := drains.Get().(*[drainAtOnce]byte)
	for left := maxDrain; left > 0; {
		n, err := body.Read(buffer[:min(left, drainAtOnce)])
		if left -= n; err != nil {
			break
		}
	}
	drains.Put(buffer)
	late.Stop()
	_ = body.Close()
}
