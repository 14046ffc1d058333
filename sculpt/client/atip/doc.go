// Package atip finds programs that describe themselves with --agent (ATIP 0.6), and
// calls their commands as tools of package client: an agent that holds tools of
// servers and of programs treats them alike.
//
//	finder := atip.Finder{Path: filepath.SplitList(os.Getenv("PATH")), Machine: atip.Local(os.Environ())}
//	programs, problems := finder.Find(ctx)
//	result, err := programs[0].Invoke(ctx, programs[0].Tools()[0], client.Call{Arguments: map[string]any{"city": "Omaha"}})
//
// Finding starts every program of the folders once, so it is careful: relative
// folders, folders that everybody may write to and those of other users are passed
// over, a program has two seconds and no input, and what it was found to be is kept
// beside its size and time, so that it is started again only after it has changed.
// A program whose checksum is not what its description says is refused, and so is one
// whose description names a signature or provenance that nobody verified
// ([Finder.Verify]).
// Naming the programs to look for ([Finder.Allow]) is safer still.
//
// Commands are run from their words, never by a shell, with bounded output.
//
// It imports the standard library and this module's client and tool only.
package atip
