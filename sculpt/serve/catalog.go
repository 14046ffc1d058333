package serve

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A catalogue is every tool that a handler serves, with its wire documents.
// Nothing in it changes after start.
type catalogue struct {
	// tools are sorted by name: lists are stable.
	tools  []*servedTool
	byID   map[string]*servedTool
	byOTC  map[string]*servedTool
	digest [sha256.Size]byte
	// phases are what is listed from when on.
	phases []phase
	// pages are the pages of lists that were asked for.
	pages pages
	// longest is the longest deadline of a tool.
	longest time.Duration
	// docs are the documents of the sets that have an OpenAPI document.
	docs []fs.FS
	// name and description stand for all the sets together.
	name, description string
}

type servedTool struct {
	tool.Tool
	// window is that of the set.
	window ledger
	// otcID is the id without version: Toolkit.ToolName.
	otcID    string
	deadline time.Duration
	ending   ending
	versions []servedVersion
	// lean is the MCP document of the newest version for [WithLeanMCP], else nil.
	lean *stored
	// descriptors are the ATDF documents of the newest version.
	descriptors [2]*stored
}

type servedVersion struct {
	tool.Version
	// label names tool and version in the log.
	label string
	// defaults are filled in where a caller gave no value: those of this
	// version, then those of inputs that only the current version has, because
	// the current chain runs for every version.
	defaults []namedDefault
	// signature is the A2T document.
	signature *stored
	// definition is the OTC document, in the dual shape.
	definition *stored
	// mcpTool is the MCP document; mirrors are the headers that repeat inputs.
	mcpTool *stored
	mirrors []argumentMirror
}

type namedDefault struct {
	name  string
	value any
}

func (t *servedTool) current() *servedVersion { return &t.versions[len(t.versions)-1] }

// version returns version n, nil if there is none.
func (t *servedTool) version(n int) *servedVersion {
	if n < 1 || n > len(t.versions) {
		return nil
	}
	return &t.versions[n-1]
}

var (
	uuidForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	otcForm  = regexp.MustCompile(`^[A-Za-z0-9_]+\.[A-Za-z0-9_]+$`)
)

// newCatalogue checks the sets and reads their documents. It reports every
// fault, not only the first.
func newCatalogue(sets []tool.Toolset, opt *settings) (*catalogue, error) {
	c := &catalogue{byID: map[string]*servedTool{}, byOTC: map[string]*servedTool{}}
	names := map[string]bool{}
	var errs []error
	for i := range sets {
		set := &sets[i]
		if set.Handshake != tool.Handshake {
			errs = append(errs, fmt.Errorf("serve: toolset %s was generated for handshake %d, this package has %d: run \"sculpt generate\" again",
				set.Name, set.Handshake, tool.Handshake))
			continue
		}
		kept := windowOf(set.Window)
		if kept == nil {
			kept = &window{}
		}
		for j := range set.Tools {
			t, err := newServedTool(set, &set.Tools[j], opt)
			t.window = kept
			errs = append(errs, err)
			errs = append(errs, c.claim(names, t)...)
			if opt.wants(&t.Tool) {
				c.tools = append(c.tools, t)
			}
		}
	}
	errs = append(errs, opt.ownKeyStays(c.tools))
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	c.introduce(sets)
	c.finish()
	return c, nil
}

// claim notes the name and ids of t. Tools that are filtered out claim theirs
// too: whether a server starts must not depend on the filter.
func (c *catalogue) claim(names map[string]bool, t *servedTool) []error {
	var errs []error
	if names[t.Name] {
		errs = append(errs, fmt.Errorf("serve: two tools are named %s", t.Name))
	}
	if c.byID[t.ID] != nil {
		errs = append(errs, fmt.Errorf("serve: tools %s and %s have the same id %s", c.byID[t.ID].Name, t.Name, t.ID))
	}
	if c.byOTC[t.otcID] != nil {
		errs = append(errs, fmt.Errorf("serve: tools %s and %s have the same OTC id %s", c.byOTC[t.otcID].Name, t.Name, t.otcID))
	}
	names[t.Name], c.byID[t.ID], c.byOTC[t.otcID] = true, t, t
	return errs
}

// introduce names the catalogue after its sets, as package names are written.
func (c *catalogue) introduce(sets []tool.Toolset) {
	var names, texts []string
	for i := range sets {
		names = append(names, strings.ToLower(sets[i].Name))
		if docs := sets[i].Docs; docs != nil {
			if _, err := fs.Stat(docs, openapiFile); err == nil {
				c.docs = append(c.docs, docs)
			}
		}
		if sets[i].Description != "" {
			texts = append(texts, sets[i].Description)
		}
	}
	c.name, c.description = strings.Join(names, "-"), strings.Join(texts, " ")
}

func (c *catalogue) finish() {
	slices.SortFunc(c.tools, func(a, b *servedTool) int { return strings.Compare(a.Name, b.Name) })
	clear(c.byID)
	clear(c.byOTC)
	for _, t := range c.tools {
		c.byID[t.ID], c.byOTC[t.otcID] = t, t
		c.longest = max(c.longest, t.deadline)
	}
	c.phases = phasesOf(c.tools)
	c.digest = c.phases[0].digest
}

// catalogueDigest tells catalogues apart.
func catalogueDigest(tools []*servedTool) (digest [sha256.Size]byte) {
	sum := sha256.New()
	for _, t := range tools {
		for i := range t.versions {
			if d := t.versions[i].signature; d != nil {
				sum.Write(d.sum[:])
			}
			sum.Write([]byte{'\n'})
		}
	}
	sum.Sum(digest[:0])
	return digest
}

// wants applies the subset options.
func (s *settings) wants(t *tool.Tool) bool {
	for _, tag := range s.tags {
		if !slices.Contains(t.Tags, tag) {
			return false
		}
	}
	return s.keep == nil || s.keep(t.Effects)
}

// speaks reports whether one of the protocols is served.
func (s *settings) speaks(protocols ...Protocol) bool {
	for _, p := range protocols {
		if len(s.only) == 0 || slices.Contains(s.only, p) {
			return true
		}
	}
	return false
}

func newServedTool(set *tool.Toolset, tool *tool.Tool, opt *settings) (*servedTool, error) {
	t := &servedTool{Tool: *tool, otcID: set.Name + "." + tool.ToolName, deadline: tool.Deadline}
	if t.deadline <= 0 {
		t.deadline = opt.limits.Deadline
	}
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("serve: tool %s: %w", tool.Name, fmt.Errorf(format, args...)))
	}
	if !nameForm.MatchString(tool.Name) || len(tool.Name) > 254 {
		bad("%q is not an A2T tool name", tool.Name)
	}
	if !uuidForm.MatchString(tool.ID) {
		bad("id %q is not a lower-case UUID", tool.ID)
	}
	if !otcForm.MatchString(t.otcID) {
		bad("%q is not an OTC tool id", t.otcID)
	}
	if tool.Call == nil {
		bad("Call is nil")
	}
	var err error
	if t.ending, err = endingOf(tool); err != nil {
		bad("%w", err)
	}
	if len(tool.Versions) == 0 {
		bad("it has no version")
	}
	for i := range tool.Versions {
		v, err := newServedVersion(set.Docs, t, i, opt)
		errs = append(errs, err)
		t.versions = append(t.versions, v)
	}
	if opt.leanMCP && opt.speaks(ProtocolMCP) && set.Docs != nil {
		var err error
		if t.lean, err = t.leanMCP(set.Docs); err != nil {
			bad("%w", err)
		}
	}
	if opt.speaks(ProtocolATDF) && set.Docs != nil && len(tool.Versions) > 0 {
		if err := readDescriptors(set.Docs, t); err != nil {
			bad("%w", err)
		}
	}
	return t, errors.Join(errs...)
}

func newServedVersion(docs fs.FS, t *servedTool, i int, opt *settings) (servedVersion, error) {
	v := servedVersion{Version: t.Versions[i]}
	v.label = fmt.Sprintf("%s@%d", t.Name, v.N)
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("serve: tool %s version %d: %w", t.Name, v.N, fmt.Errorf(format, args...)))
	}
	if v.N != i+1 {
		bad("version %d is expected here: versions count from 1 without a gap (A2T 6.1)", i+1)
	}
	if !v.Released && !opt.allowUnreleased {
		bad("it is not released: release it, or serve it with WithUnreleased")
	}
	for j := range v.Inputs {
		if p := &v.Inputs[j]; paramAt(v.Inputs, p.Name) != j {
			bad("two inputs are named %s", p.Name)
		}
	}
	if docs == nil {
		bad("the toolset has no documents")
		return v, errors.Join(errs...)
	}
	var err error
	if opt.speaks(ProtocolA2T, ProtocolNACT) {
		if v.signature, err = readSignature(docs, t, &v.Version); err != nil {
			bad("%w", err)
		}
	}
	if opt.speaks(ProtocolOTC) {
		if v.definition, err = readDefinition(docs, t, v.N); err != nil {
			bad("%w", err)
		}
	}
	if opt.speaks(ProtocolMCP) {
		if err = v.readMCP(docs, t); err != nil {
			bad("%w", err)
		}
	}
	v.defaults = defaultsOf(v.Inputs, t.Versions[len(t.Versions)-1].Inputs)
	return v, errors.Join(errs...)
}

func defaultsOf(own, current []tool.Param) []namedDefault {
	var defaults []namedDefault
	for i := range own {
		if own[i].Default != nil {
			defaults = append(defaults, namedDefault{own[i].Name, own[i].Default})
		}
	}
	for i := range current {
		if current[i].Default != nil && paramAt(own, current[i].Name) < 0 {
			defaults = append(defaults, namedDefault{current[i].Name, current[i].Default})
		}
	}
	return defaults
}

// readSignature reads an A2T document and checks that it belongs to the table
// of the version: a stale document would promise what the server refuses.
func readSignature(docs fs.FS, t *servedTool, v *tool.Version) (*stored, error) {
	name := fmt.Sprintf("a2t/%s.v%d.json", t.Name, v.N)
	kept, raw, err := store(docs, name)
	if err != nil {
		return nil, err
	}
	var doc struct {
		ToolID         string
		Name           string
		Version        int
		CurrentVersion int
		Inputs         []struct{ Name string } `json:"input_parameters"`
		Outputs        []struct{ Name string } `json:"output_parameters"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	last := t.Versions[len(t.Versions)-1].N
	ok := doc.ToolID == t.ID && doc.Name == t.Name && doc.Version == v.N && doc.CurrentVersion == last &&
		len(doc.Inputs) == len(v.Inputs) && len(doc.Outputs) == len(v.Outputs)
	for i := range doc.Inputs {
		ok = ok && paramAt(v.Inputs, doc.Inputs[i].Name) >= 0
	}
	for i := range doc.Outputs {
		ok = ok && slices.ContainsFunc(v.Outputs, func(o tool.OutputSlot) bool { return o.Name == doc.Outputs[i].Name })
	}
	if !ok {
		return nil, fmt.Errorf("%s does not describe this version: run \"sculpt generate\" again", name)
	}
	return kept, nil
}

func readDocument(docs fs.FS, name string) ([]byte, error) {
	raw, err := fs.ReadFile(docs, name)
	if err != nil {
		return nil, fmt.Errorf("its document is missing, run \"sculpt generate\" again: %w", err)
	}
	compacted, err := compactJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return compacted, nil
}

// paramAt is the index of a parameter, -1 if there is none of that name.
func paramAt(params []tool.Param, name string) int {
	return slices.IndexFunc(params, func(p tool.Param) bool { return p.Name == name })
}
