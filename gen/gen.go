// Package gen turns a program into files, compares them with what is on disk,
// and writes them.
//
//	files, findings := gen.Generate(program, gen.Options{})
//	changes, err := gen.Diff(os.DirFS(dir), files) // none if all is fresh
//	written, err := gen.Write(root, files, nil)
//
// All names are relative to the package folder:
//
//	*_gen.go                      the Go package
//	client_gen.go                 callers of its tools, where the manifest asks
//	compat_gen_test.go            its test against the history of releases
//	exports/documents.json        the wire documents, which the package embeds
//	exports/docs/*.md, README.md  a page for each tool, and one for all
//	exports/index.json            our files in exports, with digests
//
// The documents are in one file, a line each, so that a release changes one file
// and not one for each format and tool. The pages are in exports and not beside it:
// the vendor's files have one generated folder, and docs/ stays the vendor's own.
//
// Generate is pure: the same program gives the same bytes. The package imports
// diag, types, ir, signature and the packages of the back end.
package gen

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/gen/internal/docs"
	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/gen/internal/golang"
	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A File is a generated file; its name is relative to the package folder.
type File struct {
	Name string
	Data []byte
}

// Options say what is generated.
type Options struct {
	// Guard is what the generated test compat_gen_test.go holds the package
	// against; nil writes no test. The digests of the code are filled in.
	Guard *history.Package
}

// AttributesName is the file that tells git how to treat others.
const AttributesName = ".gitattributes"

// Attributes is its content in a package folder: reviews fold up what is
// generated.
const Attributes = "*_gen.go linguist-generated\n*_gen_test.go linguist-generated\n" +
	"exports/** linguist-generated -merge\nexports/index.json merge=union\n"

// FrozenFile is the name of the file that releases write for a tool. It is
// removed where a retired tool has ended, and by nothing else.
func FrozenFile(tool string) string { return plan.FrozenFile(tool) }

var ruleGenerator = diag.ID("generator-fault")

// Rules lists the rules of the back end.
var Rules = slices.Concat(plan.Rules, export.Rules, []diag.Rule{
	{ID: ruleGenerator, Summary: "The generator wrote something that is not Go.",
		Why: "Every program without errors can be generated; this one could not.", Fix: "Report it, with the manifest."},
})

// Advice says what a reader of a format should know of the tools, such as limits
// of a provider that they exceed.
func Advice(format string, tools []*signature.Signature) diag.List {
	return export.Advice(format, tools)
}

// Served is the document that A2T serves for a version: what history locks, and
// after it what callers are told besides.
func Served(s *signature.Signature, currentVersion int) []byte {
	return export.Served(s, currentVersion)
}

// Check finds what Generate would find in a program that has no errors, without
// writing Go, which is most of the work.
func Check(program *ir.Program) diag.List {
	_, findings := plan.New(program)
	if !findings.HasErrors() {
		_, more := Export(program)
		findings = append(findings, more...)
	}
	return findings.Sorted()
}

// Generate makes all files of a program that has no errors, sorted by name.
// With errors there are no files.
func Generate(program *ir.Program, opts Options) ([]File, diag.List) {
	p, findings := plan.New(program)
	if findings.HasErrors() {
		return nil, findings.Sorted()
	}
	if opts.Guard != nil {
		p.SetParts(opts.Guard)
	}
	files, err := sources(p)
	if err != nil {
		findings.Errorf(ruleGenerator, diag.Span{File: program.Manifest}, "report it", "%s", err)
	}
	exports, more := Export(program)
	findings = append(findings, more...)
	if findings.HasErrors() {
		return nil, findings.Sorted()
	}
	exports = bundled(exports)
	exports = append(exports, indexOf(exports))
	for _, f := range exports {
		files = append(files, File{exportsFolder + "/" + f.Name, f.Data})
	}
	if opts.Guard != nil {
		guard, err := guardOf(p, opts.Guard, files)
		if err != nil {
			findings.Errorf(ruleGenerator, diag.Span{File: program.Manifest}, "report it", "%s", err)
			return nil, findings.Sorted()
		}
		files = append(files, guard)
	}
	slices.SortFunc(files, byName)
	return files, findings.Sorted()
}

// sources are the Go files of a package.
func sources(p *plan.Package) ([]File, error) {
	source, err := golang.Emit(p)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, f := range source {
		files = append(files, File(f))
	}
	if p.Client {
		f, err := callers(p)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Export renders the wire documents of the tools and their pages, sorted by name.
// The names are relative to the exports folder.
func Export(program *ir.Program) ([]File, diag.List) {
	sigs := signatures(program)
	documents, findings := export.Documents(sigs)
	var out []File
	for _, f := range documents {
		out = append(out, File(f))
	}
	if len(sigs) > 0 {
		face := commandLine(program)
		out = append(out, File(export.OpenAPI(face.Face, sigs)), File(export.ATIP(face, sigs)))
	}
	for _, f := range docs.Sheets(newest(program)) {
		out = append(out, File(f))
	}
	slices.SortFunc(out, byName)
	return out, placed(findings, program)
}

// commandLine is what is published of a program beside its tools: how it
// introduces itself, and the variables that whoever starts it has to set.
func commandLine(program *ir.Program) export.Program {
	p := export.Program{
		Face: export.Face{Toolkit: program.Toolkit, Title: program.Title, Description: program.Description},
		Name: program.Package, CommandLine: program.CommandLine,
	}
	methods := map[string]string{}
	for _, a := range program.APIs {
		// What a header is configured with may be a key.
		for _, h := range a.Headers {
			for _, part := range h.Parts {
				methods[part.Env] = headerMethod(h.Name)
			}
		}
	}
	for _, e := range program.Env {
		if e.Default != nil {
			delete(methods, e.Name) // everybody may read it in the manifest
		}
	}
	for _, a := range program.APIs {
		for _, c := range a.Credentials {
			p.Caller = p.Caller || c.FromCaller()
			for _, name := range c.Variables() {
				methods[name] = method(c)
			}
		}
	}
	for _, e := range program.Env {
		p.Variables = append(p.Variables, export.Variable{Name: e.Name, Description: e.Description, Required: e.Default == nil, Method: methods[e.Name]})
	}
	return p
}

// method is the word of ATIP 3.8 for the scheme of a credential.
func method(c ir.Credential) string {
	switch s := c.Scheme; {
	case s.Type == "apiKey":
		return "api-key"
	case s.Type == "mutualTLS":
		return "certificate"
	case s.Type == "http" && s.HTTP == "basic":
		return "password"
	case s.Type == "http":
		return "token"
	}
	return "oauth"
}

// headerMethod is the word for a secret in a header that no scheme names.
func headerMethod(header string) string {
	if strings.EqualFold(header, "Authorization") {
		return "token"
	}
	return "api-key"
}

// guardOf makes the test that holds a package against its history and its own
// files. The index stands for the exports: it has their digests.
func guardOf(p *plan.Package, of *history.Package, files []File) (File, error) {
	code := map[string]string{}
	for _, f := range files {
		if path.Ext(f.Name) == ".go" || f.Name == indexPath {
			code[f.Name] = digest(f.Data)
		}
	}
	f, err := golang.EmitGuard(p, plan.NewGuard(p, of, code))
	return File(f), err
}

// Freeze makes what the newest releases of tools promise, as Go that does not
// compile any more when a later manifest breaks it. Anchors name the newest
// record of each tool that is wanted. Releases write these files; any other
// command only what a release that was killed has not written.
func Freeze(program *ir.Program, anchors map[string]string) ([]File, error) {
	p, findings := plan.New(program)
	if findings.HasErrors() {
		return nil, errors.New("a program with errors cannot be released")
	}
	var files []File
	for _, frozen := range plan.Freeze(program, anchors) {
		f, err := golang.EmitFrozen(p, frozen)
		if err != nil {
			return nil, err
		}
		files = append(files, File(f))
	}
	return files, nil
}

// Broken makes the file that stands in for a package whose manifest breaks
// callers of a release, as the findings say, so that the build fails too. The
// next package that is generated removes it.
func Broken(program *ir.Program, findings diag.List) (File, error) {
	var lines []golang.Break
	for _, f := range findings {
		lines = append(lines, golang.Break{Ident: naming.Snake(f.Tool + " " + f.Message), Text: f.Span.String() + ": " + f.Message})
	}
	f, err := golang.EmitBroken(program.Package, lines)
	return File(f), err
}

func byName(a, b File) int { return cmp.Compare(a.Name, b.Name) }

// newest returns the version that each tool is at.
func newest(program *ir.Program) []*signature.Signature {
	var sigs []*signature.Signature
	for _, t := range program.Tools {
		sigs = append(sigs, noted(t.Signature, t))
	}
	return sigs
}

// signatures returns every version of every tool: releases stay served.
func signatures(program *ir.Program) []*signature.Signature {
	var sigs []*signature.Signature
	for _, t := range program.Tools {
		for _, s := range t.Released {
			if s.Version < t.Signature.Version {
				sigs = append(sigs, noted(s, t))
			}
		}
		sigs = append(sigs, noted(t.Signature, t))
	}
	return sigs
}

// noted is a version with the notes that the tool has today: nothing locks
// them, so they are those of every version.
func noted(s *signature.Signature, t *ir.Tool) *signature.Signature {
	told := *s
	told.Notes = t.Signature.Notes
	told.Notes.Restricted = t.Plan != nil && t.Plan.Allow != nil
	return &told
}

// placed gives findings about a tool the place of the tool: who publishes
// signatures does not know where they come from.
func placed(list diag.List, program *ir.Program) diag.List {
	for i, f := range list {
		list[i].Span = diag.Span{File: program.Manifest}
		for _, t := range program.Tools {
			if t.Signature.Name == f.Tool {
				list[i].Span = t.Span
			}
		}
	}
	return list
}
