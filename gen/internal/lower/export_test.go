package lower

// Unmetered is the Go function of an expression function if no table of the turns
// has it.
func Unmetered(id string) string {
	fn := functions[id].Func
	if _, sized := lengths[fn]; sized || wholes[fn] {
		return ""
	}
	return fn.Name
}
