package upstream

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"

	"github.com/sculpt-tools/sculpt/internal/cause"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// wordOf names what a transport or a body gave. Its text is never logged: it may hold
// addresses, credentials and what a backend sent.
func wordOf(err error) cause.Word {
	var name *net.DNSError
	var timeout net.Error
	switch {
	case errors.Is(err, ErrNotRecorded):
		return cause.NotRecorded
	case errors.Is(err, ErrDryRun):
		return cause.DryRun
	case isHandshake(err):
		return cause.TLS
	case errors.As(err, &name) && name.IsNotFound:
		return cause.NoSuchHost
	case name != nil:
		return cause.Resolver
	case errors.Is(err, context.Canceled):
		return cause.Canceled
	case errors.As(err, &timeout) && timeout.Timeout():
		return cause.Timeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return cause.Refused
	case isReset(err):
		return cause.Reset
	case neverSent(err):
		return cause.Unreachable
	}
	return cause.Reset
}

// isReset reports whether a connection that was made has ended.
func isReset(err error) bool {
	for _, end := range []error{syscall.ECONNRESET, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}

// explained adds to the error of a call why it failed, for the log. An error case of
// the manifest may be of any kind and have any text.
func (c *Call) explained(err error) error {
	e, ok := err.(*tool.Error) //nolint:errorlint // what wraps one is not ours
	if !ok || c.why == "" {
		return err
	}
	host := c.at
	if host == "" {
		host = c.to.host
	}
	said := *e
	said.Err = &cause.Error{Word: c.why, Status: c.status, Attempts: c.tried, Host: host, Err: e.Err}
	return &said
}
