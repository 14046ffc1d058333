// Package resolve gives a manifest its meaning: it binds names, types
// expressions, orders steps and checks everything that can be known before
// anything runs. One pass per file; every pass goes on after an error, and a
// poisoned type keeps one mistake from being reported twice.
//
//	set, findings := spec.Load(fsys, resolve.Sources(m))
//	program, findings := resolve.Program(m, set, nil)
//
// It imports diag, types, operation, manifest, wording, spec, expr, signature, ir,
// server and value (its table of hidden characters).
package resolve

import (
	"cmp"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// RulesOf tells the rule set of a tool, which fixes what it leaves unsaid: the
// releases know it. None is the set of new tools.
type RulesOf func(*manifest.Tool) string

// Program resolves a manifest over its documents. It returns what it could
// build and every finding; the program is complete only without errors.
func Program(m *manifest.Manifest, set *spec.Set, rules RulesOf) (*ir.Program, diag.List) {
	p, r := program(m, set, rules, false, false)
	if !r.findings.HasErrors() {
		r.unusedParts()
	}
	return p, r.findings
}

// Plan is Program for the plan of a release: it has one tool and all that the apis
// of the manifest say, of which that tool need not use everything. With plain it is
// read as those of the first releases were, see [resolver].
func Plan(m *manifest.Manifest, set *spec.Set, rules string, plain bool) (*ir.Program, diag.List) {
	p, r := program(m, set, func(*manifest.Tool) string { return rules }, true, plain)
	return p, r.findings
}

func program(m *manifest.Manifest, set *spec.Set, rules RulesOf, recorded, plain bool) (*ir.Program, *resolver) {
	if rules == nil {
		rules = func(*manifest.Tool) string { return signature.Rules }
	}
	r := &resolver{m: m, set: set, rules: rules, recorded: recorded, plain: plain, env: map[string]*ir.Env{}, apiUses: map[string]*apiUse{}, scope: expr.NewScope(nil), paths: m.Paths()}
	p := &ir.Program{
		Manifest: m.File, Package: m.Package.Value, Toolkit: m.Toolkit.Value,
		Title: m.Title.Value, Description: m.Description.Value, Client: m.Client.Value == "true",
	}
	p.Env = r.environment()
	p.APIs = r.apis()
	r.homes = homesOf(p.APIs)
	p.Constants = r.constants()
	r.hiddenNames()
	for _, t := range m.Tools {
		p.Tools = append(p.Tools, r.tool(t))
	}
	slices.SortFunc(p.Tools, func(a, b *ir.Tool) int { return cmp.Compare(a.Signature.Name, b.Signature.Name) })
	r.uniqueIDs(p.Tools)
	p.CommandLine = r.commandLine(p)
	r.unusedFlows()
	return p, r
}

type resolver struct {
	m        *manifest.Manifest
	set      *spec.Set
	rules    RulesOf
	findings diag.List
	// recorded says that m is the plan of a release, which is not refused for what was
	// allowed when it was made.
	recorded bool
	// plain says that it is the plan of an early release: status and headers of a step
	// with when: count as there, and the elements of a for_each are the answers alone,
	// also where some may be missing.
	plain   bool
	env     map[string]*ir.Env
	apiByID map[string]*ir.API
	apiUses map[string]*apiUse
	// paths are those of the scalars of m, by where they begin.
	paths map[diag.Span]string
	// homes are the apis that a hidden value belongs to.
	homes map[string][]string
	// scope holds what every tool sees: constants and the caller.
	scope *expr.Scope
}

func (r *resolver) errorf(rule diag.RuleID, at diag.Span, fix, format string, args ...any) {
	r.findings.Errorf(rule, at, fix, format, args...)
}

func (r *resolver) warnf(rule diag.RuleID, at diag.Span, fix, format string, args ...any) {
	r.findings.Warnf(rule, at, fix, format, args...)
}

// report turns problems of an expression into findings at the very token.
func (r *resolver) report(s manifest.Scalar, problems []expr.Problem) {
	for _, p := range problems {
		r.findings.Add(diag.Finding{Rule: p.Rule, Message: p.Message, Fix: p.Fix, Span: s.At(p.Start, p.End)})
	}
}

// expression wraps a checked term with its place.
func (r *resolver) expression(s manifest.Scalar, t *expr.Term) *ir.Expr {
	e := &ir.Expr{Term: t, Text: s.Value, Span: s.Span, Path: r.paths[diag.Span{File: s.Span.File, Start: s.Span.Start}]}
	for i := range len(s.Value) + 1 {
		e.Places = append(e.Places, s.At(i, i).Start)
	}
	return e
}

// constant returns the value of a scalar that is a literal.
func constant(s manifest.Scalar) (any, *types.Type) {
	switch s.Type {
	case manifest.IntType:
		if i, ok := parseInt(s.Value); ok {
			return i, types.IntType
		}
		return parseFloat(s.Value), types.DoubleType
	case manifest.FloatType:
		return parseFloat(s.Value), types.DoubleType
	case manifest.BoolType:
		return s.Value == "true", types.BoolType
	case manifest.NullType:
		return nil, types.NullType
	}
	return s.Value, types.StringType
}

// value checks a scalar in a value position: literal, ${e} or text with ${e}.
func (r *resolver) value(s manifest.Scalar, scope *expr.Scope, want *types.Type) *ir.Expr {
	if s.Type != manifest.TextType {
		v, t := constant(s)
		return r.expression(s, &expr.Term{Op: expr.OpConst, Lit: v, Type: t, End: len(s.Value)})
	}
	tmpl, problems := expr.ParseTemplate(s.Value)
	r.report(s, problems)
	if problems != nil {
		return r.expression(s, poisoned(s))
	}
	if tmpl.IsLiteral() {
		return r.expression(s, &expr.Term{Op: expr.OpConst, Lit: tmpl.Literal(), Type: types.StringType, End: len(s.Value)})
	}
	term, problems := expr.CheckTemplate(tmpl, scope, want)
	r.report(s, problems)
	return r.expression(s, term)
}

// bareNode parses an expression that is written without ${}, which is accepted
// around it.
func bareNode(text string) (*expr.Node, []expr.Problem) {
	if tmpl, problems := expr.ParseTemplate(text); problems == nil && tmpl.Single() != nil {
		return tmpl.Single(), nil
	}
	return expr.Parse(text)
}

// bare checks an expression that is written without ${}: a condition, if want is
// bool, or a list.
func (r *resolver) bare(s manifest.Scalar, scope *expr.Scope, want *types.Type) *ir.Expr {
	return r.bareWith(s, scope, want, func(*expr.Node) {})
}

// bareWith is bare for an expression that means something else than it says.
func (r *resolver) bareWith(s manifest.Scalar, scope *expr.Scope, want *types.Type, meant func(*expr.Node)) *ir.Expr {
	node, problems := bareNode(s.Value)
	r.report(s, problems)
	if node == nil || problems != nil {
		return r.expression(s, poisoned(s))
	}
	meant(node)
	term, problems := expr.Check(node, scope, want)
	r.report(s, problems)
	if k := term.Type.Kind; want == types.BoolType && k != types.Bool && k != types.Invalid {
		r.errorf(expr.RuleWrongType, s.At(term.Start, term.End), "write a comparison", "a condition must be bool, this is %s", term.Type)
		term = poisoned(s)
	}
	return r.expression(s, term)
}

func poisoned(s manifest.Scalar) *expr.Term {
	return &expr.Term{Op: expr.OpInvalid, Type: types.InvalidType, End: len(s.Value)}
}

// span returns the place of a whole term.
func span(e *ir.Expr) diag.Span { return placeOf(e, e.Term) }

func isPoisoned(e *ir.Expr) bool { return e == nil || e.Term.Type.Kind == types.Invalid }

// uniqueIDs reports tools with one id.
func (r *resolver) uniqueIDs(tools []*ir.Tool) {
	seen := map[string]*ir.Tool{}
	for _, t := range tools {
		if first := seen[t.Signature.ID]; first != nil {
			r.errorf(ruleDuplicateID, t.Span, "remove id: or give another one", "tool %s has the id of tool %s", t.Signature.Name, first.Signature.Name)
		}
		seen[t.Signature.ID] = t
	}
}

// hiddenNames declares what expressions may know of the authenticated caller,
// of the running call and of the configuration.
func (r *resolver) hiddenNames() {
	declared := []expr.Decl{
		{Role: expr.RoleCaller, Name: "caller.user_id", Type: types.StringType},
		{Role: expr.RoleCaller, Name: "caller.secret", Type: types.StringType, Func: true, Secret: true},
		{Role: expr.RoleCaller, Name: "caller.claims", Type: types.MapOf(types.StringType, types.StringType)},
		{Role: expr.RoleCall, Name: "call.id", Type: types.StringType},
		{Role: expr.RoleCall, Name: "call.time", Type: types.TimestampType},
		{Role: expr.RoleCall, Name: "call.traceparent", Type: types.StringType},
		{Role: expr.RoleCall, Name: "call.uuid", Type: types.StringType, Func: true},
	}
	for i := range declared {
		r.scope.Declare(&declared[i])
	}
	for name := range r.env {
		r.scope.Declare(&expr.Decl{Role: expr.RoleEnv, Name: "env." + name, Type: types.StringType, Secret: true})
	}
}

// operationOf returns the loaded operation of an address, nil if there is none
// (package spec has reported that).
func (r *resolver) operationOf(call manifest.Scalar, answer *spec.Override) (*operation.Operation, string) {
	api, want, ok := address(call)
	want.Answer = answer
	if !ok {
		return nil, api
	}
	if r.set == nil {
		return nil, api
	}
	return r.set.Operation(api, want), api
}
