package nws_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

// newTools returns the tools over the recorded exchanges.
func newTools(t testing.TB) *nws.Tools {
	t.Helper()
	replay, err := serve.Replay(os.DirFS("replay"))
	if err != nil {
		t.Fatal(err)
	}
	return toolsOver(t, replay)
}

func toolsOver(t testing.TB, transport http.RoundTripper) *nws.Tools {
	t.Helper()
	tools, err := nws.New(nws.Config{Geo: serve.API{Transport: transport}, NWS: serve.API{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func newServer(t testing.TB, tools *nws.Tools) *httptest.Server {
	t.Helper()
	h, err := serve.NewHandler([]serve.Toolset{tools.Toolset()}, serve.AllowUnreleased())
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// answer is what a caller learns, whatever the protocol.
type answer struct {
	Place, Summary string
	Temperature    int64
	// Code is the manifest's word for a failure, Message its sentence.
	Code, Message string
}

var questions = []struct {
	city, period string
	want         answer
}{
	{"Omaha, Nebraska", "NOW", answer{}},
	{"Omaha, NE", "TONIGHT", answer{}},
	{"omaha , ne", "TOMORROW", answer{}},
	{"Portland, ME", "NOW", answer{}},
	{"Portland, Oregon", "NOW", answer{}},
	{"Springfield, IL", "NOW", answer{}},
	{"Dededo", "NOW", answer{}},
	{"Springfield", "NOW", answer{}},
	{"Paris", "NOW", answer{}},
	{"Washington", "TOMORROW", answer{}},
	{"Nowhereville", "NOW", answer{}},
	{"Key Biscayne", "NOW", answer{}},
	{"Adak", "NOW", answer{}},
	{"Taulaga", "NOW", answer{}},
}

func TestPrint(t *testing.T) {
	tools := newTools(t)
	for _, q := range questions {
		p := nws.LookupWeatherByCityPeriod(q.period)
		out, err := tools.LookupWeatherByCity(context.Background(), nws.LookupWeatherByCityInput{City: q.city, Period: &p})
		var e *serve.Error
		errors.As(err, &e)
		fmt.Printf("%q %s: %+v", q.city, q.period, out)
		if e != nil {
			fmt.Printf(" %s %s: %s %v", e.Kind, e.Code, e.Message, e.Err)
		}
		fmt.Println()
	}
	s := newServer(t, tools)
	resp, _ := http.Get(s.URL + "/a2t/tools")
	b, _ := io.ReadAll(resp.Body)
	var x bytes.Buffer
	json.Indent(&x, b, "", " ")
	fmt.Println(len(x.String()), strings.Contains(x.String(), "lookup"))
}
