package serving

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An ask is a request that is sent again and again.
type ask struct {
	// server is one of servers.
	server       string
	method, path string
	headers      []string
	body         string
	// wants is a text that every right answer holds.
	wants string
}

func (a *ask) bytes(host string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", a.method, a.path, host)
	for _, h := range a.headers {
		b.WriteString(h + "\r\n")
	}
	if a.body != "" {
		b.WriteString("Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(a.body)) + "\r\n")
	}
	return []byte(b.String() + "\r\n" + a.body)
}

// A caller keeps one connection.
type caller struct {
	conn net.Conn
	r    *bufio.Reader
}

func dial(addr string) (*caller, error) {
	conn, err := (&net.Dialer{}).Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &caller{conn, bufio.NewReaderSize(conn, 32<<10)}, nil
}

// call sends a request and reads the answer, whose body it gives to keep.
func (c *caller) call(request []byte, keep io.Writer) (status int, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, err
	}
	resp, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	_, err = io.Copy(keep, resp.Body)
	return resp.StatusCode, err
}

// A volley is what many callers met who all called for a while.
type volley struct {
	calls, refused int
	err            error
}

// load lets n callers call until the time is over, each as soon as it has its
// answer.
func load(callers []*caller, request []byte, d time.Duration) volley {
	var (
		mu  sync.Mutex
		all volley
		end = time.Now().Add(d)
		wg  sync.WaitGroup
	)
	for _, c := range callers {
		wg.Go(func() {
			var own volley
			for own.err == nil && time.Now().Before(end) {
				var status int
				if status, own.err = c.call(request, io.Discard); status != http.StatusOK {
					own.refused++
				}
				own.calls++
			}
			mu.Lock()
			defer mu.Unlock()
			all.calls, all.refused = all.calls+own.calls, all.refused+own.refused
			if all.err == nil {
				all.err = own.err
			}
		})
	}
	wg.Wait()
	return all
}
