package serve

import (
	"strings"
	"testing"
)

// A batch that is too long is refused as a batch, and one that is not is read.
func TestLongBatch(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for n, refused := range map[int]bool{1: false, mostBatch: false, mostBatch + 1: true} {
		messages, batch, fault := decodeMCP([]byte("[" + strings.TrimSuffix(strings.Repeat(ping+",", n), ",") + "]"))
		if !batch || (fault != nil) != refused || refused != (len(messages) == 0) || fault != nil && fault.code != rpcInvalid {
			t.Errorf("%d messages: %d are read, batch %t, %+v", n, len(messages), batch, fault)
		}
	}
	if messages, batch, fault := decodeMCP([]byte(ping)); batch || fault != nil || len(messages) != 1 {
		t.Errorf("%d messages, batch %t, %+v", len(messages), batch, fault)
	}
}
