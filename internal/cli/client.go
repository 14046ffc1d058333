package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/pins"
	"github.com/sculpt-tools/sculpt/sculpt/client"
)

var clientLanguages = []string{"go", "typescript"}

func clientFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "lang", Value: "go"}, &cli.StringFlag{Name: "package", Value: "tools"}, &cli.StringFlag{Name: "out"},
		&cli.StringFlag{Name: "for"}, &cli.StringFlag{Name: "provider"}, askingTime(),
	}
}

// runClient writes typed callers of the tools of a server.
func runClient(c *command) error {
	lang, pkg := c.String("lang"), c.String("package")
	switch {
	case !slices.Contains(clientLanguages, lang):
		return unable("write --lang go or --lang typescript", "there are no callers in %q%s", lang, diag.DidYouMean(lang, clientLanguages))
	case lang != "go" && c.IsSet("package"):
		return unable("leave it out", "--package means nothing for %s", lang)
	case !gen.IsClientPackage(pkg):
		return unable("write lower case letters and digits, such as --package weather", "%q is not the name of a package", pkg)
	case c.Args().Len() != 1:
		return unable("sculpt client https://tools.example --package weather", "the address of a server or a file of pins is needed")
	}
	service, broken, err := c.service(c.Args().First())
	if err != nil {
		return err
	}
	var source []byte
	if lang == "go" {
		source, err = service.Go(pkg)
	} else {
		source, err = service.TypeScript()
	}
	if err != nil {
		return unable("", "%s: %s", service.Address, err)
	}
	if out := c.String("out"); out == "" {
		_, err = c.stdout.Write(source)
	} else if err = writeWhole(out, source); err == nil {
		c.say("wrote %s: %s of %s", out, countOf(len(service.Tools), "tool"), service.Address)
	}
	if err == nil && broken {
		return errFound
	}
	return err
}

// service reads the tools of a server or of a file of pins. Those that cannot be
// called are told, and left out.
func (c *command) service(source string) (service *gen.TypedService, broken bool, err error) {
	if !strings.HasPrefix(source, "https://") && !strings.HasPrefix(source, "http://") {
		service, err = c.pinnedService(source)
		return service, false, err
	}
	for _, flag := range []string{"for", "provider"} {
		if c.IsSet(flag) {
			return nil, false, unable("leave it out", "--%s chooses among pins, and %s is a server", flag, source)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Duration("timeout"))
	defer cancel()
	p, opener := &pins.Provider{Name: hostOf(source), URL: source}, c.opener()
	server, err := opener.Open(ctx, p)
	var tools []*client.Tool
	if err == nil {
		tools, err = server.Tools(ctx)
	}
	if err != nil {
		said, fix := opener.Explain(ctx, p, err)
		return nil, false, unable(fix, "%s could not be asked: %s", source, said)
	}
	service = &gen.TypedService{Protocol: server.Protocol(), Address: server.Address()}
	for _, t := range tools {
		fault := t.Broken
		if fault == nil {
			t.Document, fault = pins.Canonical(t)
		}
		if fault != nil {
			c.say("left out: %q: %s", t.Name, fault)
			broken = true
			continue
		}
		service.Tools = append(service.Tools, t)
	}
	return service, broken, nil
}

// pinnedService reads the tools of a file of pins, which have to be of one server.
func (c *command) pinnedService(name string) (*gen.TypedService, error) {
	file, err := c.pinFile(name, false)
	if err != nil {
		return nil, err
	}
	service := &gen.TypedService{}
	var providers []string
	for _, p := range file.Pins {
		if c.IsSet("for") && p.Agent != c.String("for") || c.IsSet("provider") && p.Provider.Name != c.String("provider") {
			continue
		}
		service.Protocol, service.Address = p.Provider.Protocol, p.Provider.URL
		service.Tools = append(service.Tools, p.Tool)
		if one := p.Provider.Name + " at " + p.Provider.URL; !slices.Contains(providers, one) {
			providers = append(providers, one)
		}
	}
	switch {
	case len(providers) == 0:
		return nil, unable("look at the names in it", "%s has no such pins", name)
	case len(providers) > 1:
		return nil, unable("write --provider NAME, or pin again what has moved", "a client is of one server, and the pins are of %s", strings.Join(providers, ", "))
	}
	return service, nil
}
