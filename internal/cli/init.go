package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
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
	// dir and document are paths of the jail.
	dir, document string
	module        string
	pkg, api      string
	// baseURL replaces the servers of the document, "" for none.
	baseURL string
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
	wants, err := st.wants(c.StringSlice("operation"))
	if err != nil {
		return err
	}
	set, findings := spec.Load(st.at.jail.FS(), []spec.Source{{API: st.api, File: st.document, Wants: wants}})
	if findings.HasErrors() {
		return c.refuseDocument(st, findings)
	}
	if err := st.needsServer(set.APIs[st.api]); err != nil {
		return err
	}
	text := newStarter(st, set.APIs[st.api]).manifest()
	// What init writes must be right at once: try it before anything is
	// written.
	name := path.Join(st.dir, frontend.ManifestName)
	if p := generate(&draft{FS: st.at.jail.FS(), files: map[string][]byte{name: []byte(text.whole)}}, name, st.at); p.findings.HasErrors() {
		if err := p.show(c.stderr, "text"); err != nil {
			return err
		}
		return &failure{exitFindings, "these operations need a manifest written by hand; nothing was written", "choose other operations, or begin with one of them alone"}
	}
	return c.writeStart(st, &text)
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
	full, err := filepath.Abs(document)
	if err != nil {
		return err
	}
	inside, err := filepath.Rel(st.at.root, full)
	if err != nil || !filepath.IsLocal(inside) {
		copied := path.Join(st.at.shown(st.dir), "openapi", filepath.Base(document))
		return unable(fmt.Sprintf("copy it to %s and name that", copied),
			"%q is outside of the module: what a build reads must be inside", document)
	}
	st.document = filepath.ToSlash(inside)
	if st.pkg == "" {
		st.pkg = packageName(filepath.Base(filepath.Join(st.at.root, st.dir)))
	}
	if st.api == "" {
		base := path.Base(st.document)
		st.api = snake(strings.TrimSuffix(base, path.Ext(base)), 32)
	}
	if st.pkg != packageName(st.pkg) {
		return unable("write a lower-case Go package name", "%q is not a package name", st.pkg)
	}
	if st.api != snake(st.api, 64) {
		return unable("write lower-case letters, digits and _", "%q is not a name for an api", st.api)
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
func (st *start) wants(given []string) ([]spec.Want, error) {
	all, findings := spec.Index(st.at.jail.FS(), st.document)
	if findings.HasErrors() {
		return nil, notFound(st.at.relabel(findings))
	}
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
		return nil, unable("add --operation with one of: "+strings.Join(few, ", ")+more, "an operation is missing")
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

// refuseDocument shows what is wrong with the operations in the document.
func (c *command) refuseDocument(st *start, findings diag.List) error {
	if err := diag.Text(c.stderr, st.at.relabel(findings), st.at.source); err != nil {
		return err
	}
	return &failure{exitFindings, "nothing was written", ""}
}

// needsServer asks for the server where the document names none for an operation.
func (st *start) needsServer(doc *spec.API) error {
	if u, err := url.Parse(st.baseURL); st.baseURL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		return unable("write https://host or https://host/path", "%q is not an absolute http or https URL", st.baseURL)
	}
	if st.baseURL != "" {
		return nil
	}
	for _, op := range doc.Operations {
		if op.BaseURL == "" {
			return unable("add --base-url https://...; "+ir.BaseURLEnv(st.api)+" replaces it when a program starts",
				"the document names no server for %s", operationName(spec.Summary{ID: op.ID, Method: op.Method, Path: op.Path}))
		}
	}
	return nil
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
	files := []startFile{{frontend.ManifestName, []byte(manifestText)}, {schemaName, manifest.Schema()}, {gen.AttributesName, []byte(gen.Attributes)}}
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
	mod, _ := fs.ReadFile(st.at.jail.FS(), "go.mod") // without it the line below is right
	if !bytes.Contains(mod, []byte(modulePath+"/cmd/sculpt")) && st.module != modulePath {
		fmt.Fprintf(c.stderr, "  go get -tool %s/cmd/sculpt\n", modulePath)
	}
	fmt.Fprintf(c.stderr, "  go generate %s\n", diag.Escape(pattern))
	fmt.Fprintf(c.stderr, "  go tool sculpt preview --live %s\n", diag.Escape(folder))
}
