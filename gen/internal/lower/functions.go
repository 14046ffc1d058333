package lower

// The run-time package of the functions below.
const valuePkg = "github.com/sculpt-tools/sculpt/sculpt/value"

type function struct {
	Func
	fails bool
}

func val(name string) function     { return function{Func: Func{valuePkg, name}} }
func valFail(name string) function { return function{Func: Func{valuePkg, name}, fails: true} }
func std(pkg, name string) function {
	return function{Func: Func{pkg, name}}
}

// functions maps the identity of an expression function to Go. A test proves
// that every signature of package expr is here or in special.
var functions = map[string]function{
	"size(string)": val("Size"), "string.size()": val("Size"),
	"string.contains(string)":             std("strings", "Contains"),
	"string.startsWith(string)":           std("strings", "HasPrefix"),
	"string.endsWith(string)":             std("strings", "HasSuffix"),
	"string.lowerAscii()":                 val("LowerASCII"),
	"string.upperAscii()":                 val("UpperASCII"),
	"string.trim()":                       val("Trim"),
	"string.reverse()":                    val("Reverse"),
	"string.charAt(int)":                  valFail("CharAt"),
	"string.indexOf(string)":              val("IndexOf"),
	"string.indexOf(string, int)":         valFail("IndexOfFrom"),
	"string.lastIndexOf(string)":          val("LastIndexOf"),
	"string.lastIndexOf(string, int)":     valFail("LastIndexOfFrom"),
	"string.replace(string, string)":      std("strings", "ReplaceAll"),
	"string.replace(string, string, int)": val("Replace"),
	"string.split(string)":                std("strings", "Split"),
	"string.split(string, int)":           val("Split"),
	"string.substring(int)":               valFail("SubstringFrom"),
	"string.substring(int, int)":          valFail("Substring"),
	"list(string).join(string)":           std("strings", "Join"),
	"urlencode(string)":                   std("net/url", "QueryEscape"),
	"strings.quote(string)":               val("Quote"),
	"string(uint)":                        val("TextOfUint"), "int(uint)": valFail("IntOfUint"), "uint(int)": valFail("UintOfInt"),
	"uint(double)": valFail("UintOf"), "uint(string)": valFail("UintOfText"), "math.sign(uint)": val("SignUint"),
	"string(int)":                val("TextOfInt"),
	"string(double)":             val("TextOfDouble"),
	"string(bool)":               val("TextOfBool"),
	"string(bytes)":              valFail("TextOfBytes"),
	"string(timestamp)":          val("TextOfTime"),
	"string(duration)":           val("TextOfDuration"),
	"int(double)":                valFail("IntOf"),
	"int(string)":                valFail("IntOfText"),
	"int(timestamp)":             val("UnixOf"),
	"double(string)":             valFail("DoubleOfText"),
	"bool(string)":               valFail("BoolOfText"),
	"timestamp(string)":          valFail("TimeOfText"),
	"timestamp(int)":             valFail("TimeOfUnix"),
	"duration(string)":           valFail("DurationOfText"),
	"math.ceil(double)":          std("math", "Ceil"),
	"math.floor(double)":         std("math", "Floor"),
	"math.round(double)":         std("math", "Round"),
	"math.trunc(double)":         std("math", "Trunc"),
	"math.abs(int)":              valFail("AbsInt"),
	"math.abs(double)":           std("math", "Abs"),
	"math.sign(int)":             val("SignInt"),
	"math.sign(double)":          val("Sign"),
	"math.sqrt(double)":          std("math", "Sqrt"),
	"math.isNaN(double)":         std("math", "IsNaN"),
	"math.isInf(double)":         val("IsInf"),
	"math.isFinite(double)":      val("IsFinite"),
	"lists.range(int)":           valFail("Range"),
	"base64.encode(bytes)":       val("Base64Encode"),
	"base64.decode(string)":      valFail("Base64Decode"),
	"duration.getHours()":        val("DurationHours"),
	"duration.getMinutes()":      val("DurationMinutes"),
	"duration.getSeconds()":      val("DurationSeconds"),
	"duration.getMilliseconds()": val("DurationMilliseconds"),
	"size(dyn)":                  valFail("SizeOf"),
	"size":                       {Func: Func{"", "len"}},
	"list.distinct":              val("Distinct"),
	"list.sort":                  val("Sorted"),
	"list.reverse":               val("Reversed"),
	"list.flatten":               val("Flatten"),
	"list.take":                  valFail("Take"),
	"list.slice":                 valFail("Slice"),
}

// identities are conversions to the type that the value has already.
var identities = map[string]bool{
	"string(string)": true, "int(int)": true, "uint(uint)": true, "math.abs(uint)": true, "double(double)": true, "bool(bool)": true,
	"bytes(bytes)": true, "timestamp(timestamp)": true, "duration(duration)": true,
}

// clockGetters maps the getters of timestamps to functions that take a zone.
var clockGetters = map[string]string{
	"getFullYear": "FullYear", "getMonth": "Month", "getDate": "Date", "getDayOfMonth": "DayOfMonth", "getDayOfWeek": "DayOfWeek",
	"getDayOfYear": "DayOfYear", "getHours": "Hours", "getMinutes": "Minutes", "getSeconds": "Seconds", "getMilliseconds": "Milliseconds",
}

// arithmetic maps the checked operators to the names of functions that fail.
var arithmetic = map[string]string{"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "%": "Mod"}
