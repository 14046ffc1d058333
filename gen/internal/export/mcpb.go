package export

import (
	"cmp"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A Bundle is what an MCP bundle says beside what its program does.
type Bundle struct {
	// Version is that of the bundle, Author who answers for it.
	Version, Author string
	// Privacy are addresses of privacy policies.
	Privacy []string
	// Builds are the program, one for each system.
	Builds []Build
}

// A Build is the program for one system.
type Build struct {
	// Platform is darwin, linux or win32, File the path in the bundle.
	Platform, File string
}

// A Setting is an environment variable that somebody who installs the program may
// have to fill in.
type Setting struct {
	Name, Description string
	// Required says that it has no default. An empty one is the same as none.
	Required bool
	Default  string
	Secret   bool
}

// MCPB renders the manifest of an MCP bundle (MCPB 0.3). What is not filled in is
// given to the program as an empty variable, since a host leaves the placeholder of
// a setting without a value and a default as it is.
func MCPB(p Program, settings []Setting, b Bundle, sigs []*signature.Signature) File {
	name := signature.CommandWord(p.Name)
	var tools array
	for _, s := range sigs {
		tools = append(tools, object{{"name", s.Name}, {"description", s.Description}})
	}
	doc := object{
		{"manifest_version", "0.3"}, {"name", name}, {"display_name", cmp.Or(p.Title, p.Toolkit)}, {"version", b.Version},
		{"description", p.about()}, {"author", object{{"name", b.Author}}},
	}
	if page := homepageOf(sigs); page != "" {
		doc = doc.with("homepage", page)
	}
	doc = doc.with("server", b.server(settings)).with("tools", tools)
	if b.Privacy != nil {
		doc = doc.with("privacy_policies", texts(b.Privacy))
	}
	var platforms array
	for _, build := range b.Builds {
		platforms = append(platforms, build.Platform)
	}
	doc = doc.with("compatibility", object{{"platforms", platforms}})
	if settings != nil {
		var config object
		for _, s := range settings {
			config = config.with(s.key(), s.option())
		}
		doc = doc.with("user_config", config)
	}
	return File{"manifest.json", indentedJSON(doc)}
}

// server says how the program is started on each system.
func (b *Bundle) server(settings []Setting) object {
	config := object{{"command", b.Builds[0].command()}, {"args", array{"mcp"}}}
	if settings != nil {
		var env object
		for _, s := range settings {
			env = env.with(s.Name, "${user_config."+s.key()+"}")
		}
		config = config.with("env", env)
	}
	if len(b.Builds) > 1 {
		var overrides object
		for _, build := range b.Builds {
			overrides = overrides.with(build.Platform, object{{"command", build.command()}})
		}
		config = config.with("platform_overrides", overrides)
	}
	return object{{"type", "binary"}, {"entry_point", b.Builds[0].File}, {"mcp_config", config}}
}

func (b Build) command() string { return "${__dirname}/" + b.File }

func (s *Setting) key() string { return strings.ToLower(s.Name) }

func (s *Setting) option() object {
	o := object{{"type", "string"}, {"title", s.Name}, {"description", cmp.Or(s.Description, "The variable "+s.Name+".")}, {"required", s.Required}}
	if s.Secret {
		o = o.with("sensitive", true)
	}
	if !s.Required {
		o = o.with("default", s.Default)
	}
	return o
}

func homepageOf(sigs []*signature.Signature) string {
	var tools []tool
	for _, s := range sigs {
		tools = append(tools, tool{s, s.Version})
	}
	return homepage(tools)
}

// A Listing is what a registry of MCP servers is told of one.
type Listing struct {
	// Name is that of the server there: a namespace in reverse-DNS form, a slash
	// and a word.
	Name, Version, Description string
	// Bundle is where an MCP bundle can be had, Digest its SHA-256 in hexadecimal
	// digits; "" for none.
	Bundle, Digest string
	// Remotes are addresses of the server itself.
	Remotes []string
}

// serverSchema names the form of a server.json.
const serverSchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// mostListed is how long texts of a server.json may be.
const mostListed = 100

// ServerJSON renders a server.json for the registry of MCP servers.
func ServerJSON(p Program, settings []Setting, l Listing, sigs []*signature.Signature) File {
	doc := object{{"$schema", serverSchema}, {"name", l.Name}, {"title", clipped(cmp.Or(p.Title, p.Toolkit), mostListed)}, {"description", l.Description}}
	if page := homepageOf(sigs); strings.HasPrefix(page, "https://") {
		doc = doc.with("websiteUrl", page)
	}
	doc = doc.with("version", l.Version)
	if l.Bundle != "" {
		one := object{
			{"registryType", "mcpb"}, {"identifier", l.Bundle}, {"version", l.Version}, {"fileSha256", l.Digest},
			{"transport", object{{"type", "stdio"}}},
		}
		if settings != nil {
			one = one.with("environmentVariables", variables(settings))
		}
		doc = doc.with("packages", array{one})
	}
	if l.Remotes != nil {
		var remotes array
		for _, address := range l.Remotes {
			remotes = append(remotes, object{{"type", "streamable-http"}, {"url", address}})
		}
		doc = doc.with("remotes", remotes)
	}
	return File{"server.json", indentedJSON(doc)}
}

func variables(settings []Setting) array {
	var list array
	for _, s := range settings {
		v := object{{"name", s.Name}, {"description", cmp.Or(s.Description, "The variable "+s.Name+".")}, {"isRequired", s.Required}, {"isSecret", s.Secret}}
		if s.Default != "" {
			v = v.with("default", s.Default)
		}
		list = append(list, v)
	}
	return list
}
