package upstream_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// counted is a transport of the vendor: it sees every request, and may add what a
// manifest cannot say, such as a signature.
type counted struct {
	next http.RoundTripper
	n    int
}

func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n++
	signed := r.Clone(r.Context()) // a RoundTripper must not change what it is given
	signed.Header.Set("X-Signature", "...")
	return c.next.RoundTrip(signed)
}

// An api can be reached through a transport of the vendor, at another address, or
// in the same process.
func ExampleAPI() {
	places := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"results":[]}`)
	})
	weather := &counted{next: upstream.NewTransport()}
	tools, err := nws.New(nws.Config{
		Geo: upstream.API{Handler: places},
		NWS: upstream.API{Transport: weather, BaseURL: "https://weather.example"},
	})
	if err != nil {
		panic(err)
	}
	_, err = tools.LookupWeatherByCity(context.Background(), nws.LookupWeatherByCityInput{City: "Nowhere"})
	fmt.Println(err)
	fmt.Println(weather.n, "requests to the weather service")
	// Output:
	// step where.places: No place called "Nowhere" was found. Only US places are covered.
	// 0 requests to the weather service
}
