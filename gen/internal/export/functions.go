package export

import "github.com/sculpt-tools/sculpt/internal/signature"

// requiredNames lists the inputs that a caller has to fill in.
func requiredNames(inputs []signature.Input) array {
	var names array
	for _, in := range inputs {
		if in.Required {
			names = append(names, in.Name)
		}
	}
	return names
}
