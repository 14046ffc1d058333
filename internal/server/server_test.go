package server

import (
	"slices"
	"strings"
	"testing"
)

// TestFill: a value stays in its part of the address.
func TestFill(t *testing.T) {
	const (
		aLabel = "must be a label of a host"
		aHost  = "must be a host"
		aPath  = "must be segments of a path"
	)
	for _, c := range []struct{ template, value, want string }{
		{"https://{x}.example.com/v1", "acme", "https://acme.example.com/v1"},
		{"https://api-{x}.example.com", "eu-1", "https://api-eu-1.example.com"},
		{"https://{x}.example.com", "a.b", aLabel},
		{"https://{x}.example.com", "", aLabel},
		{"https://{x}.example.com", "-a", aLabel},
		{"https://{x}.example.com", "evil.example/", aLabel},
		{"https://{x}.example.com", "user@evil", aLabel},
		{"https://{x}.example.com", "evil?", aLabel},
		{"https://{x}.example.com", "evil#", aLabel},
		{"https://{x}.example.com", "evil:80", aLabel},
		{"https://{x}.example.com", `evil\`, aLabel},
		{"https://{x}.example.com", "evil\n", aLabel},
		{"https://{x}.example.com", "%65vil", aLabel},
		{"https://{x}.example.com", "bücher", aLabel},
		{"https://{x}.example.com", "{y}", aLabel},
		{"https://{x}.example.com", strings.Repeat("a", 64), aLabel},
		{"https://{x}", "acme.example.com", "https://acme.example.com"},
		{"https://{x}:8443/v1", "127.0.0.1", "https://127.0.0.1:8443/v1"},
		{"https://api.{x}/v1", "acme.example", "https://api.acme.example/v1"},
		{"https://{x}/v1", "acme.example@evil.example", aHost},
		{"https://{x}/v1", "acme.example/..", aHost},
		{"https://{x}/v1", "[::1]", aHost},
		{"https://{x}/v1", "a..b", aHost},
		{"http://h.example:{x}/v1", "8080", "http://h.example:8080/v1"},
		{"http://h.example:{x}/v1", "80/@evil", "must be a port"},
		{"http://h.example:{x}/v1", "70000", "must be a port"},
		{"http://h.example:{x}/v1", "http", "must be a port"},
		{"{x}://h.example", "http", "http://h.example"},
		{"{x}://h.example", "ftp", "must be http or https"},
		{"{x}://h.example", "https://evil.example?", "must be http or https"},
		{"https://h.example/{x}", "v2", "https://h.example/v2"},
		{"https://h.example/{x}/b", "rest/v2.1", "https://h.example/rest/v2.1/b"},
		{"https://h.example/{x}", "..", aPath},
		{"https://h.example/{x}", "v1/../admin", aPath},
		{"https://h.example/{x}", "/v1", aPath},
		{"https://h.example/{x}", "v1?admin=1", aPath},
		{"https://h.example/{x}", "v1#", aPath},
		{"https://h.example/{x}", "a@b", aPath},
		{"https://h.example/{x}", "%2e%2e", aPath},
		{"https://h.example/{x}/{x}", "v2", "https://h.example/v2/v2"},
		{"https://h.example/{y}", "v2", "https://h.example/{y}"},
		{"https://h.example/{x", "v2", "https://h.example/{x"},
	} {
		got, err := Fill(c.template, []Variable{{Name: "x", Value: c.value, From: "X"}})
		if err != nil {
			got = err.Error()
			if c.value != "" && c.value != "http" && strings.Contains(strings.TrimPrefix(got, "the server variable"), c.value) && len(c.value) > 2 {
				t.Errorf("the message has the value: %s", got)
			}
			if !strings.HasPrefix(got, `the server variable "x", which is X, `+c.want) {
				t.Errorf("%s with %q: %s", c.template, c.value, got)
			}
		} else if got != c.want {
			t.Errorf("%s with %q: %s", c.template, c.value, got)
		}
	}
}

func TestEnum(t *testing.T) {
	for value, want := range map[string]string{"eu": "https://eu.h.example", "api.us": "https://api.us.h.example", "asia": `the server variable "r" must be one of eu, api.us`} {
		got, err := Fill("https://{r}.h.example", []Variable{{Name: "r", Value: value, Enum: []string{"eu", "api.us"}}})
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s", value, got)
		}
	}
}

func TestNames(t *testing.T) {
	const template = "{s}://{a}.{b}:{p}/{c}/{a}"
	if got := Names(template); !slices.Equal(got, []string{"s", "a", "b", "p", "c"}) {
		t.Error(got)
	}
	if got := Sample(template); got != "https://x.x:1/x/x" {
		t.Error(got)
	}
	if got := SampleOf(template, "p") + SampleOf(template, "s") + SampleOf(template, "none"); got != "1https" {
		t.Error(got)
	}
	if got := Sample("/{v}/x"); got != "/x/x" {
		t.Error(got)
	}
}
