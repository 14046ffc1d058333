package compat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// schemaOf is the schema of a json output; nothing known is any value.
func schemaOf(out *output) *types.Schema {
	if out.Schema == nil {
		return &types.Schema{}
	}
	return out.Schema.JSONSchema()
}

func anything(s *types.Schema) bool {
	return s == nil || len(s.Types) == 0 && len(s.AnyOf) == 0 && len(s.Enum) == 0
}

// misread says why a reader of the old schema may fail on a value of the new
// one, or "". Members that only the new schema has are no reason: readers skip
// what they do not know.
func misread(old, new *types.Schema, path string) string {
	switch {
	case anything(old):
		return ""
	case anything(new):
		return here(path) + " may now be anything"
	case len(new.AnyOf) > 0:
		for _, v := range new.AnyOf {
			if why := misread(old, v, path); why != "" {
				return why
			}
		}
		return ""
	case len(old.AnyOf) > 0:
		why := ""
		for _, v := range old.AnyOf {
			if why = misread(v, new, path); why == "" {
				return ""
			}
		}
		return why
	}
	for _, t := range new.Types {
		if !slices.Contains(old.Types, t) && (t != "integer" || !slices.Contains(old.Types, "number")) {
			return fmt.Sprintf("%s was %s and may now be %s", here(path), types.FewNames(old.Types), t)
		}
	}
	for _, check := range []func(old, new *types.Schema, path string) string{misreadScalar, misreadItems, misreadObject} {
		if why := check(old, new, path); why != "" {
			return why
		}
	}
	return ""
}

func here(path string) string {
	if path == "" {
		return "it"
	}
	return strings.TrimPrefix(path, ".")
}

func misreadScalar(old, new *types.Schema, path string) string {
	switch {
	case len(new.Types) == 1 && new.Types[0] == "null":
		return ""
	case old.Format != "" && new.Format != old.Format:
		return fmt.Sprintf("%s no longer has the format %s", here(path), old.Format)
	case old.Minimum != nil && (new.Minimum == nil || *new.Minimum < *old.Minimum):
		return fmt.Sprintf("%s may now be less than %d", here(path), *old.Minimum)
	case len(old.Enum) > 0 && len(new.Enum) == 0:
		return fmt.Sprintf("%s may now be any text", here(path))
	}
	for _, v := range new.Enum {
		if len(old.Enum) > 0 && !slices.Contains(old.Enum, v) {
			return fmt.Sprintf("%s may now be %q", here(path), v)
		}
	}
	return ""
}

func misreadItems(old, new *types.Schema, path string) string {
	if anything(old.Items) || !slices.Contains(new.Types, "array") {
		return ""
	}
	if new.Items == nil {
		return here(path) + " may now hold anything"
	}
	return misread(old.Items, new.Items, path+"[]")
}

func misreadObject(old, new *types.Schema, path string) string {
	if !slices.Contains(new.Types, "object") {
		return ""
	}
	for _, p := range old.Properties {
		q := property(new, p.Name)
		switch {
		case q == nil:
			return fmt.Sprintf("%s lost its member %q", here(path), p.Name)
		case slices.Contains(old.Required, p.Name) && !slices.Contains(new.Required, p.Name):
			return fmt.Sprintf("member %q of %s may now be missing", p.Name, here(path))
		}
		if why := misread(p.Schema, q, path+"."+p.Name); why != "" {
			return why
		}
	}
	if anything(old.Extra) {
		return ""
	}
	for _, q := range new.Properties {
		if property(old, q.Name) == nil {
			if why := misread(old.Extra, q.Schema, path+"."+q.Name); why != "" {
				return why
			}
		}
	}
	if new.Extra == nil && len(new.Properties) > 0 {
		return "" // a record: nothing but its members
	}
	return misread(old.Extra, new.Extra, path+".*")
}

func property(s *types.Schema, name string) *types.Schema {
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// sameShape compares everything but texts.
func sameShape(a, b *types.Schema) bool {
	if a == nil || b == nil {
		return a == b
	}
	if (a.Minimum == nil) != (b.Minimum == nil) || a.Minimum != nil && *a.Minimum != *b.Minimum {
		return false
	}
	return a.Format == b.Format && slices.Equal(a.Types, b.Types) && slices.Equal(a.Enum, b.Enum) && slices.Equal(a.Required, b.Required) &&
		sameShape(a.Items, b.Items) && sameShape(a.Extra, b.Extra) && slices.EqualFunc(a.AnyOf, b.AnyOf, sameShape) &&
		slices.EqualFunc(a.Properties, b.Properties, func(p, q types.Property) bool { return p.Name == q.Name && sameShape(p.Schema, q.Schema) })
}

// retoldMember returns the path of a member that both schemas describe, with
// different texts, or "".
func retoldMember(old, new *types.Schema, path string) string {
	if old == nil || new == nil {
		return ""
	}
	if old.Description != new.Description {
		return here(path)
	}
	for _, p := range old.Properties {
		if at := retoldMember(p.Schema, property(new, p.Name), path+"."+p.Name); at != "" {
			return at
		}
	}
	for i := range min(len(old.AnyOf), len(new.AnyOf)) {
		if at := retoldMember(old.AnyOf[i], new.AnyOf[i], path); at != "" {
			return at
		}
	}
	if at := retoldMember(old.Items, new.Items, path+"[]"); at != "" {
		return at
	}
	return retoldMember(old.Extra, new.Extra, path+".*")
}
