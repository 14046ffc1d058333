package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

func initFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "operation"},
		&cli.StringFlag{Name: "api"},
		&cli.StringFlag{Name: "package"},
		&cli.StringFlag{Name: "dir", Value: "."},
		&cli.StringFlag{Name: "base-url"},
	}
}

// A start is a package folder that is being begun.
type start struct {
	at *place
	// dir and document are paths of the jail; copied is the text of a document that
	// is outside of it and will be put there, nil for one that is inside.
	dir, document string
	copied        []byte
	module        string
	pkg, api      string
	// baseURL replaces the servers of the document, "" for none.
	baseURL string
	// lists are operations that may find ids for the wanted ones.
	lists []*operation.Operation
}

// runInit writes a first manifest with its Go files. It never writes over a
// file.
func runInit(c *command) error {
	document := c.Args().First()
	if document == "" {
		return unable(`run "sculpt init --help"`, "an OpenAPI document is missing: sculpt init SPEC --operation ID")
	}
	ctx, stop := interrupted()
	defer stop()
	st, err := c.begin(ctx, document)
	if err != nil {
		return err
	}
	defer st.at.close()
	doc, err := c.wanted(st)
	if err != nil {
		return err
	}
	text, err := c.first(st, doc)
	if err != nil {
		return err
	}
	return c.writeStart(st, text)
}

// wanted loads the operations that the user names, and says which cannot be.
func (c *command) wanted(st *start) (*spec.API, error) {
	index, findings := spec.Load(st.fs(nil), []spec.Source{{API: st.api, File: st.document}})
	if findings.HasErrors() {
		return nil, notFound(st.at.relabel(findings))
	}
	all := index.APIs[st.api]
	wants, err := st.wants(all.All, c.StringSlice("operation"))
	if err != nil {
		return nil, err
	}
	if st.api == "" {
		st.api = apiName(all.Title, all.Server.BaseURL(), st.document)
	}
	doc, findings := st.load(st.fs(nil), all.All, wants)
	if findings.HasErrors() { // the others go on
		if err := diag.Text(c.stderr, st.at.relabel(findings), st.at.source); err != nil {
			return nil, err
		}
	}
	if doc == nil || len(doc.Operations) == 0 {
		return nil, &failure{exitFindings, "nothing was written", ""}
	}
	return doc, c.homed(st, doc)
}

// load reads the wanted operations, and those that may find their ids.
func (st *start) load(fsys fs.FS, all []spec.Summary, wants []spec.Want) (*spec.API, diag.List) {
	set, findings := spec.Load(fsys, []spec.Source{{API: st.api, File: st.document, Wants: wants}})
	if lists := listsFor(all, wants); len(lists) > 0 { // what is wrong with these costs the chain and nothing else
		if more, _ := spec.Load(fsys, []spec.Source{{API: st.api, File: st.document, Wants: lists}}); more.APIs[st.api] != nil {
			st.lists = more.APIs[st.api].Operations
		}
	}
	return set.APIs[st.api], findings
}

// homed leaves out the operations that the document names no server for, where there are others.
func (c *command) homed(st *start, doc *spec.API) error {
	var homed, others []*operation.Operation
	var reason error
	for _, op := range doc.Operations {
		if err := st.needsServer(op); err != nil {
			reason = cmp.Or(reason, err)
			others = append(others, op)
			continue
		}
		homed = append(homed, op)
	}
	if len(homed) == 0 {
		return reason
	}
	for _, op := range others {
		c.leaveOut(op, "the document names no server for it, see --base-url")
	}
	doc.Operations = homed
	return nil
}

// leaveOut says that an operation gets no tool.
func (c *command) leaveOut(op *operation.Operation, why string) {
	c.say("%s is left out: %s", operationName(spec.Summary{ID: op.ID, Method: op.Method, Path: op.Path}), why)
}

// first makes the manifest. What init writes must be right at once, so it is tried before anything
// is written, and an operation that spoils it is left out.
func (c *command) first(st *start, doc *spec.API) (*starterText, error) {
	text := newStarter(st, doc).manifest()
	if !st.try(&text).HasErrors() {
		return &text, nil
	}
	all, good := doc.Operations, []*operation.Operation(nil)
	for _, op := range all {
		doc.Operations = append(slices.Clone(good), op)
		next := newStarter(st, doc).manifest()
		if findings := st.try(&next); findings.HasErrors() {
			c.leaveOut(op, "its tool has to be written by hand: "+firstError(findings))
			continue
		}
		good, text = doc.Operations, next
	}
	if doc.Operations = good; len(good) == 0 {
		return nil, &failure{exitFindings, "nothing was written", "choose other operations; sculpt operations " + st.document + " lists them"}
	}
	return &text, nil
}

// try generates a package of a manifest, in memory.
func (st *start) try(text *starterText) diag.List {
	name := path.Join(st.dir, frontend.ManifestName)
	return generate(st.fs(map[string][]byte{name: []byte(text.whole)}), name, st.at).findings
}

// fs is the module with files, and the copy of the document, as if they were
// written.
func (st *start) fs(files map[string][]byte) fs.FS {
	all := map[string][]byte{}
	maps.Copy(all, files)
	if st.copied != nil {
		all[st.document] = st.copied
	}
	return &draft{FS: newJailFS(st.at.jail), files: all}
}

// begin finds the folder and the names of the new package.
func (c *command) begin(ctx context.Context, document string) (*start, error) {
	at, err := locate(filepath.Join(c.String("dir"), frontend.ManifestName))
	if err != nil {
		return nil, err
	}
	st := &start{at: at, dir: path.Dir(at.name), pkg: c.String("package"), api: c.String("api"), baseURL: c.String("base-url")}
	if err := c.name(ctx, st, document); err != nil {
		at.close()
		return nil, err
	}
	return st, nil
}

func (c *command) name(ctx context.Context, st *start, document string) error {
	if !st.at.module {
		return unable("run: go mod init example.com/tools", "%s belongs to no Go module: there is no go.mod above it", st.at.shown(st.dir))
	}
	var err error
	if st.module, err = c.modulePath(ctx, st.at); err != nil {
		return err
	}
	if info, err := os.Stat(document); err != nil || info.IsDir() {
		return unreadable(document, errors.Join(err, directory(info)))
	}
	if err := st.place(document); err != nil {
		return err
	}
	if st.pkg == "" {
		st.pkg = packageName(filepath.Base(filepath.Join(st.at.root, st.dir)))
	}
	if st.pkg != packageName(st.pkg) {
		return unable("write a lower-case Go package name", "%q is not a package name", st.pkg)
	}
	if st.api != "" && st.api != snake(st.api, 64) {
		return unable("write lower-case letters, digits and _", "%q is not a name for an api", st.api)
	}
	return st.checkBaseURL()
}

// place finds the document in the module. What a build reads must be inside, so one
// that is outside is copied.
func (st *start) place(document string) error {
	full, err := filepath.Abs(document)
	if err != nil {
		return err
	}
	inside, err := filepath.Rel(st.at.root, full)
	if err == nil && filepath.IsLocal(inside) {
		st.document = filepath.ToSlash(inside)
		return nil
	}
	if st.copied, err = os.ReadFile(full); err != nil {
		return unreadable(document, err)
	}
	st.document = path.Join(st.dir, "openapi", filepath.Base(full))
	if there, err := fs.ReadFile(newJailFS(st.at.jail), st.document); err == nil && !bytes.Equal(there, st.copied) {
		return unable("name that one, or remove it", "%s is there already, and is not %q", st.at.shown(st.document), document)
	}
	return nil
}

func directory(info fs.FileInfo) error {
	if info != nil && info.IsDir() {
		return errors.New("it is a folder")
	}
	return nil
}

// wants checks that the operations exist and lists some if none is given.
func (st *start) wants(all []spec.Summary, given []string) ([]spec.Want, error) {
	var names []string
	for _, s := range all {
		names = append(names, operationName(s))
	}
	if len(given) == 0 {
		few := names[:min(len(names), 12)]
		more := ""
		if len(names) > len(few) {
			more = fmt.Sprintf(" and %d more", len(names)-len(few))
		}
		return nil, unable("add --operation with one of: "+strings.Join(few, ", ")+more+"; sculpt operations "+st.at.shown(st.document)+" searches them",
			"an operation is missing")
	}
	var wants []spec.Want
	for _, g := range given {
		w, known := want(all, g)
		if !known {
			return nil, unable("name an operation of the document", "%s has no operation %q%s", st.at.shown(st.document), g, diag.DidYouMean(g, names))
		}
		wants = append(wants, w)
	}
	return wants, nil
}

// want finds an operation by its id or as METHOD /path.
func want(all []spec.Summary, given string) (spec.Want, bool) {
	method, where, _ := strings.Cut(given, " ")
	for _, s := range all {
		if s.ID == given && given != "" {
			return spec.Want{ID: given}, true
		}
		if strings.EqualFold(s.Method, method) && s.Path == strings.TrimSpace(where) {
			return spec.Want{Method: s.Method, Path: s.Path}, true
		}
	}
	return spec.Want{}, false
}

func operationName(s spec.Summary) string {
	if s.ID != "" {
		return s.ID
	}
	return s.Method + " " + s.Path
}

// firstError is the message of the first error of a list.
func firstError(findings diag.List) string {
	for _, f := range findings {
		if f.Severity == diag.Error {
			return f.Message
		}
	}
	return ""
}

// checkBaseURL refuses a server that is none.
func (st *start) checkBaseURL() error {
	if u, err := url.Parse(st.baseURL); st.baseURL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		return unable("write https://host or https://host/path", "%q is not an absolute http or https URL", st.baseURL)
	}
	return nil
}

// needsServer asks for the server where the document names none for an operation.
func (st *start) needsServer(op *operation.Operation) error {
	if st.baseURL != "" || op.Server.BaseURL() != "" {
		return nil
	}
	return unable("add --base-url https://...; "+ir.BaseURLEnv(st.api)+" replaces it when a program starts",
		"the document names no server for %s", operationName(spec.Summary{ID: op.ID, Method: op.Method, Path: op.Path}))
}

// A startFile is a file that init writes.
type startFile struct {
	name string
	data []byte
}

func (st *start) files(manifestText string) ([]startFile, error) {
	importPath := st.module
	if st.dir != "." {
		importPath += "/" + st.dir
	}
	values := struct{ Package, ImportPath string }{st.pkg, importPath}
	var files []startFile
	if st.copied != nil {
		files = append(files, startFile{strings.TrimPrefix(st.document, strings.TrimPrefix(st.dir+"/", "./")), st.copied})
	}
	files = append(files, startFile{frontend.ManifestName, []byte(manifestText)}, startFile{schemaName, manifest.Schema()}, startFile{gen.AttributesName, []byte(gen.Attributes)})
	for _, f := range []struct{ template, name string }{{"doc.go.tmpl", "doc.go"}, {"main.go.tmpl", "cmd/" + st.pkg + "/main.go"}} {
		var b bytes.Buffer
		if err := goFiles.ExecuteTemplate(&b, f.template, values); err != nil {
			return nil, err
		}
		files = append(files, startFile{f.name, b.Bytes()})
	}
	return files, nil
}

// writeStart writes the files that are not there yet.
func (c *command) writeStart(st *start, text *starterText) error {
	files, err := st.files(text.whole)
	if err != nil {
		return err
	}
	for _, f := range files {
		name := path.Join(st.dir, f.name)
		if err := st.at.jail.MkdirAll(path.Dir(name), 0o755); err != nil {
			return unable("", "%s cannot be made: %s", st.at.shown(path.Dir(name)), diag.Cause(err))
		}
		err := create(st.at.jail, name, f.data)
		switch {
		case err == nil:
			c.say("wrote %s", st.at.shown(name))
		case !errors.Is(err, fs.ErrExist):
			return unable("", "%s cannot be written: %s", st.at.shown(name), diag.Cause(err))
		case f.name == frontend.ManifestName:
			c.say("%s is there already and stays as it is; this would be added:", st.at.shown(name))
			c.print("%s", strings.TrimSuffix(text.added, "\n"))
		default:
			c.say("%s is there already and stays as it is", st.at.shown(name))
		}
	}
	c.next(st)
	return nil
}

// create writes a file that does not exist.
func create(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// next prints the commands that come next.
func (c *command) next(st *start) {
	folder := st.at.shown(st.dir)
	pattern := folder
	if folder != "." && !strings.HasPrefix(folder, "../") {
		pattern = "./" + folder
	}
	c.say("next:")
	mod, _ := fs.ReadFile(newJailFS(st.at.jail), "go.mod") // without it the line below is right
	if !bytes.Contains(mod, []byte(modulePath+"/cmd/sculpt")) && st.module != modulePath {
		fmt.Fprintf(c.stderr, "  go get -tool %s/cmd/sculpt\n", modulePath)
	}
	fmt.Fprintf(c.stderr, "  go generate %s\n", diag.Escape(pattern))
	fmt.Fprintf(c.stderr, "  go tool sculpt preview --live %s\n", diag.Escape(folder))
}
