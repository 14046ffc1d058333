package resolve

import (
	"fmt"
	"mime"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// streams are documents one after the other in one answer.
var streams = []string{"application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/json-seq", "application/stream+json"}

// whyUnread says why answers of a media type are not read, "" for those that are.
func whyUnread(media string) string {
	base, why := baseMedia(media), ""
	switch {
	case base == "text/event-stream":
		why = "a stream of events has no end to wait for"
	case slices.Contains(streams, base), strings.HasSuffix(base, "+json-seq"):
		why = "a stream of documents has no reader"
	case base == "application/xml", base == "text/xml", strings.HasSuffix(base, "+xml") && base != "image/svg+xml":
		why = "XML has no reader"
	case strings.HasPrefix(base, "multipart/"):
		why = "several parts have no reader"
	case !isUTF8(media):
		base, why = media, "texts are read in UTF-8 alone"
	default:
		return ""
	}
	return fmt.Sprintf("its answer is %s, and %s; an Accept header of the api asks for another type that the operation documents", base, why)
}

// isUTF8 reports whether a text says that it is UTF-8, or nothing of it. JSON always
// is, whatever a charset says (RFC 8259).
func isUTF8(media string) bool {
	_, params, _ := mime.ParseMediaType(media)
	charset := strings.ToLower(params["charset"])
	return formOf(media) == ir.JSONAnswer || slices.Contains([]string{"", "utf-8", "utf8", "us-ascii", "ascii"}, charset)
}

// formOf says how an answer of a media type is read.
func formOf(media string) ir.AnswerForm {
	base := baseMedia(media)
	switch {
	case isJSON(media):
		return ir.JSONAnswer
	case base == "text/csv", base == "application/csv":
		return ir.CSVAnswer
	case strings.HasPrefix(base, "text/"):
		return ir.TextAnswer
	}
	return ir.BinaryAnswer
}

// A binary answer is this object: its bytes mean nothing to an expression.
var binaryType = &types.Type{Kind: types.Object, Name: "Binary", Fields: []*types.Field{
	{Name: "size", Type: types.IntType, Required: true},
	{Name: "media_type", Type: types.StringType, Required: true},
	{Name: "base64", Type: types.StringType},
}}

// read gives a step the type of an answer in a representation.
func read(s *ir.Step, m *operation.Media) {
	s.Accept, s.Form = m.Type, formOf(m.Type)
	switch {
	case s.Form == ir.BinaryAnswer:
		s.Answer = binaryType
	case s.Form == ir.CSVAnswer:
		s.Answer = types.ListOf(csvRow(m.Schema))
	case s.Form == ir.TextAnswer && (m.Schema == nil || m.Schema.Kind != types.String):
		s.Answer = types.StringType
	case m.Schema == nil:
		s.Answer = types.DynOf("no schema")
	default:
		s.Answer = m.Schema
	}
}

// csvRow is the type of a record: the columns that the schema lists, or any, as
// texts.
func csvRow(schema *types.Type) *types.Type {
	if schema == nil || schema.Kind != types.List || schema.Elem.Kind != types.Object || len(schema.Elem.Fields) == 0 {
		return types.MapOf(types.StringType, types.StringType)
	}
	row := &types.Type{Kind: types.Object, Name: schema.Elem.Name + "Row"}
	for _, f := range schema.Elem.Fields {
		row.Fields = append(row.Fields, &types.Field{Name: f.Name, Type: types.StringType, Required: f.Required, Doc: f.Doc})
	}
	return row
}

// pickAnswer picks the representation that is read: the one that the api's Accept
// header asks for, else the best of the first success that has one. JSON of any
// success is better than what is not JSON.
func pickAnswer(op *operation.Operation, want string) *operation.Media {
	var first *operation.Media
	for _, resp := range op.Responses {
		if !strings.HasPrefix(resp.Status, "2") {
			continue
		}
		if m := pickMedia(resp.Media, want); m != nil {
			return m
		}
		if i := slices.IndexFunc(resp.Media, func(m operation.Media) bool { return whyUnread(m.Type) == "" }); i >= 0 && first == nil {
			first = &resp.Media[i]
		}
	}
	return first
}

// whyNothing says why an operation has no answer to read.
func whyNothing(op *operation.Operation) string {
	for _, resp := range op.Responses {
		for _, m := range resp.Media {
			if why := whyUnread(m.Type); why != "" && strings.HasPrefix(resp.Status, "2") {
				return why
			}
		}
	}
	return "the operation documents no answer"
}
