package frontend_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
)

const manifestText = `sculpt: 1
package: shop
toolkit: Shop
title: A shop
description: Prices of things.
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis:
  shop: {openapi: openapi/shop.yaml}
tools:
  find_price:
    version: 1
    description: Find the price of a thing.
    inputs:
      thing: {description: The name of the thing., max_length: 40}
    call: shop.price
    with: {thing: '${input.thing}'}
    outputs:
      cents: {value: '${result.cents}', description: The price in cents.}
`

const shopDocument = `openapi: 3.0.3
info: {title: Shop, version: 1.0.0}
servers: [{url: https://shop.example}]
paths:
  /price:
    get:
      operationId: price
      parameters:
        - {name: thing, in: query, required: true, schema: {type: string}}
      responses:
        '200': {description: It., content: {application/json: {schema: {$ref: 'parts.yaml#/Price'}}}}
`

const partsDocument = `Price: {type: object, required: [cents], properties: {cents: {type: integer, format: int32}}}
`

// shop is a module with one package folder; edits are name and content by
// turns, "" removes a file.
func shop(edits ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	put := func(name, data string) {
		if fsys[name] = (&fstest.MapFile{Data: []byte(data)}); data == "" {
			delete(fsys, name)
		}
	}
	put("tools/shop/sculpt.yaml", manifestText)
	put("tools/shop/openapi/shop.yaml", shopDocument)
	put("tools/shop/openapi/parts.yaml", partsDocument)
	put("go.mod", "module vendor.example\n")
	for i := 0; i < len(edits); i += 2 {
		put(edits[i], edits[i+1])
	}
	return fsys
}

func edited(old, new string) string { return strings.Replace(manifestText, old, new, 1) }

func TestLoad(t *testing.T) {
	for _, name := range []string{"tools/shop", "tools/shop/", "./tools/shop", "tools/shop/sculpt.yaml", "tools/../tools/shop"} {
		p, findings := frontend.Load(shop(), name)
		if len(findings) > 0 {
			t.Errorf("%s: %v", name, findings)
			continue
		}
		if p.Dir != "tools/shop" || p.ManifestPath != "tools/shop/sculpt.yaml" || len(p.Program.Tools) != 1 || p.Set.APIs["shop"] == nil {
			t.Errorf("%s: %+v", name, p)
		}
		want := fmt.Sprint([]frontend.File{
			{"tools/shop/openapi/parts.yaml", sum(partsDocument)}, {"tools/shop/openapi/shop.yaml", sum(shopDocument)}, {"tools/shop/sculpt.yaml", sum(manifestText)},
		})
		if got := fmt.Sprint(p.Files); got != want {
			t.Errorf("%s: files %s", name, got)
		}
	}
}

func sum(s string) string {
	d := sha256.Sum256([]byte(s))
	return hex.EncodeToString(d[:])
}

func TestLoadPlaces(t *testing.T) {
	for _, c := range []struct {
		name string
		fsys fstest.MapFS
		path string
	}{
		{"root of the file system", fstest.MapFS{
			"sculpt.yaml": {Data: []byte(manifestText)}, "openapi/shop.yaml": {Data: []byte(shopDocument)}, "openapi/parts.yaml": {Data: []byte(partsDocument)}}, "."},
		{"another name", shop("tools/shop/other.yaml", manifestText, "tools/shop/sculpt.yaml", ""), "tools/shop/other.yaml"},
		{"document above", shop("tools/shop/sculpt.yaml", edited("openapi/shop.yaml", "../../api/shop.yaml"), "api/shop.yaml", shopDocument, "api/parts.yaml", partsDocument), "tools/shop"},
		{"document written with detours", shop("tools/shop/sculpt.yaml", edited("openapi/shop.yaml", "./openapi/../openapi/shop.yaml")), "tools/shop"},
	} {
		p, findings := frontend.Load(c.fsys, c.path)
		if len(findings) > 0 || len(p.Program.Tools) != 1 || len(p.Files) != 3 {
			t.Errorf("%s: %v, %+v", c.name, findings, p)
		}
	}
}

func TestLoadFails(t *testing.T) {
	const folder, at = "tools/shop", "tools/shop/sculpt.yaml"
	manifest := func(old, new string) fstest.MapFS { return shop(at, edited(old, new)) }
	for _, c := range []struct {
		name string
		fsys fstest.MapFS
		path string
		// want is place, rule and part of the message of each finding.
		want []string
	}{
		{"no folder", shop(), "tools/shob", []string{`tools/shob manifest-not-found "tools/shob" cannot be read: no such file, did you mean "shop"?`}},
		{"no manifest", shop(at, ""), folder, []string{at + " manifest-not-found the folder has no sculpt.yaml"}},
		{"manifest of nearly that name", shop(at, "", "tools/shop/sculpt.yml", manifestText), folder, []string{at + ` manifest-not-found the folder has no sculpt.yaml, did you mean "sculpt.yml"?`}},
		{"outside", shop(), "../shop", []string{` manifest-not-found "../shop" is outside of the module`}},
		{"absolute", shop(), "/tools/shop", []string{` manifest-not-found "/tools/shop" is outside of the module`}},
		{"manifest is a folder", shop(at, "", at+"/x", "x"), folder, []string{at + " manifest-not-found the manifest cannot be read"}},
		{"manifest is too large", shop(at, manifestText+strings.Repeat("#\n", 2<<20)), folder, []string{at + " too-large "}},

		{"first stage reports all it finds, and ends", manifest("package: shop\ntoolkit: Shop", "package: 7 x\ntoolkt: Shop\ncall: shop.nothing"), folder,
			[]string{at + ":2:10 ", at + ":3:1 unknown-key ", at + ":4:1 unknown-key "}},
		{"missing document", manifest("openapi/shop.yaml", "openapi/shp.yaml"), folder,
			[]string{at + `:8:19 document-not-found "openapi/shp.yaml" cannot be read: no such file, did you mean "openapi/shop.yaml"?`}},
		{"missing document in no folder", manifest("openapi/shop.yaml", "shop.yaml"), folder,
			[]string{at + `:8:19 document-not-found "shop.yaml" cannot be read: no such file`}},
		{"missing document above", shop(at, edited("openapi/shop.yaml", "../api/shop.yaml"), "tools/api/shops.yaml", "x"), folder,
			[]string{at + `:8:19 document-not-found "../api/shop.yaml" cannot be read: no such file, did you mean "../api/shops.yaml"?`}},
		{"document outside", manifest("openapi/shop.yaml", "../../../shop.yaml"), folder, []string{at + `:8:19 document-outside "../../../shop.yaml" is outside of the module`}},
		{"absolute document", manifest("openapi/shop.yaml", "/etc/hosts"), folder, []string{at + `:8:19 document-outside "/etc/hosts" is outside`}},
		{"document on the network", manifest("openapi/shop.yaml", "'https://shop.example/openapi.yaml'"), folder, []string{at + `:8:19 document-outside "https://shop.example/openapi.yaml" is not a file`}},
		{"document with backslashes", manifest("openapi/shop.yaml", `openapi\shop.yaml`), folder, []string{at + ":8:19 document-outside paths are written with /"}},
		{"document is a folder", manifest("openapi/shop.yaml", "openapi"), folder, []string{at + ":8:19 document-not-found "}},
		{"reference outside", shop("tools/shop/openapi/shop.yaml", strings.Replace(shopDocument, "parts.yaml", "../../../../parts.yaml", 1)), folder,
			[]string{"tools/shop/openapi/shop.yaml:11:79 reference-outside ", at + ":18:25 no-type "}},

		{"all documents are looked at", manifest("  shop: {openapi: openapi/shop.yaml}", "  shop: {openapi: nowhere.yaml}\n  more: {openapi: /x}\n  broken: {openapi: ../../go.mod}"), folder,
			[]string{"go.mod:1:1 not-openapi ", at + ":8:19 document-not-found", at + ":9:19 document-outside"}},
		{"document and manifest in one run", manifest("call: shop.price\n    with: {thing: '${input.thing}'}", "call: shop.prize\n    with: {thing: '${input.nothing}'}"), folder,
			[]string{at + `:15:16 unknown-operation "prize" is not an operation`, at + ":16:28 unknown-field "}},
		{"manifest alone", manifest("input.thing", "input.thin"), folder, []string{at + ":16:28 unknown-field "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, findings := frontend.Load(c.fsys, c.path)
			if p == nil || !findings.HasErrors() {
				t.Fatalf("%+v, %v", p, findings)
			}
			if len(findings) != len(c.want) {
				t.Errorf("%d findings, want %d: %v", len(findings), len(c.want), findings)
			}
			for i := range min(len(findings), len(c.want)) {
				f := findings[i]
				if got := f.Span.String() + " " + f.Rule.String() + " " + f.Message; !strings.HasPrefix(got, c.want[i]) {
					t.Errorf("finding %q, want %q", got, c.want[i])
				}
			}
		})
	}
}

// TestWarnings come along with those of later stages.
func TestWarnings(t *testing.T) {
	long := edited("Find the price of a thing.", strings.Repeat("Find the price. ", 70))
	p, findings := frontend.Load(shop("tools/shop/sculpt.yaml", long), "tools/shop")
	if p.Program == nil || findings.HasErrors() || len(findings) != 1 || findings[0].Severity != diag.Warning {
		t.Errorf("%v", findings)
	}
}

// TestPure loads twice, and from a file system that counts what is left open.
func TestPure(t *testing.T) {
	c := &counter{FS: shop()}
	one, _ := frontend.Load(c, "tools/shop")
	two, _ := frontend.Load(c, "tools/shop")
	if one.Program.Tools[0].Signature.Digest() != two.Program.Tools[0].Signature.Digest() || fmt.Sprint(one.Files) != fmt.Sprint(two.Files) {
		t.Error("two loads differ")
	}
	if c.open != 0 {
		t.Errorf("%d files are still open", c.open)
	}
}

type counter struct {
	fs.FS
	open int
}

func (c *counter) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	c.open++
	return &countedFile{f, c}, nil
}

type countedFile struct {
	fs.File
	c *counter
}

func (f *countedFile) Close() error {
	f.c.open--
	return f.File.Close()
}
