package serving

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

func pack(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b) // into memory: it cannot fail
	_ = z.Close()
	return out.Bytes()
}

// What follows is how one writes this server without a generator: net/http,
// encoding/json, structs with the wanted members alone. It checks what it is
// given and logs nothing.

type cellInput struct {
	Office string `json:"office" jsonschema:"The forecast office."`
	X      int    `json:"x"      jsonschema:"The column of the cell."`
	Y      int    `json:"y"      jsonschema:"The row of the cell."`
}

func (in *cellInput) check() error {
	if in.Office == "" || len(in.Office) > 20 || in.X < 0 || in.X > 1000 || in.Y < 0 || in.Y > 1000 {
		return errors.New("the cell is not valid")
	}
	return nil
}

type halfDay struct {
	Name        string `json:"name"`
	Start       string `json:"start"`
	Temperature int    `json:"temperature"`
	Wind        string `json:"wind"`
	Summary     string `json:"summary"`
}

type halfDayList struct {
	Periods []halfDay `json:"periods"`
}

type wantedFeature struct {
	Properties struct {
		Periods []struct {
			Name          string `json:"name"`
			StartTime     string `json:"startTime"`
			Temperature   int    `json:"temperature"`
			WindSpeed     string `json:"windSpeed"`
			WindDirection string `json:"windDirection"`
			ShortForecast string `json:"shortForecast"`
		} `json:"periods"`
	} `json:"properties"`
}

// A handClient calls the service as one does by hand.
type handClient struct {
	base   string
	client *http.Client
}

func newHandClient(to string) *handClient {
	return &handClient{to, &http.Client{Transport: tuned()}}
}

func (c *handClient) forecast(ctx context.Context, in cellInput) (*halfDayList, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	at := c.base + "/gridpoints/" + url.PathEscape(in.Office) + "/" + strconv.Itoa(in.X) + "," + strconv.Itoa(in.Y) + "/forecast?units=us"
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/geo+json")
	r.Header.Set("User-Agent", "sculpt-bench (bench@example.com)")
	resp, err := c.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the service answered %s", resp.Status)
	}
	var answer wantedFeature
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return nil, err
	}
	out := &halfDayList{}
	for _, p := range answer.Properties.Periods {
		out.Periods = append(out.Periods, halfDay{p.Name, p.StartTime, p.Temperature, p.WindSpeed + " " + p.WindDirection, p.ShortForecast})
	}
	return out, nil
}

// byHand answers POST /forecast.
func byHand(to string) http.Handler {
	client := newHandClient(to)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /forecast", func(w http.ResponseWriter, r *http.Request) {
		var in cellInput
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 256<<10)).Decode(&in); err != nil {
			http.Error(w, "the body is not valid", http.StatusBadRequest)
			return
		}
		if err := in.check(); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		out, err := client.forecast(r.Context(), in)
		if err != nil {
			http.Error(w, "the service failed", http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(out)
	})
	return mux
}
