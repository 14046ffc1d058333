package upstream

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

var quoteInPart = strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A")

// Part adds a part to a multipart/form-data body, in the order of the calls.
// contentType is "" for plain text, and file the name of a file or "".
func (c *Call) Part(name, contentType, file string, data []byte) {
	if strings.ContainsAny(contentType, "\r\n") {
		c.broken("part " + name + " has no media type")
		return
	}
	head := `Content-Disposition: form-data; name="` + quoteInPart.Replace(name) + `"`
	if file != "" {
		head += `; filename="` + quoteInPart.Replace(file) + `"`
	}
	if contentType != "" {
		head += "\r\nContent-Type: " + contentType
	}
	c.parts = append(c.parts, append([]byte(head+"\r\n\r\n"), data...))
}

// joinParts makes the body of the parts. The boundary follows from them: the
// same parts give the same request, and none can hold the digest of itself.
func (c *Call) joinParts() {
	if c.parts == nil {
		return
	}
	sum := sha256.New()
	for _, p := range c.parts {
		sum.Write(p)
	}
	boundary := hex.EncodeToString(sum.Sum(nil)[:16])
	var body []byte
	for _, p := range c.parts {
		body = append(append(append(body, "--"+boundary+"\r\n"...), p...), "\r\n"...)
	}
	c.Body("multipart/form-data; boundary="+boundary, append(body, "--"+boundary+"--\r\n"...))
}
