package templates

import "embed"

// Go has the sources that belong to a vendor, or to one build, from then on:
//
//	go/doc.go.tmpl     the package clause and the go:generate line
//	go/main.go.tmpl    the program that serves the tools
//	go/driver.go.tmpl  what "sculpt preview" and "sculpt call" compile a package with
//
//go:embed go
var Go embed.FS
