package cli

import "runtime/debug"

// runVersion prints the version of the module and of Go, and where they are
// known the revision that it was built from.
func runVersion(c *command) error {
	version, revision := "(devel)", ""
	goVersion := "unknown Go"
	if info, ok := debug.ReadBuildInfo(); ok {
		goVersion = info.GoVersion
		version, revision = moduleVersion(info)
	}
	c.print("sculpt %s%s %s", version, revision, goVersion)
	return nil
}

const modulePath = "github.com/sculpt-tools/sculpt"

// moduleVersion finds this module among the main module and its dependencies:
// "go tool sculpt" builds it as a dependency of the vendor's.
func moduleVersion(info *debug.BuildInfo) (version, revision string) {
	version = "(devel)"
	if info.Main.Path != modulePath {
		for _, d := range info.Deps {
			if d.Path == modulePath {
				version = d.Version
			}
		}
		return version, ""
	}
	if info.Main.Version != "" {
		version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			revision = " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return version, revision
}
