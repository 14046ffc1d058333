package tool

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"
)

// TestDocumentFiles: what a file of the bundle says of itself, and each way to
// ask it for what it does not have.
func TestDocumentFiles(t *testing.T) {
	docs := Documents("{\n\"a/b.json\": {},\n\"a/c/d.json\": [],\n\"ab\": 1\n}\n")
	for name, want := range map[string]struct {
		base string
		size int64
		mode fs.FileMode
	}{
		".": {".", 0, fs.ModeDir | 0o555}, "a": {"a", 0, fs.ModeDir | 0o555}, "a/b.json": {"b.json", 3, 0o444}, "ab": {"ab", 2, 0o444},
	} {
		info, err := fs.Stat(docs, name)
		if err != nil || info.Name() != want.base || info.Size() != want.size || info.Mode() != want.mode || info.IsDir() != want.mode.IsDir() ||
			!info.ModTime().IsZero() || info.Sys() != nil {
			t.Errorf("%s: %+v, %v", name, info, err)
		}
	}
	read := func(name string) error { _, err := fs.ReadFile(docs, name); return err }
	open := func(name string) error { _, err := docs.Open(name); return err }
	folder, err := docs.Open("a")
	if err != nil {
		t.Fatal(err)
	}
	n, bytes := folder.Read(make([]byte, 9))
	file, err := docs.Open("a/b.json")
	if err != nil || n != 0 {
		t.Fatal(err, n)
	}
	list, listed := file.(fs.ReadDirFile).ReadDir(-1)
	for want, err := range map[string]error{
		"open ../a: invalid argument": open("../a"), "open b: file does not exist": open("b"), "read a: invalid argument": read("a"),
		"read /: invalid argument": read("/"), "read a/x: file does not exist": read("a/x"), "read a//: invalid argument": bytes, "readdir a/b.json: invalid argument": listed,
	} {
		want = strings.Replace(want, "a//", "a", 1)
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if list != nil {
		t.Error(list)
	}
}

// TestDocumentFolders: a folder is read in parts, which end as those of other
// file systems do.
func TestDocumentFolders(t *testing.T) {
	docs := Documents("{\n\"a/b.json\": {},\n\"a/c/d.json\": [],\n\"a/c/e.json\": [],\n\"ab\": 1\n}\n")
	for _, c := range []struct {
		ask  int
		want string
	}{{-1, "b.json c|"}, {0, "b.json c|"}, {1, "b.json|c|EOF"}, {2, "b.json c|EOF"}, {3, "b.json c|EOF"}} {
		f, err := docs.Open("a")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for range 3 {
			list, err := f.(fs.ReadDirFile).ReadDir(c.ask)
			if errors.Is(err, io.EOF) {
				got = append(got, "EOF")
				break
			}
			var names []string
			for _, e := range list {
				names = append(names, e.Name())
			}
			if got = append(got, strings.Join(names, " ")); len(names) == 0 {
				break
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%d at once: %q, want %s", c.ask, got, c.want)
		}
	}
}

// TestLengths: texts at the edges of what an input takes, and one beyond.
func TestLengths(t *testing.T) {
	for _, c := range []struct {
		least, most int
		text, want  string
	}{
		{0, 0, "", ""}, {0, 0, strings.Repeat("x", 999), ""}, {1, 0, "", "Must have at least 1 character, but has 0."}, {1, 0, "é", ""},
		{2, 0, "é", "Must have at least 2 characters, but has 1."}, {0, 1, "é", ""}, {0, 1, "éé", "Must have at most 1 character, but has 2."},
		{2, 2, "éé", ""}, {0, 3, "éé", ""}, {0, 3, "abc", ""}, {0, 3, "abcd", "Must have at most 3 characters, but has 4."},
	} {
		_, issue := checkText(&Param{MinLength: c.least, MaxLength: c.most}, &input{text: c.text})
		got := ""
		if issue != nil {
			got = issue.Detail
		}
		if got != c.want {
			t.Errorf("%q of %d to %d: %q, want %q", c.text, c.least, c.most, got, c.want)
		}
	}
}

// TestClip: a text is cut between characters, after 64 bytes.
func TestClip(t *testing.T) {
	a := strings.Repeat("a", 62)
	for text, want := range map[string]string{
		"": "", a + "aa": a + "aa", a + "aaa": a + "aa...", a + "éa": a + "é...", a + "a" + "é": a + "a...", a + "😀a": a + "...", strings.Repeat("\x80", 65): "...",
	} {
		if got := Clip(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestNearestWords: letters, hyphens and spaces are as good as each other, and
// words that differ in length by more than what is near are never near.
func TestNearestWords(t *testing.T) {
	for _, c := range []struct{ word, candidate, want string }{
		{"Max Length", "max_length", "max_length"}, {"max-length", "MAX LENGTH", "MAX LENGTH"}, {"a", "ab", "ab"}, {"a", "abc", ""}, {"abc", "a", ""}, {"ab", "b", "b"},
		{"abcdef", "abcd", "abcd"}, {"abcdef", "abc", ""}, {"abcd", "abcdef", ""}, {"abcdef", "abcdefgh", "abcdefgh"}, {"abcdef", "abcdefghi", ""},
		{strings.Repeat("a", 64), strings.Repeat("a", 64) + "b", ""}, {strings.Repeat("a", 65), strings.Repeat("a", 64), ""}, {strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 64)},
	} {
		if got := Nearest(c.word, []string{c.candidate}); got != c.want {
			t.Errorf("%s for %s: %q, want %q", c.candidate, c.word, got, c.want)
		}
	}
}

// TestWaits: how long to wait is told in whole seconds, rounded up.
func TestWaits(t *testing.T) {
	for _, c := range []struct {
		e    Error
		want string
	}{
		{Error{Kind: KindUnavailable, Retryable: true, RetryAfter: 1}, "The backend is not available at the moment. Try again in 1 s."},
		{Error{Kind: KindUnavailable, Retryable: true, RetryAfter: 11 * time.Second}, "The backend is not available at the moment. Try again in 11 s."},
		{Error{Kind: KindUnavailable, Retryable: true, RetryAfter: 10*time.Second + 1}, "The backend is not available at the moment. Try again in 11 s."},
		{Error{Kind: KindUnavailable, RetryAfter: time.Second}, "The backend is not available at the moment. Try again later."},
		{Error{Kind: KindUnavailable, Retryable: true}, "The backend is not available at the moment. Try again later."},
		{Error{Kind: KindNoResult, Message: "None.", EffectsDone: []string{"pay"}}, "None. Done already: pay."},
	} {
		if got := c.e.Explain(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestTrace: the trace of a call without one follows from its id alone.
func TestTrace(t *testing.T) {
	for _, c := range []struct {
		inv  Invocation
		want string
	}{
		{Invocation{TraceParent: "00-a", CallID: "c"}, "00-a"},
		{Invocation{CallID: "c"}, "00-1a9f10eb20f9cda59ae9394c34be94a4-4561fe8085ed7bab-01"},
	} {
		if got := c.inv.Trace(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestNumbers: which literals are integers, and which are only numbers.
func TestNumbers(t *testing.T) {
	for literal, want := range map[string]inputKind{"10": intInput, "-0": intInput, "9223372036854775807": intInput, "9223372036854775808": hugeInput, "1.0": numberInput, "1e2": numberInput, "1E2": numberInput} {
		var in Inputs
		in.Number([]byte(literal))
		if in.list[0].kind != want || literal == "10" && in.list[0].num != 10 {
			t.Errorf("%s: %+v", literal, in.list[0])
		}
	}
}
