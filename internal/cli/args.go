package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// A verb is one command. Its help is help/<name>.txt.
type verb struct {
	name  string
	flags func() []cli.Flag
	run   func(*command) error
	// most is how many positional arguments there may be, -1 for any number.
	most int
	// does is what it may do to the machine and to others.
	does effect
}

// verbs are the commands.
var verbs = []*verb{
	{"init", initFlags, runInit, 1, reads | writes | starts},
	{"lint", lintFlags, runLint, -1, reads},
	{"generate", generateFlags, runGenerate, 1, reads | writes | deletes},
	{"check", checkFlags, runCheck, -1, reads | starts},
	{"release", releaseFlags, runRelease, 1, reads | writes | deletes | starts | binds},
	{"status", statusFlags, runStatus, 1, reads},
	{"retire", retireFlags, runRetire, 2, reads | writes | deletes | binds},
	{"diff", diffFlags, runDiff, 1, reads | starts},
	{"changelog", changelogFlags, runChangelog, 1, reads | starts},
	{"verify", verifyFlags, runVerify, 2, reads | network},
	{"conform", conformFlags, runConform, 1, reads | network | starts | calls},
	{"tools", toolsFlags, runTools, -1, reads | writes | network | starts},
	{"pin", pinFlags, runPin, -1, reads | writes | network},
	{"client", clientFlags, runClient, 1, reads | writes | network},
	{"export", exportFlags, runExport, 3, reads | writes},
	{"preview", previewFlags, runPreview, 1, reads | network | starts | stays},
	{"call", callFlags, runCall, -1, reads | network | starts | calls},
	{"record", noFlags, runRecord, -1, reads | writes | network | starts | calls},
	{"operations", operationsFlags, runOperations, -1, reads},
	{"rules", formatFlags, runRules, 0, nothing},
	{"explain", noFlags, runExplain, 1, nothing},
	{"completion", noFlags, runCompletion, 1, nothing},
	{"schema", schemaFlags, runSchema, 0, nothing},
	{"version", noFlags, runVersion, 0, nothing},
}

func noFlags() []cli.Flag { return nil }

func findVerb(name string) *verb {
	for _, v := range verbs {
		if v.name == name {
			return v
		}
	}
	return nil
}

func verbNames() []string {
	names := []string{"help"}
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return names
}

// A request is a command line in order.
type request struct {
	// help names the help text that is asked for.
	help string
	verb string
	args []string
}

// sortArguments finds the verb, checks its flags and puts them before the
// arguments.
func sortArguments(args []string) (request, error) {
	if len(args) == 0 {
		return request{help: "sculpt"}, nil
	}
	name, rest := args[0], args[1:]
	switch {
	case isHelp(name):
		return request{help: "sculpt"}, nil
	case name == "--version" || name == "-version":
		name = "version"
	case name == "help":
		return helpRequest(rest)
	case strings.HasPrefix(name, "-"):
		return request{}, unable(`run "sculpt --help"`, "unknown flag %q: a command comes first", name)
	}
	v := findVerb(name)
	if v == nil {
		return request{}, unknownCommand(name)
	}
	return v.sort(rest)
}

func isHelp(arg string) bool { return arg == "--help" || arg == "-help" || arg == "-h" }

func helpRequest(args []string) (request, error) {
	switch {
	case len(args) == 0 || isHelp(args[0]) || args[0] == "help":
		return request{help: "sculpt"}, nil
	case findVerb(args[0]) == nil:
		return request{}, unknownCommand(args[0])
	}
	return request{help: topic(args[0], args[1:])}, nil
}

func unknownCommand(name string) error {
	return unable(`run "sculpt --help"`, "unknown command %q%s", name, diag.DidYouMean(name, verbNames()))
}

// sort puts the flags of a verb before its arguments, and says what is wrong
// with them.
func (v *verb) sort(args []string) (request, error) {
	takesValue := map[string]bool{}
	var names []string
	for _, f := range v.flags() {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name] = !isBool
		}
		names = append(names, "--"+f.Names()[0])
	}
	hint := `run "sculpt ` + v.name + ` --help"`
	var flags, rest []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if isHelp(arg) {
			return request{help: topic(v.name, rest)}, nil
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			rest = append(rest, arg)
			continue
		}
		name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		wants, known := takesValue[name]
		if !known {
			return request{}, unable(hint, "unknown flag %q of %s%s", "--"+name, v.name, diag.DidYouMean("--"+name, names))
		}
		flags = append(flags, arg)
		if !wants || hasValue {
			continue
		}
		if i++; i == len(args) || args[i] == "--" {
			return request{}, unable(hint, "the flag --%s needs a value", name)
		}
		flags = append(flags, args[i])
	}
	if v.most >= 0 && len(rest) > v.most {
		return request{}, unable(hint, "%s takes %s, %q is too much", v.name, countOf(v.most, "argument"), rest[v.most])
	}
	return request{verb: v.name, args: slices.Concat(flags, []string{"--"}, rest)}, nil
}
