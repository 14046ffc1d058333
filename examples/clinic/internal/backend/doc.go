// Package backend plays the API of openapi/clinic.yaml: a clinic that does not
// exist, with invented patients, that keeps what is done to it in memory.
//
//	clinic := backend.New(time.Now)
//	cfg.Clinic = upstream.API{Handler: clinic}
//
// It imports the standard library only.
package backend
