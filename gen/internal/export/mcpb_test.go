package export

import (
	"encoding/json"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// TestBundleOfSystems: each system starts its own program, and what nobody filled in
// is empty and not the placeholder.
func TestBundleOfSystems(t *testing.T) {
	b := Bundle{Version: "1.0.0", Author: "Me", Builds: []Build{{"darwin", "server/darwin/my_shop"}, {"win32", "server/win32/my_shop.exe"}}}
	p := Program{Face: Face{Toolkit: "Shop"}, Name: "my_shop"}
	f := MCPB(p, []Setting{{Name: "SHOP_KEY", Required: true, Secret: true}, {Name: "REGION"}}, b, []*signature.Signature{{Name: "find", Description: "Find it."}})
	var doc struct {
		Name   string
		Server struct {
			EntryPoint string `json:"entry_point"`
			Config     struct {
				Command   string
				Env       map[string]string
				Overrides map[string]struct{ Command string } `json:"platform_overrides"`
			} `json:"mcp_config"`
		}
		Compatibility struct{ Platforms []string }
		Config        map[string]struct {
			Default             *string
			Required, Sensitive bool
		} `json:"user_config"`
	}
	if err := json.Unmarshal(f.Data, &doc); err != nil {
		t.Fatal(err)
	}
	c := doc.Server.Config
	if doc.Name != "my-shop" || doc.Server.EntryPoint != "server/darwin/my_shop" || c.Command != "${__dirname}/server/darwin/my_shop" || len(doc.Compatibility.Platforms) != 2 {
		t.Errorf("%s", f.Data)
	}
	if c.Overrides["win32"].Command != "${__dirname}/server/win32/my_shop.exe" || c.Overrides["darwin"].Command != c.Command {
		t.Errorf("the programs of other systems: %v", c.Overrides)
	}
	key, region := doc.Config["shop_key"], doc.Config["region"]
	if c.Env["SHOP_KEY"] != "${user_config.shop_key}" || !key.Required || !key.Sensitive || key.Default != nil {
		t.Errorf("the key: %+v", key)
	}
	if region.Required || region.Sensitive || region.Default == nil || *region.Default != "" {
		t.Errorf("the region: %+v", region)
	}
}
