package conform

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// A story is what is said of many servers, one after the other.
type story struct {
	strings.Builder

	rows []Clause
	good []string
}

// looks are what the checks of all clauses say, with all that is wrong.
func (s *story) looks(r *recording) []string {
	var all []string
	for _, c := range s.rows {
		var l look
		if c.check != nil {
			c.check(r, &l)
		}
		verdict, saw := l.verdict()
		for i := faultsShown; i < len(l.wrong); i++ {
			saw += "\n  " + l.wrong[i]
		}
		all = append(all, string(verdict)+": "+saw)
	}
	return all
}

// tell tells the clauses of which something else is said than of a good server,
// which is told first. Clauses of which the same is said are on one line.
func (s *story) tell(what string, r *recording) {
	fmt.Fprintf(s, "\n== %s\n", what)
	ids := map[string][]string{}
	var order []string
	looks := s.looks(r)
	for i, said := range looks {
		if s.rows[i].check == nil || s.good != nil && s.good[i] == said {
			continue
		}
		if ids[said] == nil {
			order = append(order, said)
		}
		ids[said] = append(ids[said], s.rows[i].ID)
	}
	for _, said := range order {
		fmt.Fprintf(s, "%s\n  (%s)\n", said, strings.Join(ids[said], " "))
	}
	if s.good == nil {
		s.good = looks
	}
}

// saidOf tells of a good server, of each of its faults, and of odd servers,
// which do nothing that the faults do, or do it to the edge.
func saidOf[M any](t *testing.T, of *suite[M], odd []oddity[M]) string {
	t.Helper()
	at := slices.IndexFunc(protocols, func(p spoken) bool { return p.word == of.protocol })
	s := &story{rows: protocols[at].rows}
	talk := func(f *fault[M], invoke []Invocation) *recording {
		o := Options{Client: &http.Client{Transport: of.broken(f)}, Invoke: invoke, callID: func() string { return callID }}
		var r recording
		protocols[at].speak(&asker{ctx: t.Context(), base: "http://tools.example", options: &o}, &r)
		return &r
	}
	s.tell(of.protocol+", good", talk(nil, of.invoke))
	for i, f := range of.faults {
		s.tell(fmt.Sprintf("fault %d of %s", i, f.clause), talk(&f, of.invoke))
	}
	for _, o := range odd {
		invoke := of.invoke
		if o.uninvoked {
			invoke = nil
		}
		s.tell(of.protocol+" "+o.name, talk(&o.fault, invoke))
	}
	return s.String()
}

// An oddity is a server that is right or wrong in a rare way.
type oddity[M any] struct {
	name string
	fault[M]
	// uninvoked servers are only read.
	uninvoked bool
}

// many lists versions of the weather tool up to a number.
func many(n int) func(*a2tModel) {
	return func(m *a2tModel) {
		one := m.tools[0][0]
		m.tools[0] = nil
		for i := range n {
			v := clone(one)
			v["version"], v["currentVersion"] = i+1, n
			m.tools[0] = append(m.tools[0], v)
		}
	}
}

// again answers the calls of one version as those of another.
func again(from, to string) func(stub) {
	return func(s stub) {
		s[post("/tools/"+weatherID+"/versions/"+to+":invoke", omaha)] = s[post("/tools/"+weatherID+"/versions/"+from+":invoke", omaha)]
	}
}

func nothing(stub) {}

// listing serves tools, one or none, that know no versions.
func listing(items ...any) func(stub) {
	return func(s stub) {
		clear(s)
		s[get("/tools")] = page(append([]any{}, items...), 50, nil)
	}
}

// toTheEdge makes names and descriptions as long as they may be.
func toTheEdge(m *a2tModel) {
	second(with("name", strings.Repeat("n", 254)))(m)
	second(with("description", strings.Repeat("é", 1999)))(m)
	enumOf(with("name", strings.Repeat("N", 255)))(m)
	enumOf(with("description", strings.Repeat("d", 2000)))(m)
}

var oddA2T = []oddity[a2tModel]{
	{name: "that is only read", fault: fault[a2tModel]{wire: nothing}, uninvoked: true},
	{name: "without tools", fault: fault[a2tModel]{wire: listing()}, uninvoked: true},
	{name: "with a tool that has nothing", fault: fault[a2tModel]{wire: listing(doc{"toolId": "nothing"})}, uninvoked: true},
	{name: "with a tool that has no id", fault: fault[a2tModel]{wire: listing(doc{"name": "nothing"})}, uninvoked: true},
	{name: "that does not list", fault: fault[a2tModel]{wire: replace(get("/tools"), answer{Status: 503, Body: doc{}})}},
	{name: "whose items are no list", fault: fault[a2tModel]{wire: replace(get("/tools"), answer{Status: 200, Body: doc{"items": doc{}}})}},
	{name: "with twelve versions", fault: fault[a2tModel]{model: many(12), wire: again("2", "12")}},
	{name: "with versions in quotes", fault: fault[a2tModel]{model: second(func(d doc) { d["version"], d["currentVersion"] = "1", "1" })}},
	{name: "with the longest texts", fault: fault[a2tModel]{model: toTheEdge}},
	{name: "with half of a text in other letters", fault: fault[a2tModel]{model: second(with("description", "abc где1"))}},
	{name: "with more than half in other letters", fault: fault[a2tModel]{model: second(with("description", "ab где1"))}},
	{name: "without a version", fault: fault[a2tModel]{wire: func(s stub) {
		for _, at := range []string{"/tools", "/tools?pageLimit=1"} {
			edit(get(at), firstOf("items", drop("version")))(s)
		}
	}}},
	{name: "whose tool has no input", fault: fault[a2tModel]{model: first(with("input_parameters", []any{}))}},
	{name: "with bounds of every kind", fault: fault[a2tModel]{model: func(m *a2tModel) {
		hours := object(array(m.tools[0][1]["input_parameters"])[1])
		hours["max"] = 4.5
		object(array(m.tools[0][1]["input_parameters"])[0])["max"] = "many"
	}}},
	{name: "with an enum as output", fault: fault[a2tModel]{model: second(with("output_parameters", []any{doc{"name": "done", "type": "enum", "description": "It is.",
		"allowed-values": []any{doc{"name": "yes", "description": "Yes."}, "NO"}}}))}},
	{name: "whose tool answers as another", fault: fault[a2tModel]{wire: edit(get("/tools/"+cancelID), with("toolId", roomsID))}},
	{name: "whose cursor leads in a circle", fault: fault[a2tModel]{wire: edit(get("/tools?pageCursor=c1&pageLimit=1"), with("paging", doc{"pageLimit": 1, "next": "c1"}))}},
	{name: "whose versions are paged", fault: fault[a2tModel]{wire: func(s stub) {
		versions := array(object(s[versionsOfWeather].Body)["items"])
		s[versionsOfWeather] = page(versions[:1], 1, "c 1")
		s[versionsOfWeather+"?pageCursor=c+1"] = page(versions[1:], 1, nil)
	}}},
	{name: "that asks for patience", fault: fault[a2tModel]{wire: func(s stub) { s[a2tCalled], s[a2tVersion2] = answer{Status: 500}, answer{Status: 503} }}},
	{name: "whose one version asks for patience", fault: fault[a2tModel]{wire: replace(a2tVersion2, answer{Status: 500})}},
	{name: "that refuses a version", fault: fault[a2tModel]{wire: replace(a2tVersion2, answer{Status: 499, Body: doc{"detail": "Not this one."}})}},
	{name: "that refuses at the edges", fault: fault[a2tModel]{wire: func(s stub) { s[a2tNoJSON], s[a2tNoCity] = answer{Status: 399}, answer{Status: 499} }}},
	{name: "that gives no value", fault: fault[a2tModel]{wire: replace(a2tCalled, answer{Status: 200, Body: doc{"output_parameters": []any{
		doc{"name": "temperature", "value": nil}, doc{"value": 1}, doc{"name": 2}}}})}},
}

func oddOTC(word string) []oddity[otcModel] {
	schema := otcForms[word].schema
	omaha := otcKey(schema, "Weather.LookUp@2.0.0", doc{"city": "Omaha"})
	failed := otcKey(schema, "Travel.Cancel@2.0.0", doc{"booking": "gone"})
	wire := func(change func(stub)) fault[otcModel] { return fault[otcModel]{wire: change} }
	tools := func(change func(doc)) fault[otcModel] { return fault[otcModel]{model: otcTools(change)} }
	inputs := func(change func(doc)) fault[otcModel] { return fault[otcModel]{model: otcSchema(change)} }
	result := func(key string, members doc) fault[otcModel] {
		return wire(replace(key, answer{Status: 200, Body: doc{"result": members}}))
	}
	return []oddity[otcModel]{
		{name: "that is only read", fault: wire(nothing), uninvoked: true},
		{name: "without tools", fault: fault[otcModel]{model: func(m *otcModel) { m.tools = []doc{} }}, uninvoked: true},
		{name: "that does not list", fault: wire(func(s stub) { clear(s) })},
		{name: "that is ill", fault: wire(replace(get("/health"), answer{Status: 503}))},
		{name: "whose ids are numbers", fault: tools(with("id", 7)), uninvoked: true},
		{name: "without a version", fault: fault[otcModel]{model: otcTools(drop("version")), wire: func(s stub) { delete(s, otcKey(schema, "Weather.LookUp@2", doc{"city": "Omaha"})) }}},
		{name: "without schemas", fault: tools(func(d doc) { delete(d, "input_schema"); delete(d, "output_schema") })},
		{name: "whose properties are no object", fault: inputs(with("properties", []any{}))},
		{name: "whose inputs state no type", fault: inputs(drop("type"))},
		{name: "that takes everything", fault: inputs(clearDoc)},
		{name: "where all tools take everything", fault: fault[otcModel]{model: func(m *otcModel) {
			for _, d := range m.tools {
				clear((&otcTool{m: d}).inputs(otcForms[m.word]))
			}
		}}},
		{name: "with properties that have the names of references", fault: tools(with("output_schema", doc{"properties": doc{
			"$ref": doc{}, "definitions": doc{"anyOf": []any{doc{"$defs": doc{}}, doc{"definitions": doc{"$ref": ""}}}}}}))},
		{name: "that asks for patience", fault: wire(func(s stub) {
			for key := range s {
				if strings.HasPrefix(key, "POST") {
					s[key] = answer{Status: 500, Body: doc{"message": "Later."}}
				}
			}
		})},
		{name: "that wants credentials", fault: wire(func(s stub) { s[omaha], s[failed] = answer{Status: 401}, answer{Status: 499} })},
		{name: "with a bare result", fault: result(omaha, doc{"success": true})},
		{name: "with a result of two kinds", fault: result(omaha, doc{"success": nil, "value": doc{"temperature": 1}, "error": doc{}})},
		{name: "that fails with a value", fault: result(failed, doc{"success": false, "value": 1, "error": doc{"message": 3, "retry_after_ms": 0.5}})},
		{name: "where nothing fails", fault: wire(func(s stub) {
			for _, id := range []string{"Travel.Cancel@2.0.0", "Travel.Cancel@2", "Travel.Cancel"} {
				s[otcKey(schema, id, doc{"booking": "gone"})] = otcResultOf(schema, doc{"success": true, "value": doc{"refund": 1}})
			}
		})},
	}
}

func clearDoc(d doc) { clear(d) }

var oddATDF = []oddity[atdfModel]{
	{name: "without tools", fault: fault[atdfModel]{model: func(m *atdfModel) { m.tools = []doc{} }}},
	{name: "with a hundred tools and one", fault: fault[atdfModel]{model: func(m *atdfModel) {
		for i := range mostTools - 1 {
			d := clone(m.tools[0])
			d["tool_id"] = fmt.Sprintf("tool %d", i)
			m.tools = append(m.tools, d)
		}
	}, wire: func(s stub) {
		for key, a := range s {
			if id, is := strings.CutPrefix(key, "GET /tools/tool "); is {
				s["GET /tools/tool%20"+id] = a
			}
		}
	}}},
	{name: "with elements that are no tools", fault: fault[atdfModel]{wire: replace(get("/tools"), answer{Status: 200, Body: doc{"tools": []any{"look_up", doc{}}}})}},
	{name: "without the schema's members", fault: fault[atdfModel]{model: basic(within("how_to_use", func(d doc) {
		d["more"] = true
		object(d["outputs"])["more"] = true
	}))}},
	{name: "that is ill", fault: fault[atdfModel]{wire: func(s stub) {
		s[get("/health")] = answer{Status: 503, Body: doc{"status": 1, "uptime_seconds": 0.5, "version": nil}}
	}}},
	{name: "that knows every tool", fault: fault[atdfModel]{wire: replace(atdfUnknownKey, answer{Status: 399, Body: doc{}})}},
	{name: "whose error says more", fault: fault[atdfModel]{wire: edit(atdfUnknownKey, func(d doc) {
		d["hint"] = "Look again."
		d["errors"] = append(array(d["errors"]), "no")
		object(array(d["errors"])[0])["parameter_name"], object(array(d["errors"])[0])["context"] = nil, nil
		d["meta"] = doc{}
	})}},
}

// TestSaid holds every word that the kit says of servers and programs: of good
// ones, of each fault, and of odd ones.
func TestSaid(t *testing.T) {
	said := saidOf(t, &a2tSuite, oddA2T) + saidOf(t, otcSuite("otc"), oddOTC("otc")) +
		saidOf(t, otcSuite("oxp"), oddOTC("oxp")) + saidOf(t, &atdfSuite, oddATDF)
	s := &story{rows: atipRows}
	program := func(name string, change func(*atipModel)) {
		m := goodATIP()
		change(m)
		s.tell(name, recordingOf(m))
	}
	program("atip, good", func(*atipModel) {})
	for i, f := range atipFaults {
		program(fmt.Sprintf("fault %d of %s", i, f.clause), f.model)
	}
	for _, o := range oddATIP {
		program("atip "+o.name, o.model)
	}
	golden.Text(t, "testdata/said.txt", said+s.String())
}

// manyDescribed gives a program commands and no feature.
func manyDescribed(n int) func(*atipModel) {
	return func(m *atipModel) {
		delete(object(m.doc["atip"]), "features")
		commands := object(m.doc["commands"])
		for i := range n {
			commands[fmt.Sprintf("command-%d", i)] = doc{"description": "Does it."}
		}
		m.runs["--agent --depth=1"] = func(r *atipRun) { r.Stdout = "[]" }
	}
}

var oddATIP = []oddity[atipModel]{
	{name: "that says nothing", fault: fault[atipModel]{model: ends("--agent", func(r *atipRun) { r.Stdout = " \n" })}},
	{name: "that is not described further", fault: fault[atipModel]{model: describe(func(d doc) {
		for _, name := range []string{"trust", "globalOptions", "patterns", "commands"} {
			delete(d, name)
		}
		d["atip"] = "0.3"
	})}},
	{name: "with 29 commands", fault: fault[atipModel]{model: manyDescribed(26)}},
	{name: "with 30 commands", fault: fault[atipModel]{model: manyDescribed(27)}},
	{name: "that says too much in parts", fault: fault[atipModel]{model: ends("--agent --commands=alerts", func(r *atipRun) {
		r.Stdout, r.Exit, r.Files = `{"commands":{"alarms":{}},"partial":1,"omitted":{"reason":1,"safetyAssumption":[]}}`, 4, []string{"a", "b/c"}
	})}},
	{name: "with the longest description", fault: fault[atipModel]{model: describe(with("description", strings.Repeat("é", 200)))}},
	{name: "with members of every kind", fault: fault[atipModel]{model: describe(func(d doc) {
		for _, name := range []string{"homepage", "commands", "globalOptions", "authentication", "effects", "patterns"} {
			d[name] = 1
		}
		d["_debug"], d["$schema"], d[""], d["trust"] = 1, 1, 1, doc{"verified": "yes"}
		d["atip"] = doc{"version": "0.6", "features": 1, "minAgentVersion": 1}
	})}},
	{name: "with odd commands", fault: fault[atipModel]{model: lookUp(func(d doc) {
		d["arguments"] = []any{doc{"name": 1, "required": 1, "variadic": 1, "type": "directory"}, "city"}
		d["options"] = []any{doc{"name": "o", "flags": []any{}, "type": "url", "description": "O.", "required": 1, "envVar": 1}}
		d["aliases"], d["deprecated"], d["examples"] = 1, 1, 1
	})}},
	{name: "with effects of every kind", fault: fault[atipModel]{model: lookUp(with("effects", doc{
		"network": 1, "subprocess": 1, "idempotent": 1, "reversible": 1, "destructive": 1,
		"filesystem": doc{"read": 1, "write": 1, "delete": 1}, "interactive": doc{"prompts": 1, "tty": 1, "stdin": "password"}, "cost": doc{"billable": 1},
	}))}},
	{name: "with effects of the root", fault: fault[atipModel]{model: describe(with("effects", doc{"filesystem": doc{"write": 1}, "cost": doc{"estimate": 1}}))}},
	{name: "with odd patterns", fault: fault[atipModel]{model: describe(with("patterns", []any{doc{"executable": 1, "steps": doc{}}, 1}))}},
}

// TestNotAsked: what cannot be asked has no report, and says why.
func TestNotAsked(t *testing.T) {
	refused := transport(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF })
	invoked := otcSuite("otc").invoke
	for _, c := range []struct {
		name, want string
		suite      suite[atdfModel]
		answers    http.RoundTripper
	}{
		{"a protocol of programs", `there is no protocol "atip" for servers`, suite[atdfModel]{protocol: "atip"}, refused},
		{"a word", `there is no protocol "" for servers`, suite[atdfModel]{}, refused},
		{"no server", "the server does not answer: unexpected EOF", suite[atdfModel]{protocol: "a2t"}, refused},
		{"a tool over A2T", `the server lists no tool "Weather.LookUp"`, suite[atdfModel]{protocol: "nact", invoke: invoked}, serveA2T(goodA2T())},
		{"a tool over ATDF", `the server lists no tool "Weather.LookUp that can be called: the profile has no route for it"`,
			suite[atdfModel]{protocol: "atdf", invoke: invoked}, serveATDF(goodATDF())},
	} {
		report, err := c.suite.run(t.Context(), c.answers)
		if report != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, %v", c.name, report, err)
		}
	}
}
