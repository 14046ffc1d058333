package main

import (
	"bytes"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/pins"
	"github.com/sculpt-tools/sculpt/sculpt/client/agent"
)

var update = flag.Bool("pins.update", false, "pin the newest versions of all tools, and keep what people wrote")

// TestMain is the clock where the agent starts it.
func TestMain(m *testing.M) {
	if os.Getenv(clockVariable) != "" {
		os.Exit(clock(os.Args[1:], os.Stdout))
	}
	os.Exit(m.Run())
}

// TestTranscript: with every provider the same things happen, and the README has
// them.
func TestTranscript(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for p := range speakers {
		var b bytes.Buffer
		if err := run(t.Context(), p, scripted(p), "../nws/replay", &b); err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if got := strings.TrimSpace(b.String()); !strings.Contains(string(readme), "```\n"+got+"\n```") {
			t.Errorf("%s: README.md has another transcript:\n%s", p, got)
		}
	}
	if err := run(t.Context(), "clippy", scripted("clippy"), "../nws/replay", &bytes.Buffer{}); err == nil {
		t.Error("clippy is a provider")
	}
	if len(speakers) != 4 || speakers[agent.Gemini] == nil {
		t.Error("not every provider is spoken")
	}
}

// TestPins: what is pinned is what both vendors serve. With -pins.update it is
// pinned again, as "sculpt pin" does.
func TestPins(t *testing.T) {
	weather, shop, stop, err := vendors("../nws/replay", new(shopServer))
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	opener := &pins.Opener{HTTP: http.DefaultClient}
	offers, failures := opener.List(t.Context(), providersAt(weather, shop))
	if len(failures) > 0 {
		t.Fatal(failures[0].Err)
	}
	file := pins.NewFile(pinsName)
	if len(pinned) > 0 {
		file, _ = pins.ReadFile(pinsName, pinned)
	}
	wanted := []string{"cancel_all_orders", "find_price", "lookup_weather_by_city", "order_thing"}
	for _, o := range offers {
		if at := slices.Index(wanted, o.Name); at >= 0 && *update {
			p := *o.Provider
			p.URL = map[string]string{"weather": "https://weather.example/a2t", "shop": "https://shop.example"}[p.Name]
			if _, _, err := file.Put("errands", &p, o.Tool); err != nil {
				t.Fatal(err)
			}
		}
	}
	if *update {
		text, err := file.Bytes()
		if err == nil {
			err = os.WriteFile(pinsName, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	var names []string
	for _, p := range file.Pins {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	if !slices.Equal(names, wanted) {
		t.Errorf("%v are pinned, want %v", names, wanted)
	}
	if v := pins.Check(t.Context(), file, opener, providersAt(weather, shop)); v.Broken || v.Silent {
		t.Errorf("the vendors do not keep to the pins: %v", v.Findings)
	}
}

// TestBrokenPromise: a vendor that renames an input and takes a tool away is told
// of, the model does not get these tools, and what is kept goes on.
func TestBrokenPromise(t *testing.T) {
	changed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		new(shopServer).ServeHTTP(rec, r)
		w.Header().Set("Content-Type", "application/json")
		text := strings.Replace(rec.Body.String(), `"properties":{"thing":`, `"properties":{"article":`, 1)
		text = strings.Replace(text, `"required":["thing"]`, `"required":["article"]`, 1)
		text = strings.NewReplacer("order_thing", "buy_thing", "OrderThing", "BuyThing").Replace(text)
		_, _ = io.WriteString(w, text)
	})
	weather, shop, stop, err := vendors("../nws/replay", changed)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	var b bytes.Buffer
	if err := converse(t.Context(), agent.OpenAIChat, scripted(agent.OpenAIChat), providersAt(weather, shop), &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"! find_price: input thing is gone\n", "! order_thing: ", `"temperature_f":28`, "> order_thing {\"thing\":\"umbrella\"}\n< {\"error\":\"There is no tool",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not told:\n%s", want, b.String())
		}
	}
}
