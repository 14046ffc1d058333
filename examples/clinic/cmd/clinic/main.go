// Command clinic calls the tools of the clinic, serves them, and describes
// itself to agents. "clinic --help" lists its commands. Without CLINIC_BASE_URL
// it plays the clinic itself, in memory, with the patients of package backend.
package main

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/examples/clinic"
	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
	"github.com/sculpt-tools/sculpt/examples/clinic/internal/signin"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

func main() {
	toolcli.Main(toolcli.Program{Docs: clinic.Docs(), Handler: handler})
}

// handler configures the tools. It is asked by the commands that need them.
func handler() (http.Handler, error) {
	cfg, err := clinic.ConfigFromEnv(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	if cfg.Clinic.BaseURL == "" {
		if err := play(&cfg); err != nil {
			return nil, err
		}
	}
	tools, err := clinic.New(cfg)
	if err != nil {
		return nil, err
	}
	patients := &signin.Patients{
		URL: strings.TrimSuffix(cfg.Clinic.BaseURL, "/") + "/me", Key: cfg.ClinicAPIKey,
		Tenant: cmp.Or(cfg.ClinicTenant, "lakeside"), // the default of the manifest
	}
	return serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithAuthenticator(patients))
}

// play opens a clinic of our own at a free port of this machine.
func play(cfg *clinic.Config) error {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := http.Server{Handler: backend.New(time.Now), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(l) }() // ends with the program
	cfg.Clinic.BaseURL = "http://" + l.Addr().String() + "/v2"
	cfg.ClinicAPIKey = backend.APIKey
	return nil
}
