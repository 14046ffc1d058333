package expr

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// A signature is one overload of a function: "string.indexOf(string, int) int".
// The text before the result is its identity, which package gen/lower maps to Go.
type signature struct {
	id     string
	name   string
	member bool
	params []*types.Type // the receiver first
	result *types.Type
}

var typeNames = map[string]*types.Type{
	"bool": types.BoolType, "int": types.IntType, "uint": types.UintType, "double": types.DoubleType,
	"string": types.StringType, "bytes": types.BytesType, "timestamp": types.TimestampType, "duration": types.DurationType,
	"list(string)": types.ListOf(types.StringType), "list(int)": types.ListOf(types.IntType),
	"optional(string)": types.OptionalOf(types.StringType),
}

// signatureTexts lists the functions over plain types. Those over any list,
// map or optional are in check_call.go.
var signatureTexts = []string{
	"size(string) int", "string.size() int", "size(bytes) int", "bytes.size() int",
	"string.contains(string) bool", "string.startsWith(string) bool", "string.endsWith(string) bool",
	"string.lowerAscii() string", "string.upperAscii() string", "string.trim() string", "string.reverse() string",
	"string.charAt(int) string",
	"string.indexOf(string) int", "string.indexOf(string, int) int",
	"string.lastIndexOf(string) int", "string.lastIndexOf(string, int) int",
	"string.replace(string, string) string", "string.replace(string, string, int) string",
	"string.split(string) list(string)", "string.split(string, int) list(string)",
	"string.substring(int) string", "string.substring(int, int) string",
	"list(string).join() string", "list(string).join(string) string",
	"urlencode(string) string", "strings.quote(string) string",
	"uint(uint) uint", "uint(int) uint", "uint(double) uint", "uint(string) uint", "string(uint) string", "int(uint) int",
	"double(uint) double", "math.abs(uint) uint", "math.sign(uint) uint", "math.sqrt(uint) double",
	"string(string) string", "string(int) string", "string(double) string", "string(bool) string",
	"string(bytes) string", "string(timestamp) string", "string(duration) string",
	"int(int) int", "int(double) int", "int(string) int", "int(timestamp) int",
	"double(double) double", "double(int) double", "double(string) double",
	"bool(bool) bool", "bool(string) bool",
	"bytes(bytes) bytes", "bytes(string) bytes",
	"timestamp(timestamp) timestamp", "timestamp(string) timestamp", "timestamp(int) timestamp",
	"duration(duration) duration", "duration(string) duration",
	"math.ceil(double) double", "math.floor(double) double", "math.round(double) double", "math.trunc(double) double",
	"math.abs(int) int", "math.abs(double) double",
	"math.sign(int) int", "math.sign(double) double",
	"math.sqrt(int) double", "math.sqrt(double) double",
	"math.isNaN(double) bool", "math.isInf(double) bool", "math.isFinite(double) bool",
	"lists.range(int) list(int)",
	"base64.encode(bytes) string", "base64.decode(string) bytes",
	"timestamp.getFullYear() int", "timestamp.getMonth() int", "timestamp.getDate() int", "timestamp.getDayOfMonth() int",
	"timestamp.getDayOfWeek() int", "timestamp.getDayOfYear() int", "timestamp.getHours() int", "timestamp.getMinutes() int",
	"timestamp.getSeconds() int", "timestamp.getMilliseconds() int",
	"timestamp.getFullYear(string) int", "timestamp.getMonth(string) int", "timestamp.getDate(string) int",
	"timestamp.getDayOfMonth(string) int", "timestamp.getDayOfWeek(string) int", "timestamp.getDayOfYear(string) int",
	"timestamp.getHours(string) int", "timestamp.getMinutes(string) int", "timestamp.getSeconds(string) int",
	"timestamp.getMilliseconds(string) int",
	"duration.getHours() int", "duration.getMinutes() int", "duration.getSeconds() int", "duration.getMilliseconds() int",
}

// namespaces are the first halves of function names with a dot.
var namespaces = []string{"math", "lists", "strings", "base64", "regex", "optional", "cel", "caller", "call"}

// leftOut are the names of CEL that this language does not have, with the
// reason.
var leftOut = namesLeftOut()

func namesLeftOut() map[string]string {
	leftOut := map[string]string{}
	for _, name := range []string{"type", "bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "timestamp", "duration"} {
		leftOut[name] = "types are known before anything runs"
	}
	for _, name := range []string{"And", "Or", "Xor", "Not", "ShiftLeft", "ShiftRight"} {
		leftOut["math.bit"+name] = "no bit operations"
	}
	leftOut["dyn"] = "values of unknown type are read and narrowed as they are"
	return leftOut
}

// genericNames are the functions of check_call.go, for suggestions.
var genericNames = []string{
	"size", "has", "extra", "matches", "distinct", "sort", "sortBy", "reverse", "flatten", "slice", "take", "first", "last",
	"map", "filter", "all", "exists", "exists_one", "existsOne", "orValue", "or", "hasValue", "value", "optMap", "optFlatMap",
	"math.greatest", "math.least", "optional.of", "optional.none", "optional.ofNonZeroValue", "cel.bind", "format", "transformList", "transformMap",
	"regex.extract", "regex.extractAll", "regex.replace",
}

var signatures = parseSignatures()

func parseSignatures() map[string][]signature {
	out := map[string][]signature{}
	for _, text := range signatureTexts {
		s := parseSignature(text)
		out[s.name] = append(out[s.name], s)
	}
	return out
}

// SignatureIDs returns the identity of every function over plain types, so
// that a back end can prove that it has them all.
func SignatureIDs() []string {
	ids := make([]string, len(signatureTexts))
	for i, text := range signatureTexts {
		ids[i] = parseSignature(text).id
	}
	return ids
}

func parseSignature(text string) signature {
	end := strings.LastIndexByte(text, ' ')
	// The last parenthesis pair of "list(string).join(string)" holds the
	// parameters; results such as list(string) have no blank.
	s := signature{id: text[:end], result: typeNames[text[end+1:]]}
	open := strings.LastIndexByte(s.id, '(')
	s.name = s.id[:open]
	if dot := strings.LastIndexByte(s.name, '.'); dot >= 0 && !slices.Contains(namespaces, s.name[:dot]) {
		s.member = true
		s.params = append(s.params, typeNames[s.name[:dot]])
		s.name = s.name[dot+1:]
	}
	if params := s.id[open+1 : len(s.id)-1]; params != "" {
		for p := range strings.SplitSeq(params, ", ") {
			s.params = append(s.params, typeNames[p])
		}
	}
	return s
}

// FunctionNames returns the names of all functions and macros, sorted, so that
// documentation can prove that it has them all.
func FunctionNames() []string {
	names := slices.Clone(genericNames)
	for n := range signatures {
		names = append(names, n)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
