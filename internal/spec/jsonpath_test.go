package spec

import (
	"fmt"
	"strings"
	"testing"
)

const pathDocument = `{"store": {"books": [
  {"title": "Sayings", "price": 8.95, "isbn": null, "tags": ["a", "b"]},
  {"title": "Moby", "price": 9, "isbn": "0-553", "tags": []},
  {"title": "Sword", "price": 12.99, "x-old": true}],
 "bike": {"price": 399, "color": "red"}}, "expensive": 10, "a b": {"c'd": 1, "é": "ü"}, "": {"deep": {"price": 1e1}}}`

// TestJSONPath has what RFC 9535 says of each selector, by where the selected
// nodes are.
func TestJSONPath(t *testing.T) {
	root, err := jsonTree(0, pathDocument)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		`$`:                                     "/",
		`$.store.bike.color`:                    "/store/bike/color",
		`$["store"]['bike']`:                    "/store/bike",
		`$ .store [ 'bike' , "books" ]`:         "/store/books /store/bike",
		`$.store.books[0].title`:                "/store/books/0/title",
		`$.store.books[-1].title`:               "/store/books/2/title",
		`$.store.books[7]`:                      "",
		`$.store.books[-7]`:                     "",
		`$.store[0]`:                            "",
		`$.store.books.title`:                   "",
		`$.store.books[0:2]`:                    "/store/books/0 /store/books/1",
		`$.store.books[:-1].price`:              "/store/books/0/price /store/books/1/price",
		`$.store.books[::2]`:                    "/store/books/0 /store/books/2",
		`$.store.books[::-1]`:                   "/store/books/0 /store/books/1 /store/books/2",
		`$.store.books[5:0:-2]`:                 "/store/books/2",
		`$.store.books[1:1]`:                    "",
		`$.store.books[::0]`:                    "",
		`$.store.*`:                             "/store/books /store/bike",
		`$.expensive.*`:                         "",
		`$..price`:                              "/store/books/0/price /store/books/1/price /store/books/2/price /store/bike/price /deep/price",
		`$..books[*].tags[*]`:                   "/store/books/0/tags/0 /store/books/0/tags/1",
		`$..['color','title']`:                  "/store/books/0/title /store/books/1/title /store/books/2/title /store/bike/color",
		`$['a b']["c'd"]`:                       "/a b/c'd",
		`$['a b']['c\'d']`:                      "/a b/c'd",
		`$['a b']['\u00e9']`:                    "/a b/é",
		`$['a b'].é`:                            "/a b/é",
		`$[''].deep`:                            "/deep",
		`$.store.books[*].x-old`:                "/store/books/2/x-old",
		`$.store.books[?@.isbn]`:                "/store/books/0 /store/books/1",
		`$.store.books[?!@.isbn]`:               "/store/books/2",
		`$.store.books[?@.isbn == null]`:        "/store/books/0",
		`$.store.books[?@.nothing == @.none]`:   "/store/books/0 /store/books/1 /store/books/2",
		`$.store.books[?@.price < $.expensive]`: "/store/books/0 /store/books/1",
		`$.store.books[?@.price <= 9]`:          "/store/books/0 /store/books/1",
		`$.store.books[?@.price >= 9 && @.title > 'Moby']`:      "/store/books/2",
		`$.store.books[?@.price > 9 || (@.title == "Sayings")]`: "/store/books/0 /store/books/2",
		`$.store.books[?!(@.price > 9) && @.title != 'Moby']`:   "/store/books/0",
		`$.store.books[?@['x-old'] == true]`:                    "/store/books/2",
		`$.store.books[?@.tags == $.store.books[1].tags]`:       "/store/books/1",
		`$.store.books[?@.title < 5]`:                           "",
		`$.store.books[?length(@.tags) == 0]`:                   "/store/books/1",
		`$.store.books[?length(@.title) == 7]`:                  "/store/books/0",
		`$.store.books[?count(@.tags[*]) == 2]`:                 "/store/books/0",
		`$.store.books[?value(@..isbn) == '0-553']`:             "/store/books/1",
		`$.store.books[?match(@.title, 'S.*')].title`:           "/store/books/0/title /store/books/2/title",
		`$.store.books[?match(@.title, 'S')]`:                   "",
		`$.store.books[?search(@.title, '[wb]')]`:               "/store/books/1 /store/books/2",
		`$.store.books[?search(@.title, '(')]`:                  "",
		`$.store.books[?!match(@.title, 'M.*')]`:                "/store/books/0 /store/books/2",
		`$.store[?@.color]`:                                     "/store/bike",
		`$..[?@.price == 10.0]`:                                 "/deep",
		`$..*..price`:                                           "/store/books/0/price /store/books/1/price /store/books/2/price /store/bike/price /deep/price",
	} {
		path, bad := parsePath(query)
		if bad != nil {
			t.Errorf("%s: %v at %d", query, bad, bad.at)
			continue
		}
		found, ok := path.find(root)
		if got := places(root, found); got != want || !ok {
			t.Errorf("%s\n got %s\nwant %s", query, got, want)
		}
	}
}

// places writes where nodes are, in the order of the document.
func places(root *node, found []*match) string {
	all := map[*node]bool{}
	for _, m := range found {
		all[m.node] = true
	}
	var out []string
	var walk func(n *node, at string)
	walk = func(n *node, at string) {
		if all[n] {
			out = append(out, at)
		}
		for i := range n.kids() {
			name := n.kids()[i].name
			if n.kind == arrayNode {
				name = fmt.Sprint(i)
			}
			walk(&n.kids()[i], strings.TrimSuffix(at, "/")+"/"+name)
		}
	}
	walk(root, "/")
	return strings.Join(out, " ")
}

// What is no query is refused, at the byte where it goes wrong.
func TestJSONPathFaults(t *testing.T) {
	for query, want := range map[string]string{
		``:                                    "0 a query begins with $",
		`store`:                               "0 a query begins with $",
		`@.a`:                                 "0 a target begins with $",
		`$.`:                                  "2 expected a name",
		`$.1`:                                 "2 expected a name",
		`$./a`:                                "2 expected a name",
		`$a`:                                  "1 expected the end",
		`$.a b`:                               "3 expected the end",
		`$[`:                                  "2 expected a name in quotes",
		`$[a]`:                                "2 expected a name in quotes",
		`$['a`:                                "2 the quote is not closed",
		`$['a'`:                               "5 expected ]",
		`$['a\q']`:                            "4 unknown escape",
		`$['\ud83d']`:                         "3 unknown escape",
		"$['a\nb']":                           "4 a control character",
		`$[01]`:                               "2 expected a whole number",
		`$[-0]`:                               "2 expected a whole number",
		`$[99999999999999999999]`:             "2 expected a whole number",
		`$[1.5]`:                              "3 expected ]",
		`$[?]`:                                "3 expected a query",
		`$[?@.a ==]`:                          "9 expected a query",
		`$[?@.a == 1`:                         "11 expected ]",
		`$[?@.a && ]`:                         "10 expected a query",
		`$[?1]`:                               "4 expected a comparison",
		`$[?(@.a]`:                            "7 expected )",
		`$[?@.* == 1]`:                        "3 a comparison needs a query",
		`$[?@..a == 1]`:                       "3 a comparison needs a query",
		`$[?length(@.*) == 1]`:                "10 a comparison needs a query",
		`$[?count(1) == 1]`:                   "9 count() takes a query",
		`$[?length(@.a)]`:                     "14 expected a comparison",
		`$[?match(@.a)]`:                      "3 match() takes 2",
		`$[?match(@.a, 'x') == true]`:         "3 match() is true or false",
		`$[?size(@) == 1]`:                    "3 expected a query",
		`$[?@.a == 01]`:                       "10 expected a number",
		`$[?!@.a == 1]`:                       "4 ! stands before",
		`$[?` + strings.Repeat("(", 99) + `@`: "53 the condition is nested too deep",
	} {
		if _, err := parsePath(query); err == nil || !strings.HasPrefix(fmt.Sprintf("%d %s", err.at, err.text), want) {
			t.Errorf("%s: %+v, want %s", query, err, want)
		}
	}
}

// A query that multiplies its work ends, and says so.
func TestJSONPathBound(t *testing.T) {
	root, _ := jsonTree(0, strings.Repeat(`{"a":[`, 90)+strings.Repeat("[1],", 2000)+"1"+strings.Repeat("]}", 90))
	path, err := parsePath(`$..[?count(@..[?count(@..*) >= 0]) >= 0]`)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := path.find(root); ok {
		t.Error("a query without end ended")
	}
}

// Whatever the text is, parsing it ends with a query or an error inside it.
func FuzzJSONPath(f *testing.F) {
	root, _ := jsonTree(0, pathDocument)
	for _, seed := range []string{`$..[?@.a=='x'].b`, `$['a'][1:2:3]`, `$[?!match(@.a,"x")||count(@..*)>1e3]`, `$.x-y.é`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		path, err := parsePath(query)
		if err != nil {
			if err.at < 0 || err.at > len(query) || err.text == "" {
				t.Errorf("%q: %+v", query, err)
			}
			return
		}
		path.find(root)
	})
}
