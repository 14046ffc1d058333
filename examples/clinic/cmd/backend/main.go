// Command backend serves the clinic of package backend by itself, so that
// several programs see the same appointments:
//
//	go run ./examples/clinic/cmd/backend 127.0.0.1:8090
//	CLINIC_BASE_URL=http://127.0.0.1:8090/v2 CLINIC_API_KEY=demo-application-key go run ./examples/clinic/cmd/clinic serve
package main

import (
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
)

func main() {
	addr := "127.0.0.1:8090"
	if len(os.Args) > 1 {
		addr = os.Args[1]
	}
	server := http.Server{Addr: addr, Handler: backend.New(time.Now), ReadHeaderTimeout: 5 * time.Second}
	fmt.Fprintf(os.Stderr, "backend: http://%s/v2\n", addr)
	fmt.Fprintln(os.Stderr, "backend:", server.ListenAndServe())
	os.Exit(1)
}
