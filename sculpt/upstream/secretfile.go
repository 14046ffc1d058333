package upstream

import (
	"encoding/base64"
	"maps"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// recheckFile is how often a file is looked at, at most.
const recheckFile = time.Second

// A secretFile is a credential whose file may get another content while the
// program runs.
type secretFile struct {
	credential *Credential
	// shared are the headers of the api.
	shared http.Header

	mu      sync.Mutex
	looked  time.Time
	size    int64
	changed time.Time
	// now is what is sent, before what was sent until it changed: an answer to
	// an earlier call may echo that.
	now, before fileValue
}

// A fileValue is what a file held.
type fileValue struct {
	// secret is what the file holds, text that with the prefix of the credential.
	secret, text string
	// header are the headers of the api with it, nil for other places.
	header http.Header
}

// watch returns the file of a credential, nil where its value is not from there:
// a program may set another one.
func watch(c *Credential, shared http.Header) *secretFile {
	if c.File == "" {
		return nil
	}
	f := &secretFile{credential: c, shared: shared}
	if f.read(); f.now.text != c.Prefix+c.Value {
		return nil
	}
	return f
}

// value is what to send now.
func (f *secretFile) value() fileValue {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := time.Now(); now.Sub(f.looked) >= recheckFile {
		f.looked = now
		if info, err := os.Stat(f.credential.File); err == nil && (info.Size() != f.size || !info.ModTime().Equal(f.changed)) {
			f.read()
		}
	}
	return f.now
}

// refused reads the file again, since a service did not take a text of it, and
// returns what to send instead, "" for nothing.
func (f *secretFile) refused(text string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now.text == text {
		f.read()
	}
	if f.now.text == text {
		return ""
	}
	return f.now.text
}

// read takes over what the file holds. What cannot be read or sent changes
// nothing: whoever replaces a file may not have got to its end.
func (f *secretFile) read() {
	info, err := os.Stat(f.credential.File)
	if err != nil {
		return
	}
	raw, err := os.ReadFile(f.credential.File)
	secret := strings.TrimSpace(string(raw))
	if err != nil || secret == "" {
		return
	}
	f.size, f.changed, f.looked = info.Size(), info.ModTime(), time.Now()
	v := fileValue{secret: secret, text: f.credential.Prefix + secret}
	if f.credential.Prefix == "Basic " {
		v.text = f.credential.Prefix + base64.StdEncoding.EncodeToString([]byte(secret))
	}
	if v.text == f.now.text || sendable(f.credential, v.text) != nil {
		return
	}
	if f.credential.In == "header" {
		v.header = maps.Clone(f.shared)
		v.header[f.credential.Name] = []string{v.text}
	}
	f.before, f.now = f.now, v
}

// secrets are what must not be shown.
func (f *secretFile) secrets() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return []string{f.now.secret, strings.TrimPrefix(f.now.text, f.credential.Prefix), f.before.secret, strings.TrimPrefix(f.before.text, f.credential.Prefix)}
}
