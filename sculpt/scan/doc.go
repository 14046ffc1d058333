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
//	func scanPlace(s *scan.Scanner) (v place) {
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
// Text, Int, Float and Bool want their kind; OptText and the like give an [Optional],
// which says whether there is a value: null is none, as is a member that was never read.
// Objects are values, too: [Opt] makes an Optional of one that may be null, [Pointer], [Nullable] and
// [Pointers] make pointers for code that passes objects on.
//
// Texts share allocations, and so do lists, so that their number hardly grows with the length of an
// answer. A caller that keeps one of them much longer than the rest of its answer copies it, with
// [strings.Clone] or [slices.Clone].
//
// A text is read to its end, unless [Scanner.StopEarly] says that the members
// after the last wanted one do not matter.
//
// The package imports the standard library only and nothing of this module.
package scan
