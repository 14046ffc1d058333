// Package scan reads JSON text strictly and streaming, for decoders that the
// generator writes. It checks the grammar and UTF-8 of skipped values too,
// matches member names exactly, bounds depth and size, and never uses
// reflection.
//
// A [Scanner] keeps its first error: after an error every method does nothing
// and returns zero values, and every loop ends, so that a decoder is straight
// code with one check of [Scanner.Err] after it.
//
//	var placeKeys = scan.NewKeys("latitude", "name")
//
//	func scanPlace(s *scan.Scanner) *place {
//		if s.Null() {
//			return nil
//		}
//		v := &place{}
//		for s.Open(); s.Next(placeKeys); {
//			switch s.Key() {
//			case "latitude":
//				v.latitude = s.OptFloat()
//			case "name":
//				v.name = s.OptText()
//			}
//		}
//		return v
//	}
//
// The package imports the standard library only and nothing of this module.
package scan
