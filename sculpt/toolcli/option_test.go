package toolcli

import "testing"

// The help of an option says what it takes, one allowed value included.
func TestDescribeOption(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		o    Option
		want string
	}{
		{Option{Description: "A `word`."}, "A 'word'."},
		{Option{Description: "A.", Required: &yes}, "A. (required)"}, {Option{Description: "A.", Required: &no}, "A."},
		{Option{Description: "A.", Enum: []string{"X"}}, "A. (one of X)"},
		{Option{Description: "A.", Required: &yes, Enum: []string{"X", "Y"}, Default: "X"}, "A. (required; one of X, Y; default: X)"},
		{Option{Description: "A.", Default: false}, "A."}, {Option{Description: "A.", Default: true}, "A. (default: true)"},
	} {
		if got := describeOption(&c.o); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
