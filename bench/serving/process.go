package serving

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// A cost is what a process has used since it began.
type cost struct {
	// CPU is user and system time in nanoseconds.
	CPU            int64
	Mallocs, Bytes uint64
}

func (c cost) minus(o cost) cost {
	return cost{c.CPU - o.CPU, c.Mallocs - o.Mallocs, c.Bytes - o.Bytes}
}

// Serve runs one of the servers in this process. It prints its address, and for
// each line of stdin what it has cost so far.
func Serve(word, upstream string, profile func() (stop func())) error {
	run, ok := servers[word]
	if !ok {
		return fmt.Errorf("there is no server %q", word)
	}
	ready := make(chan error, 1)
	go func() {
		ready <- run(upstream, func(a net.Addr) {
			fmt.Fprintln(os.Stdout, a)
			go func() {
				stop := profile()
				report()
				stop()
				ready <- nil
			}()
		})
	}()
	return <-ready
}

// report answers until stdin ends.
func report() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return
		}
		fmt.Fprintf(os.Stdout, `{"CPU":%d,"Mallocs":%d,"Bytes":%d}`+"\n", u.Utime.Nano()+u.Stime.Nano(), m.Mallocs, m.TotalAlloc)
	}
}

// A process is a server that was started.
type process struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Reader
	addr  string
}

// start runs this program again as one of the servers. What it logs goes to the
// null device, as to the pipe of a supervisor.
func start(word, upstream string, flags []string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := append([]string{"-server", word, "-upstream", upstream}, flags...)
	p := &process{cmd: exec.Command(self, args...)} //nolint:noctx // this program itself, ended by stop
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(stdout)
	line, err := p.out.ReadString('\n')
	if p.addr = strings.TrimSpace(line); err != nil {
		p.stop()
		return nil, fmt.Errorf("the server %s did not start: %w", word, err)
	}
	return p, nil
}

func (p *process) cost() (c cost, err error) {
	if _, err = io.WriteString(p.stdin, "\n"); err != nil {
		return c, err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(bytes.TrimSpace(line), &c)
}

// stop ends a server: it goes when its stdin does.
func (p *process) stop() {
	_ = p.stdin.Close()
	_ = p.cmd.Wait()
}
