// Package templates holds the texts that sculpt fills in, as text/template
// sources. Every value in them is escaped by the package that executes them.
//
// Go that is regenerated never comes from a template: gen/golang writes it.
// The package imports the standard library only and nothing of this module.
package templates

import "embed"

// FS has the templates:
//
//	docs/tool.md.tmpl        the page of one tool
//	docs/index.md.tmpl       the page that lists all tools
//	docs/skill.md.tmpl       the skill of the package's command line
//	docs/procedure.md.tmpl   the skeleton of an operating procedure
//
//go:embed docs
var FS embed.FS
