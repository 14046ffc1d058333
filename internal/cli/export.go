package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// unserved are what is written for the vendor and for designers, and no exported
// document: what is in the folder exports is embedded and served.
var unserved = map[string]func(*command, *project) ([]byte, error){
	"ir.json":      func(_ *command, p *project) ([]byte, error) { return p.Program.JSON(), nil },
	"procedure.md": func(_ *command, p *project) ([]byte, error) { return gen.Procedure(p.Program), nil },
	"server.json":  (*command).listing,
	"bundle.mcpb":  (*command).bundle,
}

// An exportFormat is a word after "sculpt export".
type exportFormat struct {
	name string
	// flags are those of exportFlags that mean something for the format.
	flags []string
	// file says which exported document is wanted or, of a format with a
	// document for each tool, its folder and what follows the name of
	// the tool: v for the number of its newest version.
	file func(c *command) (string, error)
}

// exportFormats lists the formats in the order of the help.
var exportFormats = []*exportFormat{
	{"openai", []string{"strict", "api"}, openaiFile},
	{"gemini", []string{"json-schema"}, func(c *command) (string, error) {
		return "gemini/" + either(c.Bool("json-schema"), "json-schema", "parameters") + ".json", nil
	}},
	{"anthropic", []string{"strict"}, func(c *command) (string, error) {
		return "anthropic/" + either(c.Bool("strict"), "tools-strict", "tools") + ".json", nil
	}},
	{"openapi", nil, fixed("openapi/openapi.json")},
	{"procedure", nil, fixed("procedure.md")},
	{"ir", nil, fixed("ir.json")},
	{"a2t", nil, fixed("a2t/v")},
	{"otc", nil, fixed("otc/v")},
	{"mcp", []string{"lean"}, func(c *command) (string, error) { return either(c.Bool("lean"), "mcp/lean", "mcp/v"), nil }},
	{"atip", []string{"install"}, fixed("atip/atip.json")},
	{"atdf", []string{"basic"}, func(c *command) (string, error) {
		return either(c.Bool("basic"), "atdf/basic", "atdf/enhanced"), nil
	}},
	{"mcpb", []string{"version", "author", "privacy", "platform", "program"}, fixed("bundle.mcpb")},
	{"server.json", []string{"name", "version", "description", "bundle", "download", "remote"}, fixed("server.json")},
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

func fixed(name string) func(*command) (string, error) {
	return func(*command) (string, error) { return name, nil }
}

func openaiFile(c *command) (string, error) {
	api := c.String("api")
	if api != "chat" && api != "responses" {
		return "", unable("write --api chat or --api responses", "OpenAI has no api %q%s", api, diag.DidYouMean(api, []string{"chat", "responses"}))
	}
	return "openai/" + api + either(c.Bool("strict"), "-strict", "") + ".json", nil
}

func exportFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "out"}, &cli.BoolFlag{Name: "strict"}, &cli.BoolFlag{Name: "json-schema"}, &cli.BoolFlag{Name: "basic"}, &cli.BoolFlag{Name: "lean"},
		&cli.BoolFlag{Name: "install"}, &cli.StringFlag{Name: "api", Value: "chat"},
		&cli.StringFlag{Name: "version"}, &cli.StringFlag{Name: "author"}, &cli.StringSliceFlag{Name: "privacy"}, &cli.StringSliceFlag{Name: "platform"},
		&cli.StringFlag{Name: "program"}, &cli.StringFlag{Name: "name"}, &cli.StringFlag{Name: "description"}, &cli.StringFlag{Name: "bundle"},
		&cli.StringFlag{Name: "download"}, &cli.StringSliceFlag{Name: "remote"},
	}
}

// runExport prints a document of a package, or writes all of them. What is
// printed is what the package embeds, over several lines where that is easier to read.
func runExport(c *command) error {
	args := c.positional()
	if len(args) == 0 {
		return unable(`run "sculpt export --help"`, "a format is missing: %s", strings.Join(exportNames(), ", "))
	}
	if into := exportFolders[args[0]]; into != nil {
		return c.exportInto(args[0], args[1:], into)
	}
	if len(args) > 2 {
		return unable(`run "sculpt export --help"`, "export %s takes a package, %q is too much", args[0], args[2])
	}
	f, err := c.exportFormat(args[0])
	if err != nil {
		return err
	}
	p, err := c.ready(c.Args().Get(1))
	if err != nil {
		return err
	}
	defer p.at.close()
	name, err := f.file(c)
	if err != nil {
		return err
	}
	data := p.exported(name)
	if write := unserved[name]; write != nil {
		if data, err = write(c, p); err != nil {
			return err
		}
	}
	if data == nil {
		return unable("", "%s has no document %s", p.at.shown(p.Dir), name)
	}
	if err := p.at.show(c.stderr, "text", gen.Advice(name, p.signatures())); err != nil {
		return err
	}
	out := c.String("out")
	if c.Bool("install") {
		if out, err = c.shim(out, data); err != nil {
			return err
		}
	}
	if out == "" {
		_, err = c.stdout.Write(data)
		return err
	}
	if err := writeWhole(out, data); err != nil {
		return err
	}
	c.say("wrote %s", out)
	return nil
}

// shim is the file in which agents look for what a program does that they do
// not ask for --agent (ATIP 4).
func (c *command) shim(out string, document []byte) (string, error) {
	if out != "" {
		return "", unable("leave one of them out", "--install knows the file, --out names another")
	}
	data := c.userData()
	if !filepath.IsAbs(data) {
		return "", unable("set XDG_DATA_HOME, or write --out FILE", "nothing says where the user's data are")
	}
	var doc struct{ Name string }
	if err := json.Unmarshal(document, &doc); err != nil {
		return "", err
	}
	return filepath.Join(data, "agent-tools", "shims", doc.Name+".json"), nil
}

// userData is the folder of the user's data; a relative one does not count, by
// the XDG Base Directory Specification.
func (c *command) userData() string {
	if dir, _ := c.lookup("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if runtime.GOOS == "windows" {
		dir, _ := c.lookup("LOCALAPPDATA")
		return dir
	}
	home, _ := c.lookup("HOME")
	return filepath.Join(home, ".local", "share")
}

// userConfig is the folder of the user's configuration.
func (c *command) userConfig() string {
	if dir, _ := c.lookup("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if runtime.GOOS == "windows" {
		dir, _ := c.lookup("APPDATA")
		return dir
	}
	home, _ := c.lookup("HOME")
	return filepath.Join(home, ".config")
}

// agentTools is the folder of ATIP 4.2 in another one, "" where that is not known.
func agentTools(folder string) string {
	if !filepath.IsAbs(folder) {
		return ""
	}
	return filepath.Join(folder, "agent-tools")
}

func exportNames() []string {
	var names []string
	for _, f := range exportFormats {
		names = append(names, f.name)
	}
	return append(names, slices.Sorted(maps.Keys(exportFolders))...)
}

// exportFormat finds a format and refuses flags that mean nothing for it.
func (c *command) exportFormat(name string) (*exportFormat, error) {
	at := slices.IndexFunc(exportFormats, func(f *exportFormat) bool { return f.name == name })
	if at < 0 {
		return nil, unable(`run "sculpt export --help"`, "unknown format %q%s", name, diag.DidYouMean(name, exportNames()))
	}
	f := exportFormats[at]
	for _, flag := range exportFlags() {
		if word := flag.Names()[0]; word != "out" && c.IsSet(word) && !slices.Contains(f.flags, word) {
			return nil, unable(`run "sculpt export --help"`, "--%s means nothing for %s", word, name)
		}
	}
	return f, nil
}

// signatures returns what the tools of the package are now.
func (p *project) signatures() []*signature.Signature {
	var sigs []*signature.Signature
	for _, t := range p.Program.Tools {
		sigs = append(sigs, t.Signature)
	}
	return sigs
}

// documents are the wire documents of the package, one for each file that "export
// all" writes.
func (p *project) documents() []gen.File {
	files, _ := gen.Export(p.Program) // what is found was said when the package was generated
	return slices.DeleteFunc(files, func(f gen.File) bool { return path.Ext(f.Name) != ".json" })
}

// exported returns a generated document, or the list of those of the tools;
// nil where there is none.
func (p *project) exported(name string) []byte {
	documents := map[string][]byte{}
	for _, f := range p.documents() {
		documents[f.Name] = f.Data
	}
	if path.Ext(name) != "" {
		return documents[name]
	}
	var list [][]byte
	folder, kind := path.Split(name)
	for _, s := range p.signatures() {
		word := kind
		if kind == "v" {
			word = fmt.Sprint("v", s.Version)
		}
		list = append(list, bytes.TrimSuffix(documents[folder+s.Name+"."+word+".json"], []byte("\n")))
	}
	return slices.Concat([]byte("[\n"), bytes.Join(list, []byte(",\n")), []byte("\n]\n"))
}

// exportFolders are the words after "sculpt export" that write below a folder,
// under the names that are theirs: every wire document, and the skill. Pages stay
// out of the documents: they are not for programs, and a README.md of the folder is
// somebody's own.
var exportFolders = map[string]func(*project) []gen.File{
	"all":   (*project).documents,
	"skill": func(p *project) []gen.File { return []gen.File{gen.Skill(p.Program)} },
}

func (c *command) exportInto(word string, args []string, files func(*project) []gen.File) error {
	usage := `write "sculpt export ` + word + ` DIR [PACKAGE]"`
	for _, flag := range exportFlags() {
		if c.IsSet(flag.Names()[0]) {
			return unable(usage, "--%s means nothing for %s", flag.Names()[0], word)
		}
	}
	if len(args) == 0 || len(args) > 2 {
		return unable(usage, "%s takes a folder and perhaps a package", word)
	}
	p, err := c.ready(strings.Join(args[1:], ""))
	if err != nil {
		return err
	}
	defer p.at.close()
	count := 0
	for _, f := range files(p) {
		if err := writeWhole(filepath.Join(args[0], filepath.FromSlash(f.Name)), f.Data); err != nil {
			return err
		}
		count++
	}
	c.say("wrote %s below %s", countOf(count, "document"), args[0])
	return nil
}

// writeWhole writes a file so that nobody ever reads a half of it.
func writeWhole(name string, data []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return unable("", "%q cannot be made: %s", dir, diag.Cause(err))
	}
	f, err := os.CreateTemp(dir, ".sculpt-*")
	if err != nil {
		return unable("", "%q cannot be written: %s", name, diag.Cause(err))
	}
	defer os.Remove(f.Name()) // gone already if all went well
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return unable("", "%q cannot be written: %s", name, diag.Cause(err))
	}
	return nil
}
