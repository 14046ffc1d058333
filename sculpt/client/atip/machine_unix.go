//go:build unix

package atip

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// safe reports whether nobody but the user and root can put programs there.
func safe(folder fs.FileInfo) bool {
	if folder.Mode().Perm()&0o002 != 0 {
		return false
	}
	about, ok := folder.Sys().(*syscall.Stat_t)
	return !ok || about.Uid == 0 || int(about.Uid) == os.Getuid()
}

func runs(file fs.FileInfo) bool { return file.Mode().Perm()&0o111 != 0 }

// alone gives a program a group of processes, so that what it has started ends with
// it.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
