package golang

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/plan"
)

// toolsFile holds Config, New and the tool table.
func toolsFile(p *plan.Package, patterns map[string]string) *jen.File {
	f := newFile(p)
	f.Add(handshake())
	f.Add(configStruct(p))
	f.Add(configFromEnv(p))
	f.Add(toolsStruct(p))
	f.Add(newFunc(p))
	f.Anon("embed")
	f.Add(toolset(p))
	packageVars(f, p, patterns)
	return f
}

// packageVars holds the constants and patterns that chains read.
func packageVars(f *jen.File, p *plan.Package, patterns map[string]string) {
	for _, c := range p.Constants {
		w := &writer{p: p, patterns: patterns}
		f.Add(doc(c.Name + " is the constant " + c.Doc + ".")).Line().Var().Id(c.Name).Op("=").Add(w.value(c.V)).Line()
	}
	for _, r := range p.Patterns {
		f.Var().Id(r.Name).Op("=").Qual("regexp", "MustCompile").Call(jen.Lit(r.Text))
	}
}

// handshakeNumber is tool.Handshake: the version of the contract between
// generated code and the run time. A test of the corpus holds them equal.
const handshakeNumber = 7

// handshake does not compile with a run time of another contract.
func handshake() jen.Code {
	return jen.Add(doc("This file was generated for version " + strconv.Itoa(handshakeNumber) + " of the run time. If the next line does not compile,\n" +
		"run \"go generate\" again with the sculpt that go.mod names.")).Line().
		Var().Id("_").Op("=").Index(jen.Lit(1)).Struct().Values().Index(jen.Qual(toolPkg, "Handshake").Op("-").Lit(handshakeNumber)).Line()
}

func configStruct(p *plan.Package) jen.Code {
	var members []jen.Code
	for _, a := range p.APIs {
		text := a.Field + " says how to reach the api " + a.Name
		if a.Title != "" {
			text += " (" + oneLine(a.Title) + ")"
		}
		text += "."
		if a.BaseURL != "" {
			text += " Its default base URL is " + a.BaseURL + "."
		}
		if slices.ContainsFunc(a.Credentials, func(c plan.Credential) bool { return c.Grant != nil && c.Grant.AuthorizationURL != "" }) {
			text += " Its users have to agree: set Consent."
		}
		members = append(members, doc(text), id(a.Field).Qual(upstreamPkg, "API"))
	}
	for _, e := range p.Env {
		members = append(members, doc(e.Field+" is the variable "+e.Name+": "+e.Description), id(e.Field).String())
	}
	for _, c := range fileSecrets(p) {
		members = append(members, doc(c.Field+" is the secret of the scheme "+c.Scheme+"."), id(c.Field).String())
	}
	return jen.Add(doc("Config says how the tools reach their apis.")).Line().Type().Id("Config").Struct(members...).Line()
}

func fileSecrets(p *plan.Package) []plan.Credential {
	var out []plan.Credential
	for _, a := range p.APIs {
		for _, c := range a.Credentials {
			if c.File != "" {
				out = append(out, c)
			}
		}
	}
	return out
}

func configFromEnv(p *plan.Package) jen.Code {
	body := []jen.Code{jen.Var().Id("cfg").Id("Config")}
	look := func(name string, target *jen.Statement) {
		body = append(body, jen.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Id("lookup").Call(jen.Lit(name)), jen.Id("ok")).Block(target.Op("=").Id("v")))
	}
	for _, e := range p.Env {
		look(e.Name, jen.Id("cfg").Dot(e.Field))
	}
	for _, a := range p.APIs {
		look(a.BaseURLEnv, jen.Id("cfg").Dot(a.Field).Dot("BaseURL"))
		if a.TokenURLEnv != "" {
			look(a.TokenURLEnv, jen.Id("cfg").Dot(a.Field).Dot("TokenURL"))
		}
	}
	for i, c := range fileSecrets(p) {
		name := "secret" + string(rune('A'+i))
		body = append(body,
			jen.List(jen.Id(name), jen.Err()).Op(":=").Qual("os", "ReadFile").Call(jen.Lit(c.File)),
			jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Id("cfg"), jen.Err())),
			jen.Id("cfg").Dot(c.Field).Op("=").Qual("strings", "TrimSpace").Call(jen.String().Parens(jen.Id(name))),
		)
	}
	body = append(body, jen.Return(jen.Id("cfg"), jen.Nil()))
	return jen.Add(doc("ConfigFromEnv reads the configuration with lookup, which is os.LookupEnv in a program.\n"+
		"<API>_BASE_URL replaces the base URL of an api.")).Line().
		Func().Id("ConfigFromEnv").Params(jen.Id("lookup").Func().Params(jen.String()).Params(jen.String(), jen.Bool())).
		Params(jen.Id("Config"), jen.Error()).Block(body...).Line()
}

func toolsStruct(p *plan.Package) jen.Code {
	var members []jen.Code
	for _, a := range p.APIs {
		members = append(members, id(a.Local).Op("*").Qual(upstreamPkg, "Client"))
	}
	for _, e := range p.Env {
		if e.Local != "" {
			members = append(members, id(e.Local).String())
		}
	}
	members = append(members, jen.Id("window").Qual(toolPkg, "Window"))
	return jen.Add(doc("Tools are the tools of " + orName(p.Title, p.Toolkit) + ". Each is a method; Toolset serves them all.")).Line().
		Type().Id("Tools").Struct(members...).Line()
}

func orName(title, name string) string {
	if title != "" {
		return oneLine(title)
	}
	return oneLine(name)
}

func newFunc(p *plan.Package) jen.Code {
	var body []jen.Code
	for _, e := range p.Env {
		field := jen.Id("cfg").Dot(e.Field)
		missing := jen.Return(jen.Nil(), jen.Qual("errors", "New").Call(jen.Lit(p.Name+": "+e.Name+" is not set: "+strings.TrimRight(e.Description, ".!?:\n "))))
		if e.HasDefault {
			missing = field.Clone().Op("=").Lit(e.Default)
		}
		body = append(body, jen.If(field.Clone().Op("==").Lit("")).Block(missing))
	}
	var env []jen.Code
	for _, e := range p.Env {
		if e.Local != "" {
			env = append(env, entry(e.Local, jen.Id("cfg").Dot(e.Field)))
		}
	}
	if env == nil {
		body = append(body, jen.Var().Id("t").Id("Tools"))
	} else {
		body = append(body, jen.Id("t").Op(":=").Id("Tools").Values(env...))
	}
	body = append(body, jen.Var().Err().Error())
	for _, a := range p.APIs {
		body = append(body,
			jen.List(jen.Id("t").Dot(a.Local), jen.Err()).Op("=").Qual(upstreamPkg, "New").Call(upstreamSpec(a), jen.Id("cfg").Dot(a.Field)),
			jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		)
	}
	body = append(body, jen.Return(jen.Op("&").Id("t"), jen.Nil()))
	return jen.Add(doc("New makes the tools ready for use. It calls nothing.")).Line().
		Func().Id("New").Params(jen.Id("cfg").Id("Config")).Params(jen.Op("*").Id("Tools"), jen.Error()).Block(body...).Line()
}

func upstreamSpec(a *plan.API) *jen.Statement {
	entries := []jen.Code{entry("Name", jen.Lit(a.Name)), entry("BaseURL", jen.Lit(a.BaseURL))}
	if len(a.Servers) > 0 {
		entries = append(entries, entry("Servers", texts(a.Servers)))
	}
	var variables, headers []jen.Code
	for _, v := range a.Variables {
		one := []jen.Code{entry("Name", jen.Lit(v.Name)), entry("Value", headerValue(v.Parts)), entry("From", jen.Lit(v.From))}
		if len(v.Enum) > 0 {
			one = append(one, entry("Enum", texts(v.Enum)))
		}
		variables = append(variables, jen.Values(one...))
	}
	if variables != nil {
		entries = append(entries, entry("Variables", jen.Index().Qual(upstreamPkg, "ServerVariable").Add(fields(variables...))))
	}
	for _, h := range a.Headers {
		headers = append(headers, jen.Values(entry("Name", jen.Lit(h.Name)), entry("Value", headerValue(h.Parts))))
	}
	if headers != nil {
		entries = append(entries, entry("Headers", jen.Index().Qual(upstreamPkg, "Header").Add(fields(headers...))))
	}
	var credentials []jen.Code
	for _, c := range a.Credentials {
		credentials = append(credentials, credential(c))
	}
	if credentials != nil {
		entries = append(entries, entry("Credentials", jen.Index().Qual(upstreamPkg, "Credential").Add(fields(credentials...))))
	}
	if a.Timeout > 0 {
		entries = append(entries, entry("Timeout", duration(a.Timeout)))
	}
	if a.Attempts > 0 {
		entries = append(entries, entry("Attempts", jen.Lit(a.Attempts)))
	}
	return jen.Qual(upstreamPkg, "Spec").Add(fields(entries...))
}

func headerValue(parts []plan.HeaderPart) jen.Code {
	out := &jen.Statement{}
	for i, p := range parts {
		if i > 0 {
			out.Op("+")
		}
		if p.Field != "" {
			out.Id("cfg").Dot(p.Field)
			continue
		}
		out.Lit(p.Text)
	}
	if len(parts) == 0 {
		return jen.Lit("")
	}
	return out
}

func credential(c plan.Credential) jen.Code {
	entries := []jen.Code{entry("Scheme", jen.Lit(c.Scheme)), entry("In", jen.Lit(c.In)), entry("Name", jen.Lit(c.Name))}
	if c.Prefix != "" {
		entries = append(entries, entry("Prefix", jen.Lit(c.Prefix)))
	}
	if c.Grant != nil {
		return jen.Values(append(entries, grant(c.Grant)...)...)
	}
	if c.Caller {
		return jen.Values(append(entries, entry("Caller", jen.True()))...)
	}
	v := jen.Id("cfg").Dot(c.Field)
	if c.Prefix == "Basic " {
		v = jen.Qual(valuePkg, "Base64Encode").Call(jen.Index().Byte().Parens(v))
	}
	entries = append(entries, entry("Value", v))
	if c.File != "" {
		entries = append(entries, entry("File", jen.Lit(c.File)))
	}
	return jen.Values(entries...)
}

// grant is what a token endpoint gives a credential for.
func grant(g *plan.Grant) []jen.Code {
	entries := []jen.Code{entry("Grant", jen.Lit(g.Type)), entry("TokenURL", jen.Lit(g.TokenURL)), entry("ClientID", jen.Id("cfg").Dot(g.IDField))}
	if g.SecretField != "" {
		entries = append(entries, entry("Value", jen.Id("cfg").Dot(g.SecretField)))
	}
	if g.AuthorizationURL != "" {
		entries = append(entries, entry("AuthorizationURL", jen.Lit(g.AuthorizationURL)))
	}
	if g.Issuer != "" {
		entries = append(entries, entry("Issuer", jen.Lit(g.Issuer)))
	}
	if g.InBody {
		entries = append(entries, entry("InBody", jen.True()))
	}
	if g.RefreshField != "" {
		entries = append(entries, entry("Refresh", jen.Id("cfg").Dot(g.RefreshField)))
	}
	if len(g.Scopes) > 0 {
		entries = append(entries, entry("Scopes", texts(g.Scopes)))
	}
	if g.Audience != "" {
		entries = append(entries, entry("Audience", jen.Lit(g.Audience)))
	}
	return entries
}

var durationUnits = []struct {
	d    time.Duration
	name string
}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"}}

func duration(d time.Duration) *jen.Statement {
	for _, u := range durationUnits {
		if d%u.d == 0 {
			return jen.Lit(int(d/u.d)).Op("*").Qual("time", u.name)
		}
	}
	return jen.Qual("time", "Duration").Call(jen.Lit(int(d)))
}

func toolset(p *plan.Package) jen.Code {
	var tools []jen.Code
	for _, t := range p.Tools {
		tools = append(tools, jen.Id("t").Dot(t.Chain+"Served").Call())
	}
	return jen.Comment("//go:embed exports/documents.json").Line().Var().Id("exports").String().Line().Line().
		Add(doc("Docs returns the documents of the tools; nothing has to be configured for that.")).Line().
		Func().Id("Docs").Params().Qual("io/fs", "FS").Block(
		jen.Return(jen.Qual(toolPkg, "Documents").Call(jen.Id("exports"))),
	).Line().Line().
		Add(doc("Toolset returns the tools with their documents, for serve.NewHandler.")).Line().
		Func().Params(jen.Id("t").Op("*").Id("Tools")).Id("Toolset").Params().Qual(toolPkg, "Toolset").Block(
		jen.Return(jen.Qual(toolPkg, "Toolset").Add(fields(
			entry("Handshake", jen.Lit(handshakeNumber)), entry("Name", jen.Lit(p.Toolkit)), entry("Title", jen.Lit(p.Title)),
			entry("Description", jen.Lit(strings.TrimSpace(p.Description))), entry("Docs", jen.Id("Docs").Call()),
			entry("Tools", jen.Index().Qual(toolPkg, "Tool").Add(fields(tools...))),
			entry("Window", jen.Op("&").Id("t").Dot("window")),
		))),
	).Line()
}

// collectPatterns names every pattern of the package.
func collectPatterns(p *plan.Package) map[string]string {
	names := map[string]string{}
	for _, r := range p.Patterns {
		names[r.Text] = r.Name
	}
	return names
}
