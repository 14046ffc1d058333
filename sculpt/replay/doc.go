// Package replay records the exchanges with backends and answers from what was
// recorded, without a network. Credentials are never written down.
//
//	transport, err := replay.Open(os.DirFS("replay"))
//	if err != nil {
//		return err
//	}
//	cfg.NWS = upstream.API{Transport: transport}
//
// [Record] writes such files, [Tap] shows exchanges as they happen. It imports
// the standard library and this module's upstream only.
package replay
