package plan

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// The rule ids of this package.
var (
	ruleGoNameClash     = diag.ID("go-name-clash")
	ruleNotSupportedYet = diag.ID("not-supported-yet")
)

// Rules documents the rule ids of this package.
var Rules = []diag.Rule{
	{ID: ruleGoNameClash, Summary: "Names of the manifest give different Go names.", Why: "Exported names must not shift when a sibling is added, so they are never numbered.", Fix: "Rename one of them."},
	{ID: ruleNotSupportedYet, Summary: "A manifest asks for what sculpt can generate.", Why: "Anything else is refused rather than generated wrongly.", Fix: "Do what the finding says."},
}

// packageNames are reserved for imports in every generated file.
var packageNames = []string{"context", "tool", "upstream", "replay", "serve", "scan", "value", "strings", "slices", "maps", "math", "bytes", "time", "fs", "io", "regexp", "url", "errors", "fmt", "os"}

// ownNames are what chains call their own things, and the variable that every
// package has: no constant may hide behind them.
var ownNames = []string{"t", "ctx", "args", "out", "err", "v", "exports", "done", "none", "sculptRunExample"}

// reservedExports are the fixed exported names of a generated package.
var reservedExports = []string{"Config", "ConfigFromEnv", "Docs", "New", "Tools"}

// clientNames are what client_gen.go has and imports, and clientExports those of them
// that are exported.
var (
	clientNames   = []string{"client", "clientVersions", "json", "read", "readMembers"}
	clientExports = []string{"Client", "NewClient", "NewClientOver"}
)

// New plans the package of a program that has no errors.
func New(program *ir.Program) (*Package, diag.List) {
	b := &planner{patternsOf: map[string]string{}, p: &Package{
		Name: program.Package, Manifest: path.Base(program.Manifest), Toolkit: program.Toolkit,
		Title: program.Title, Description: program.Description, Client: program.Client,
	}, program: program, exports: map[string]string{}, envs: map[string]*Env{}, fixed: reservedExports}
	own := ownNames
	if program.Client {
		own, b.fixed = slices.Concat(own, clientNames), slices.Concat(b.fixed, clientExports)
	}
	b.scope = naming.NewScope(nil, slices.Concat(packageNames, own, b.fixed)...)
	b.p.types = newTypeTable(b.scope)
	b.config()
	b.constants()
	frozen := frozenTools(program)
	b.touch(program.Tools)
	for _, t := range program.Tools {
		b.reserveTool(t)
		b.touch(frozen[t])
	}
	var chains []*ir.Tool
	for _, t := range program.Tools {
		chains = append(append(chains, t), frozen[t]...)
	}
	b.p.types.demand = demandOf(chains)
	for _, t := range program.Tools {
		for _, t := range append([]*ir.Tool{t}, frozen[t]...) {
			b.answers(t)
			b.records(t)
		}
	}
	for _, t := range program.Tools {
		out := b.tool(t)
		for i, f := range frozen[t] {
			out.Frozen = append(out.Frozen, b.frozen(f, t.Frozen[i].Version))
			out.Descriptor.CallerAuth = out.Descriptor.CallerAuth || b.passesAuth(f)
		}
		b.p.Tools = append(b.p.Tools, out)
	}
	b.patterns()
	b.p.Answers, b.p.Unions, b.p.Wholes, b.p.Records = b.p.types.answers, b.p.types.all, b.p.types.wholes, b.p.types.records
	slices.SortFunc(b.p.Answers, func(x, y *Struct) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortFunc(b.p.Unions, func(x, y *Union) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortFunc(b.p.Wholes, func(x, y *Whole) int { return cmp.Compare(x.Name, y.Name) })
	return b.p, b.findings
}

type planner struct {
	p        *Package
	program  *ir.Program
	scope    *naming.Scope
	findings diag.List
	// exports maps exported Go names to what they stand for.
	exports map[string]string
	// fixed are the exported names that the package has anyhow.
	fixed  []string
	consts map[*expr.Decl]lower.Value
	// members are the unexported names of type Tools, envs those that hold
	// environment variables.
	members *naming.Scope
	envs    map[string]*Env
	// patternsOf are what patterns are about, by their texts.
	patternsOf map[string]string
}

// export takes an exported name, or reports a clash.
func (b *planner) export(name, what string, at diag.Span) string {
	if first, taken := b.exports[name]; taken {
		b.findings.Errorf(ruleGoNameClash, at, "rename one of them", "%s and %s both give the Go name %s", first, what, name)
		return name
	}
	if slices.Contains(b.fixed, name) {
		b.findings.Errorf(ruleGoNameClash, at, "rename it", "%s gives the Go name %s, which the generated package has anyhow", what, name)
		return name
	}
	b.exports[name] = what
	b.scope.Reserve(name)
	return name
}

// config plans Config: a field per api, environment variable and secret.
func (b *planner) config() {
	fields := map[string]string{}
	field := func(name, what string) string {
		if first, taken := fields[name]; taken {
			b.findings.Errorf(ruleGoNameClash, diag.Span{File: b.program.Manifest}, "rename one of them", "%s and %s both give the field Config.%s", first, what, name)
		}
		fields[name] = what
		return name
	}
	b.p.standIns = b.program.StandIns()
	envFields := map[string]string{}
	for _, e := range b.program.Env {
		f := field(naming.Exported(strings.ToLower(e.Name)), "env "+e.Name)
		envFields[e.Name] = f
		env := &Env{Field: f, Name: e.Name, Description: e.Description}
		if e.Default != nil {
			env.Default, env.HasDefault = *e.Default, true
		}
		b.p.Env = append(b.p.Env, env)
		b.envs[e.Name] = env
	}
	b.members = naming.NewScope(nil, "window")
	for _, a := range b.program.APIs {
		api := &API{
			Name: a.Name, Title: a.Title, BaseURL: a.BaseURL, Timeout: a.Timeout, Attempts: a.Attempts,
			Field: field(naming.Exported(a.Name), "api "+a.Name), Local: b.members.Unique(naming.Local(a.Name)),
			BaseURLEnv: ir.BaseURLEnv(a.Name), Servers: b.servers(a.Name),
		}
		for _, h := range a.Headers {
			api.Headers = append(api.Headers, Header{h.Name, headerParts(h.Parts, envFields)})
		}
		for _, v := range a.Variables {
			api.Variables = append(api.Variables, ServerVariable{v.Name, v.Parts.String(), headerParts(v.Parts, envFields), v.Enum})
		}
		for _, c := range a.Credentials {
			api.Credentials = append(api.Credentials, b.credential(api, c, envFields, field))
			if c.Grant != nil {
				api.TokenURLEnv = ir.TokenURLEnv(a.Name)
			}
		}
		b.p.APIs = append(b.p.APIs, api)
	}
}

func headerParts(parts ir.HeaderParts, envFields map[string]string) []HeaderPart {
	var out []HeaderPart
	for _, part := range parts {
		out = append(out, HeaderPart{Text: part.Text, Field: envFields[part.Env]})
	}
	return out
}

func (b *planner) credential(api *API, c ir.Credential, envFields map[string]string, field func(string, string) string) Credential {
	out := Credential{Caller: c.FromCaller(), Scheme: c.Scheme.Name, In: "header", Name: "Authorization", Env: c.Env, File: c.File, Field: envFields[c.Env]}
	switch {
	case c.Scheme.Type == "apiKey":
		out.In, out.Name = string(c.Scheme.In), c.Scheme.Param
	case c.Scheme.HTTP == "basic":
		out.Prefix = "Basic "
	default:
		out.Prefix = "Bearer "
	}
	if c.Caller {
		out.Prefix = "" // what a caller presents goes on as it came
	}
	if g := c.Grant; g != nil {
		out.Grant = &Grant{g.Type, g.TokenURL, g.AuthorizationURL, g.Issuer, g.Audience, g.Scopes, g.InBody, envFields[g.ID], envFields[g.Secret], envFields[g.Refresh]}
	}
	if c.File != "" {
		out.Field = field(api.Field+naming.Exported(c.Scheme.Name), "scheme "+c.Scheme.Name+" of api "+api.Name)
	}
	return out
}

// servers lists the servers that operations of an api have of their own.
func (b *planner) servers(api string) []string {
	var out []string
	see := func(p *ir.Plan) {
		for _, s := range p.Steps {
			if s.API == api && s.Server != "" {
				out = append(out, s.Server)
			}
		}
	}
	for _, t := range b.program.Tools {
		see(t.Plan)
		for _, f := range t.Frozen {
			see(f.Plan)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// envMember is the member of Tools that holds an environment variable for the
// chains.
func (b *planner) envMember(name string) string {
	e := b.envs[name]
	if e.Local == "" {
		e.Local = b.members.Unique(naming.Local(strings.ToLower(e.Name)))
	}
	return e.Local
}

// constants plans package variables for lists and maps; scalars are in the
// expressions that read them.
func (b *planner) constants() {
	b.consts = map[*expr.Decl]lower.Value{}
	all := b.program.Constants
	for _, t := range b.program.Tools {
		for _, f := range t.Frozen {
			all = append(slices.Clip(all), f.Constants...)
		}
	}
	for _, c := range all {
		if c.Type.IsScalar() {
			continue
		}
		name := b.scope.Unique(naming.Local(c.Name))
		b.p.Constants = append(b.p.Constants, &Constant{Name: name, Doc: c.Name, V: constantValue(c.Value, c.Type)})
		b.consts[c.Decl] = lower.Local{Name: name}
	}
}

func constantValue(v any, t *types.Type) lower.Value {
	switch v := v.(type) {
	case []any:
		out := lower.List{Elem: t.Elem}
		for _, e := range v {
			out.Values = append(out.Values, constantValue(e, t.Elem))
		}
		return out
	case ir.Map:
		out := lower.Map{Type: t}
		for i, k := range v.Keys {
			out.Entries = append(out.Entries, lower.Const{V: k}, constantValue(v.Values[i], t.Elem))
		}
		return out
	}
	return lower.Const{V: v}
}

// touch notes what all expressions of tools read.
func (b *planner) touch(tools []*ir.Tool) {
	for _, t := range tools {
		for _, e := range t.Plan.Exprs() {
			b.p.types.touch(e.Term)
		}
	}
}

// reserveTool takes the exported names of a tool before any other name is
// handed out, so that they depend on the manifest alone.
func (b *planner) reserveTool(t *ir.Tool) {
	what := "tool " + t.Signature.Name
	method := naming.Exported(t.Signature.Name)
	// The method is not a package-level name; the clash is one of Tools.
	if first, taken := b.exports["Tools."+method]; taken || method == "Toolset" {
		b.findings.Errorf(ruleGoNameClash, t.Span, "rename it", "%s and %s both give the method %s", cmp.Or(first, "Toolset"), what, method)
		return // inputs and outputs would clash as well
	}
	b.exports["Tools."+method] = what
	b.export(method+"Input", "the inputs of "+what, t.Span)
	b.export(method+"Output", "the outputs of "+what, t.Span)
	for _, in := range t.Signature.Inputs {
		b.reserveEnum(method, in.Name, in.Values, "input "+in.Name+" of "+what, t.Span)
	}
	for _, out := range t.Signature.Outputs {
		b.reserveEnum(method, out.Name, out.Values, "output "+out.Name+" of "+what, t.Span)
	}
}

func (b *planner) reserveEnum(method, name string, values []signature.Value, what string, at diag.Span) {
	if len(values) == 0 {
		return
	}
	clashes := len(b.findings)
	typ := b.export(method+naming.Exported(name), what, at)
	if len(b.findings) > clashes {
		return // the values would clash as well
	}
	for _, v := range values {
		b.export(typ+naming.Exported(strings.ToLower(v.Name)), "value "+v.Name+" of "+what, at)
	}
}

// answers plans the structs of what the steps of a tool read.
func (b *planner) answers(t *ir.Tool) {
	for _, s := range t.Plan.Steps {
		if s.Result != nil {
			b.p.types.reach(s.Result, s.API)
		}
	}
}

// patterns names the patterns of the chains in the order they are met.
func (b *planner) patterns() {
	seen := map[string]bool{}
	for _, t := range b.p.Chains() {
		for _, text := range lower.Patterns(t.Body) {
			if !seen[text] {
				seen[text] = true
				b.p.Patterns = append(b.p.Patterns, &Pattern{Name: b.scope.Unique(naming.Local(b.patternsOf[text] + " pattern")), Text: text})
			}
		}
	}
}

// describeBinding is one line of the comment on a tool.
func describeBinding(bind *ir.Binding) string {
	p := bind.Param
	head := fmt.Sprintf("%s (%s): ", p.Name, p.In)
	switch {
	case bind.Origin == ir.LeftOut:
		return head + "left out, " + bind.Reason
	case bind.Parts != nil:
		return head + "put together"
	}
	switch bind.Origin {
	case ir.FromConstant:
		return head + fmt.Sprintf("constant %v", bind.Value.Term.Lit)
	case ir.FromCaller:
		return head + "from the caller, " + strings.TrimSpace(bind.Value.Text)
	}
	return head + string(bind.Origin) + ", " + strings.TrimSpace(bind.Value.Text)
}

func operationTitle(op *operation.Operation) string {
	return op.Method + " " + op.Path + " of " + op.API
}
