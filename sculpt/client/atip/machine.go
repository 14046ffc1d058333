package atip

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// A Machine is where programs are: its files, its processes and its clock.
type Machine interface {
	// Programs lists what can be run in a folder, nothing for one that is not safe
	// to run things from.
	Programs(folder string) ([]File, error)
	// Hash returns the SHA-256 of a file, in hexadecimal.
	Hash(path string) (string, error)
	Read(path string) ([]byte, error)
	// Write replaces a file whole, and makes its folders.
	Write(path string, data []byte) error
	// Run runs a program without a shell and without input until it ends, ctx does,
	// or it has written more than most bytes. The error says why it did not end by
	// itself.
	Run(ctx context.Context, path string, args []string, most int) (Output, error)
	Now() time.Time
}

// A File is a program as a folder lists it. Size and Time tell that it has changed.
type File struct {
	Name string
	Size int64
	Time time.Time
}

// An Output is what a program wrote, and its exit code.
type Output struct {
	Stdout, Stderr []byte
	Exit           int
}

// ErrChatty says that a program wrote more than it may.
var ErrChatty = errors.New("it writes too much")

type local struct{ environment []string }

// Local is this machine. Programs get the environment that is given.
func Local(environment []string) Machine { return &local{environment} }

func (*local) Now() time.Time { return time.Now() }

func (*local) Read(path string) ([]byte, error) { return os.ReadFile(path) }

func (*local) Programs(folder string) ([]File, error) {
	about, err := os.Stat(folder)
	if err != nil || !about.IsDir() || !safe(about) {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(folder, e.Name()))
		if err == nil && info.Mode().IsRegular() && runs(info) {
			files = append(files, File{e.Name(), info.Size(), info.ModTime()})
		}
	}
	return files, nil
}

func (*local) Hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (*local) Write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

func (m *local) Run(ctx context.Context, path string, args []string, most int) (Output, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = m.environment
	cmd.WaitDelay = 2 * time.Second // of what it has started and left behind; a busy machine reads late
	alone(cmd)
	room := &room{left: most, stop: func() { stop(ErrChatty) }}
	stdout, stderr := &bounded{room: room}, &bounded{room: room}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Run()
	out := Output{Stdout: stdout.text, Stderr: stderr.text, Exit: cmd.ProcessState.ExitCode()}
	if cause := context.Cause(ctx); cause != nil {
		return out, cause
	}
	if _, ended := errors.AsType[*exec.ExitError](err); ended || errors.Is(err, exec.ErrWaitDelay) {
		return out, nil
	}
	return out, err
}

// A room is what both outputs of a program may have together.
type room struct {
	mu   sync.Mutex
	left int
	stop func()
}

// A bounded buffer takes what there is room for, and stops the program after it.
type bounded struct {
	text []byte
	room *room
}

func (b *bounded) Write(p []byte) (int, error) {
	b.room.mu.Lock()
	defer b.room.mu.Unlock()
	n := min(len(p), b.room.left)
	b.room.left -= n
	b.text = append(b.text, p[:n]...)
	if n < len(p) {
		b.room.stop()
	}
	return len(p), nil
}
