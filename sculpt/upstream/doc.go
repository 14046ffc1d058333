// Package upstream calls the backends of tools: a [Client] for each api, a [Call]
// for each request, with credentials that stay with their origin, deadlines,
// attempts that repeat only what is safe to repeat, a cache, and answers that are
// read strictly. Vendors meet it where they say how an api is reached: [API] has
// the base URL, the transport or a handler in process.
//
//	cfg, err := weather.ConfigFromEnv(os.LookupEnv)
//	if err != nil {
//		return err
//	}
//	cfg.NWS = upstream.API{BaseURL: "https://proxy.example/nws", Transport: upstream.NewTransport()}
//
// The rest is for generated code. It imports the standard library and this
// module's tool, scan, value, cause, oauth and server only.
package upstream
