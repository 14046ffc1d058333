package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// vendors starts both servers on the loopback interface. The weather is what the
// folder has exchanges of.
func vendors(folder string, sells http.Handler) (weather, shop string, stop func(), err error) {
	recorded, err := replay.Open(os.DirFS(folder))
	if err != nil {
		return "", "", nil, err
	}
	tools, err := nws.New(nws.Config{Geo: upstream.API{Transport: recorded}, NWS: upstream.API{Transport: recorded}})
	if err != nil {
		return "", "", nil, err
	}
	handler, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return "", "", nil, err
	}
	first, firstStop, err := listen(handler)
	if err != nil {
		return "", "", nil, err
	}
	second, secondStop, err := listen(sells)
	if err != nil {
		firstStop()
		return "", "", nil, err
	}
	return first + "/a2t", second, func() { firstStop(); secondStop() }, nil
}

func listen(h http.Handler) (address string, stop func(), err error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // ends with stop
	return "http://" + l.Addr().String(), func() { _ = server.Close() }, nil
}

// A shopServer is another vendor's server, which speaks Open Tool Calling in the
// form that its specification shows and knows nothing of sculpt.
type shopServer struct{ asked atomic.Int32 }

const shopTools = `{"$schema":"otc://1.0","tools":[
 {"id":"Shop.FindPrice@1.2.0","name":"find_price","description":"Find the price of a thing in the shop.","version":"1.2.0",
  "input_schema":{"parameters":{"type":"object","properties":{"thing":{"type":"string","description":"What it is."}},"required":["thing"]}},
  "output_schema":{"type":"object","properties":{"cents":{"type":"integer"}}}},
 {"id":"Shop.OrderThing@1.0.0","name":"order_thing","description":"Order a thing.","version":"1.0.0",
  "input_schema":{"parameters":{"type":"object","properties":{"thing":{"type":"string","description":"What it is."}},"required":["thing"]}},"output_schema":null},
 {"id":"Shop.CancelAllOrders@1.0.0","name":"cancel_all_orders","description":"Cancel all orders.","version":"1.0.0",
  "input_schema":{"parameters":{"type":"object","properties":{}}},"output_schema":null}]}`

func (s *shopServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		fmt.Fprint(w, shopTools)
		return
	}
	var call struct {
		Request struct {
			Tool string `json:"tool_id"`
		}
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&call); err != nil {
		http.Error(w, `{"message":"That is not JSON."}`, http.StatusBadRequest)
		return
	}
	switch call.Request.Tool {
	case "Shop.FindPrice@1.2.0": // busy the first time, and says so
		if s.asked.Add(1) == 1 {
			fmt.Fprint(w, `{"result":{"call_id":"1","success":false,"error":{"message":"The shop is busy.","can_retry":true,"retry_after_ms":20}}}`)
			return
		}
		fmt.Fprint(w, `{"result":{"call_id":"1","success":true,"value":{"cents":1250}}}`)
	default: // something broke: nobody knows whether the order was taken
		http.Error(w, `{"message":"Something broke."}`, http.StatusInternalServerError)
	}
}

// clockVariable makes this program the clock.
const clockVariable = "SCULPT_EXAMPLE_CLOCK"

const clockDocument = `{"atip":{"version":"0.6"},"name":"clock","version":"1.0.0","description":"Tell the time.","trust":{"source":"native","verified":true},
 "commands":{"tell":{"description":"Tell the time in a city.","options":[{"name":"city","flags":["--city"],"type":"string","description":"The city.","required":true}],
 "effects":{"filesystem":{"read":false,"write":false,"delete":false},"network":false,"subprocess":false,"idempotent":true,"reversible":true,"destructive":false}}}}`

// clock is a program that describes itself. Its time stands still, for the sake of
// the transcript.
func clock(args []string, w io.Writer) int {
	if len(args) > 0 && args[0] == "--agent" {
		fmt.Fprintln(w, clockDocument)
		return 0
	}
	if len(args) != 3 || args[0] != "tell" || args[1] != "--city" {
		return 2
	}
	text, err := json.Marshal(map[string]string{"city": args[2], "time": "11:45"})
	if _, wrote := fmt.Fprintf(w, "%s\n", text); errors.Join(err, wrote) != nil {
		return 1
	}
	return 0
}
