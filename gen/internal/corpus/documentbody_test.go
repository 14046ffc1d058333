package corpus_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// judgeLimits are what openapi3filter cannot read, or reads in another way than
// OpenAPI says. The reader of documentReader alone judges these requests.
var judgeLimits = []struct {
	judge, request *regexp.Regexp
	why            string
}{
	{regexp.MustCompile(`style="deepObject"`), nil, "a list in deepObject"},
	{regexp.MustCompile(`^request body`), regexp.MustCompile(`(?s)x-www-form-urlencoded.*%5B`), "brackets in a form"},
	{regexp.MustCompile(`unsupported schema of request body's property`), regexp.MustCompile(`x-www-form-urlencoded`), "a form that may have brackets"},
	{regexp.MustCompile(`discriminator property "[^"]*" has invalid value`), nil, "a discriminator that the schema of its variant contradicts"},
	{regexp.MustCompile(`^request body`), regexp.MustCompile(`multipart/form-data`), "a part of a multipart body with a schema that is a union, or a type of its own"},
	{regexp.MustCompile(`unsupported content type`), nil, "a media type that it has no reader for"},
	{regexp.MustCompile(`got string, want`), regexp.MustCompile(`Content-Type: text/plain`), "a number or boolean as text/plain"},
	{regexp.MustCompile(`empty value is not allowed|has no content schema|decoding oneOf failed`), nil, "a parameter whose schema has no type"},
	{regexp.MustCompile(`value is required but missing`), regexp.MustCompile(`%5B.*%5B`), "objects in a deepObject"},
	{regexp.MustCompile(`^not loaded`), nil, "a schema that it does not load"},
}

func limitOf(judge string, request *wireRequest) string {
	for _, l := range judgeLimits {
		if l.judge.MatchString(judge) && (l.request == nil || l.request.MatchString(request.text())) {
			return l.why
		}
	}
	return ""
}

// readBody says in what a body differs from the value that it should be, "" for
// nothing.
func (j *judgedOperation) readBody(value any, got *wireRequest) string {
	base, params, err := mime.ParseMediaType(got.Header.Get("Content-Type"))
	if err != nil && got.Body != "" {
		return err.Error()
	}
	fields, _ := value.(tree)
	switch {
	case base == "application/x-www-form-urlencoded":
		return samePairs(formPairs(got.Body), j.fields(base, fields))
	case base == "multipart/form-data":
		sent, err := multipartPairs(got.Body, params["boundary"])
		if err != nil {
			return err.Error()
		}
		return samePairs(sent, j.fields(base, fields))
	case strings.Contains(base, "json"):
		var sent, want any
		if err := json.Unmarshal([]byte(got.Body), &sent); err != nil {
			return err.Error()
		}
		if err := json.Unmarshal([]byte(jsonText(value)), &want); err != nil || !reflect.DeepEqual(sent, want) {
			return "the body is not " + jsonText(value)
		}
		return ""
	case got.Body != numberText(value):
		return "the body is not " + numberText(value)
	}
	return ""
}

func formPairs(body string) (out [][2]string) {
	for pair := range strings.SplitSeq(body, "&") {
		name, v, _ := strings.Cut(pair, "=")
		name, errName := url.QueryUnescape(name)
		v, errValue := url.QueryUnescape(v)
		if errName != nil || errValue != nil {
			name = "cannot be read: " + pair
		}
		if pair != "" {
			out = append(out, [2]string{name, v})
		}
	}
	return out
}

func multipartPairs(body, boundary string) (out [][2]string, err error) {
	for r := multipart.NewReader(strings.NewReader(body), boundary); ; {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		out = append(out, [2]string{part.FormName(), string(text)})
	}
}

func samePairs(got, want [][2]string) string {
	order := func(a, b [2]string) int { return strings.Compare(a[0]+"="+a[1], b[0]+"="+b[1]) }
	slices.SortStableFunc(got, order)
	slices.SortStableFunc(want, order)
	if !slices.Equal(got, want) {
		return fmt.Sprintf("the fields are %q, want %q", got, want)
	}
	return ""
}

// fields spells the members of a body as the document says.
func (j *judgedOperation) fields(base string, value tree) (out [][2]string) {
	content, _ := j.body["content"].(tree)
	media, _ := content[base].(tree)
	if media == nil {
		media, _ = content["application/x-www-form-urlencoded"].(tree) // in which Swagger 2.0 is copied
	}
	encoding, _ := media["encoding"].(tree)
	brackets := strings.Contains(jsonText(encoding), `"deepObject"`)
	m := &valueMaker{schemas: j.schemas}
	schema := m.whole(media["schema"], 0)
	properties, _ := schema["properties"].(tree)
	for _, name := range slices.Sorted(maps.Keys(value)) {
		e, _ := encoding[name].(tree)
		p, _ := properties[name].(tree)
		out = append(out, spellField(name, value[name], e, p["collectionFormat"], brackets)...)
	}
	return out
}

func spellField(name string, v any, e tree, collection any, brackets bool) [][2]string {
	list, isList := v.([]any)
	_, isObject := v.(tree)
	contentType, _ := e["contentType"].(string)
	switch {
	case e["style"] == "deepObject", brackets && e == nil && (isList || isObject):
		return spellDeep(tree{"style": "deepObject"}, name, plainJSON(v), nil)
	case strings.Contains(contentType, "json") && e["style"] == nil:
		return [][2]string{{name, jsonText(v)}}
	case isObject && e["style"] == nil:
		return [][2]string{{name, jsonText(v)}}
	case !isList:
		return [][2]string{{name, numberText(v)}}
	}
	var out [][2]string
	var texts []string
	for _, x := range list {
		text := numberText(x)
		if _, nested := x.(tree); nested {
			text = jsonText(x)
		}
		texts, out = append(texts, text), append(out, [2]string{name, text})
	}
	separator, joined := map[any]string{"csv": ",", "ssv": " ", "tsv": "\t", "pipes": "|"}[collection]
	if e["explode"] == false {
		separator, joined = ",", true
	}
	if joined {
		return [][2]string{{name, strings.Join(texts, separator)}}
	}
	return out
}

func plainJSON(v any) (out any) {
	if err := json.Unmarshal([]byte(jsonText(v)), &out); err != nil {
		panic(err) // what was written is read
	}
	return out
}
