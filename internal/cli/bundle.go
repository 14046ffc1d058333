package cli

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	gobuild "go/build"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/pattern"
)

// bundled are the systems of MCP bundles, by what Go calls them. A bundle has one
// program for each and does not tell processors apart.
var bundled = map[string]string{"darwin": "darwin", "linux": "linux", "windows": "win32"}

// usualTargets are the processors that most people of each system have.
var usualTargets = []string{"darwin/arm64", "linux/amd64", "windows/amd64"}

// versionForm is a version that is not a range (Semantic Versioning 2.0.0).
var versionForm = pattern.Of(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// bundle builds the program of a package and packs it, with what a host has to ask
// people for. The same package and Go give the same bytes.
func (c *command) bundle(p *project) ([]byte, error) {
	if c.String("out") == "" || c.String("author") == "" {
		return nil, unable(`write --out weather.mcpb --author "Weather Ltd"`, "a bundle needs a file and who answers for it: --out and --author")
	}
	version, err := c.stated("version")
	if err != nil {
		return nil, err
	}
	for _, address := range c.StringSlice("privacy") {
		if err := isAddress(address, "https"); err != nil {
			return nil, err
		}
	}
	targets, err := c.targets()
	if err != nil {
		return nil, err
	}
	folder, err := c.programFolder(p)
	if err != nil {
		return nil, err
	}
	b := gen.Bundle{Version: version, Author: c.String("author"), Privacy: c.StringSlice("privacy")}
	for _, t := range targets {
		file := "server/" + bundled[t.goos] + "/" + p.Program.Package
		if t.goos == "windows" {
			file += ".exe"
		}
		b.Builds = append(b.Builds, gen.Build{Platform: bundled[t.goos], File: file})
	}
	programs, err := c.programs(p, folder, targets)
	if err != nil {
		return nil, err
	}
	for i, build := range b.Builds {
		programs[i].Name = build.File
	}
	return packed(append([]gen.File{gen.MCPB(p.Program, b)}, programs...))
}

// stated is the version of a bundle or a listing.
func (c *command) stated(flag string) (string, error) {
	text := c.String(flag)
	if !versionForm().MatchString(text) {
		return "", unable("write --"+flag+" 1.0.0", "%q is not a version of three numbers", text)
	}
	return text, nil
}

// isAddress reports an address that does not say everything, or not by one of the
// schemes.
func isAddress(text string, schemes ...string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || !slices.Contains(schemes, u.Scheme) || strings.ContainsAny(text, " \t\n") {
		return unable("write an address such as https://tools.example/mcp", "%q is not an address by %s", text, strings.Join(schemes, " or "))
	}
	return nil
}

// targets are what the program is built for, one for each system, in the order of
// their names.
func (c *command) targets() ([]target, error) {
	words := c.StringSlice("platform")
	if words == nil {
		words = usualTargets
	}
	var out []target
	for _, word := range words {
		goos, goarch, ok := strings.Cut(word, "/")
		switch {
		case bundled[goos] == "":
			return nil, unable("write --platform "+strings.Join(usualTargets, " --platform "), "a bundle has programs for darwin, linux and windows, not for %q", goos)
		case !ok || goarch == "":
			return nil, unable("write --platform "+goos+"/amd64", "%q names no processor", word)
		case slices.ContainsFunc(out, func(t target) bool { return t.goos == goos }):
			return nil, unable("make a bundle for each processor", "a bundle has one program for %s, %q is one more", goos, word)
		}
		out = append(out, target{goos, goarch})
	}
	slices.SortFunc(out, func(a, b target) int { return cmp.Compare(a.goos, b.goos) })
	return out, nil
}

// programFolder finds the main package that serves the tools.
func (c *command) programFolder(p *project) (string, error) {
	if !p.at.module {
		return "", unable("run: go mod init example.com/tools", "%s belongs to no Go module: there is no go.mod above it", p.at.shown(p.Dir))
	}
	folder := c.String("program")
	if folder == "" {
		folder = filepath.Join(p.at.root, filepath.FromSlash(p.Dir), "cmd", p.Program.Package)
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	inside, err := filepath.Rel(p.at.root, folder)
	if err != nil || !filepath.IsLocal(inside) {
		return "", unable("name a folder of the module: --program cmd/tools", "%q is not in the module of %s", c.String("program"), p.at.shown(p.Dir))
	}
	shown := p.at.shown(filepath.ToSlash(inside))
	if found, err := gobuild.ImportDir(folder, 0); err != nil || !found.IsCommand() {
		return "", unable("write one as sculpt init does, or name its folder: --program cmd/tools", "there is no program in %s", shown)
	}
	return inside, nil
}

// programs builds the program for each target, without anything of this machine.
func (c *command) programs(p *project, folder string, targets []target) ([]gen.File, error) {
	ctx, stop := interrupted()
	defer stop()
	dir, err := os.MkdirTemp("", "sculpt-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file, err := overlayOf(p, dir).save()
	if err != nil {
		return nil, err
	}
	var out []gen.File
	for _, t := range targets {
		data, err := c.program(ctx, p, t, buildOf{dir, file, "./" + filepath.ToSlash(folder)})
		if err != nil {
			return nil, err
		}
		out = append(out, gen.File{Data: data})
	}
	return out, nil
}

// buildOf is a folder for what is built, an overlay and the package that is built.
type buildOf struct{ dir, overlay, folder string }

func (c *command) program(ctx context.Context, p *project, t target, of buildOf) ([]byte, error) {
	name := filepath.Join(of.dir, t.goos)
	args := []string{"build", "-buildvcs=false", "-trimpath", "-ldflags=-s -w -buildid=", "-overlay", of.overlay, "-o", name}
	args, err := c.spareModule(args, p.at, of.dir)
	if err != nil {
		return nil, err
	}
	if _, err := c.goFor(ctx, t, p.at.root, append(args, of.folder)...); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// packed makes an archive in which programs can be executed.
func packed(files []gen.File) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i, f := range files {
		h := &zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(0o644)
		if i > 0 {
			h.SetMode(0o755)
		}
		part, err := w.CreateHeader(h)
		if err == nil {
			_, err = part.Write(f.Data)
		}
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// listedName is the name of a server in the registry: the namespace is a domain in
// reverse order.
var listedName = pattern.Of(`^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)+/[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?$`)

// longest texts of a listing.
const (
	longestName        = 200
	longestDescription = 100
)

// listing is what a registry of MCP servers is told.
func (c *command) listing(p *project) ([]byte, error) {
	l := gen.Listing{Name: c.String("name"), Bundle: c.String("download"), Remotes: c.StringSlice("remote")}
	if !listedName().MatchString(l.Name) || len(l.Name) > longestName {
		return nil, unable("write --name com.example/"+strings.ReplaceAll(p.Program.Package, "_", "-"), "%q is not the name of a server: a domain of yours in reverse order, a slash and a word", l.Name)
	}
	l.Description = cmp.Or(c.String("description"), p.Program.Description, p.Program.Title)
	if n := utf8.RuneCountInString(l.Description); n == 0 || n > longestDescription {
		return nil, unable(`write --description "What the tools are for."`, "the description has %d characters, the registry takes 1 to %d", n, longestDescription)
	}
	for _, address := range l.Remotes {
		if err := isAddress(address, "https", "http"); err != nil {
			return nil, err
		}
	}
	packs := c.String("bundle") != ""
	if packs != (l.Bundle != "") {
		return nil, unable("write both", "--bundle is the file whose digest is listed, --download the address that it can be had from")
	}
	if !packs && l.Remotes == nil {
		return nil, unable("write --bundle FILE --download URL, or --remote URL", "a server is listed by a bundle or by its address")
	}
	if packs {
		if err := c.listBundle(&l); err != nil {
			return nil, err
		}
	}
	if c.IsSet("version") || l.Version == "" {
		version, err := c.stated("version")
		if err != nil {
			return nil, err
		}
		if l.Version != "" && version != l.Version {
			return nil, unable("leave --version out", "the bundle is of version %s, not %s", l.Version, version)
		}
		l.Version = version
	}
	return gen.ServerJSON(p.Program, l).Data, nil
}

// listBundle reads what a listing says of a bundle.
func (c *command) listBundle(l *gen.Listing) error {
	if err := isAddress(l.Bundle, "https"); err != nil {
		return err
	}
	name := c.String("bundle")
	data, err := os.ReadFile(name)
	if err != nil {
		return unreadable(name, err)
	}
	var said struct{ Version string }
	if err := manifestOf(data, &said); err != nil || !versionForm().MatchString(said.Version) {
		return unable("make one: sculpt export mcpb --out "+quoteWords(name), "%s is not an MCP bundle", name)
	}
	sum := sha256.Sum256(data)
	l.Version, l.Digest = said.Version, hex.EncodeToString(sum[:])
	return nil
}

// mostManifest bounds the manifest of a bundle.
const mostManifest = 4 << 20

func manifestOf(bundle []byte, to any) error {
	archive, err := zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))
	if err != nil {
		return err
	}
	file, err := archive.Open("manifest.json")
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostManifest))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("manifest.json: %w", err)
	}
	return nil
}
