package toolcli

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

// limitFlags are the limits that who starts a server may set, by flag or
// variable.
var limitFlags = []struct {
	flag, variable, usage, usual string
	of                           func(*serve.Limits) *int
}{
	{"concurrent", "SCULPT_CONCURRENT", "how many calls may be under way at once, as `N`", "1024 for each processor, at least 2048",
		func(l *serve.Limits) *int { return &l.Concurrent }},
	{"per-api", "SCULPT_PER_API", "how many calls of one api may run at once, as `N`", "half of the calls",
		func(l *serve.Limits) *int { return &l.PerAPI }},
	{"per-caller", "SCULPT_PER_CALLER", "how many calls of one authenticated caller may run at one api at once, as `N`", "three quarters of those of an api",
		func(l *serve.Limits) *int { return &l.PerPrincipal }},
	{"connections", "SCULPT_CONNECTIONS", "how many connections may be open, as `N`", "8192",
		func(l *serve.Limits) *int { return &l.Connections }},
	{"bodies", "SCULPT_BODIES", "how many bytes of memory requests may take that are being read, as `N`", "48 MiB",
		func(l *serve.Limits) *int { return &l.Bodies }},
	{"replay", "SCULPT_REPLAY", "how many calls that must not be made twice are remembered, as `N`", "262144",
		func(l *serve.Limits) *int { return &l.Replay }},
	{"replay-per-caller", "SCULPT_REPLAY_PER_CALLER", "how many of those may be of one caller, as `N`", "65536",
		func(l *serve.Limits) *int { return &l.ReplayPerPrincipal }},
	{"replay-bytes", "SCULPT_REPLAY_BYTES", "how many bytes of memory they may take, as `N`", "256 MiB",
		func(l *serve.Limits) *int { return &l.ReplayBytes }},
}

// limits sets the limits that flags state, else those of variables.
func (r *run) limits(c *cli.Context, to *serve.Limits) error {
	for _, l := range limitFlags {
		n, text := c.Int(l.flag), ""
		if !c.IsSet(l.flag) {
			var given bool
			if text, given = r.Lookup(l.variable); !given || text == "" {
				continue
			}
			n, _ = strconv.Atoi(text) // 0 is refused, whatever the text was
		}
		switch {
		case n >= 1:
			*l.of(to) = n
		case text != "":
			return usage("", "the variable %s is %q and has to be a whole number, at least 1", l.variable, text)
		default:
			return usage(r.helpOf(c), "the flag --%s has to be at least 1", l.flag)
		}
	}
	return nil
}
