package upstream

import "github.com/sculpt-tools/sculpt/sculpt/value"

// Document returns a JSON document that the call sends, as its body or as the text
// of a parameter or field. What cannot be written, such as a number that is not
// one, is the error of the call: nothing is sent.
func (c *Call) Document(j *value.JSON) []byte {
	data, err := j.Bytes()
	if err != nil && c.err == nil {
		c.err = value.ErrValue(c.step, "body", "", err)
	}
	return data
}
