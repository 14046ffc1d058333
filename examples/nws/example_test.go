package nws_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// The tools answer from the written exchanges here; without Transport they
// call the services that the OpenAPI documents name.
func Example() {
	recorded, err := replay.Open(os.DirFS("replay"))
	if err != nil {
		log.Fatal(err)
	}
	tools, err := nws.New(nws.Config{Geo: upstream.API{Transport: recorded}, NWS: upstream.API{Transport: recorded}})
	if err != nil {
		log.Fatal(err)
	}
	out, err := tools.LookupWeatherByCity(context.Background(), nws.LookupWeatherByCityInput{City: "Omaha, Nebraska"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d °F, %s\n", out.Place, out.TemperatureF, out.Summary)
	// Output: Omaha: 47 °F, Mostly Sunny
}
