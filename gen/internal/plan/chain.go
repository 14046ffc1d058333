package plan

import (
	"slices"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// chain plans the statements: region by region, then the outputs.
func (c *chainer) chain() *lower.Block {
	c.early()
	c.consents()
	for _, region := range c.t.Plan.Regions {
		if len(region) > 1 {
			c.parallel(region)
			continue
		}
		for _, s := range region[0].Steps {
			c.keep(s)
			c.step(s, "")
		}
	}
	for i, o := range c.t.Plan.Outputs {
		c.output(o, &c.out.Output.Fields[i])
	}
	block := c.b.Block()
	lower.Tidy(block)
	inlineChecks(block)
	dropUnread(block)
	direct(block)
	lower.Meter(block, apart, c.short()...)
	return block
}

// short are the variables of inputs and constants, whose lengths no answer decides.
func (c *chainer) short() []string {
	var out []string
	for _, l := range c.locals {
		out = append(out, l.Name)
	}
	for _, k := range c.p.Constants {
		out = append(out, k.Name)
	}
	return out
}

// apart reports whether the blocks of a node are functions of their own: those of
// a call decide what its failure becomes, the others run beside each other.
func apart(d lower.Foreign) bool {
	switch d.(type) {
	case *Call, *Parallel, *Each, *Rounds:
		return true
	}
	return false
}

// consents asks for what users have to agree to before anything is sent. Of a step
// that may not run, or is the first one, its call asks.
func (c *chainer) consents() {
	first := c.first()
	asked := map[string]bool{}
	for _, s := range c.t.Plan.Steps {
		if s == first || s.When != nil || s.Each != nil {
			continue
		}
		ask := &Consent{Upstream: c.upstream(s.API), Step: s.ID}
		for _, scheme := range c.fromUsers(s) {
			if key := s.API + " " + scheme; !asked[key] {
				asked[key] = true
				ask.Schemes = append(ask.Schemes, scheme)
			}
		}
		if ask.Schemes != nil {
			c.b.Emit(lower.Node{Data: ask})
		}
	}
}

// first is the step that runs before all others, nil where several begin at once.
func (c *chainer) first() *ir.Step {
	if regions := c.t.Plan.Regions; len(regions) > 0 && len(regions[0]) == 1 {
		return regions[0][0].Steps[0]
	}
	return nil
}

// fromUsers are the schemes of a step for which each user has to agree.
func (c *chainer) fromUsers(s *ir.Step) []string {
	var out []string
	for _, api := range c.program.APIs {
		for _, cred := range api.Credentials {
			if api.Name == s.API && cred.FromUser() && slices.Contains(s.Schemes, cred.Scheme.Name) {
				out = append(out, cred.Scheme.Name)
			}
		}
	}
	return out
}

// keep declares the variable for status and header of a step's answer where an
// expression reads them.
func (c *chainer) keep(s *ir.Step) {
	if !s.HTTP {
		return
	}
	name := c.topName(s.ID + "HTTP")
	c.kept[s] = name
	c.b.Emit(lower.Define{Name: name, V: lower.Call{Fn: lower.Func{Name: "new"}, Args: []lower.Value{lower.Global{Pkg: upstreamPkg, Name: "Answer"}}}})
}

// step plans a step. Its answer goes to the variable into of an outer block,
// or, where into is "", to one of its own.
func (c *chainer) step(s *ir.Step, into string) {
	if s.When == nil {
		c.run(s, into)
		c.expects(s, afterCall)
		return
	}
	about := c.b.About(s.ID)
	ok := c.lower(s.When, "ok")
	c.b.About(about)
	before, after := c.sharedLets(s)
	c.letsOf(before)
	if into == "" {
		into = c.answerVar(s)
	}
	if always, known := ok.V.(lower.Const); known { // a constant that a flow was given
		if always.V == true {
			c.run(s, into)
		}
		c.bind(s, into)
		if always.V == true {
			c.expects(s, afterCall)
		}
		return
	}
	block := c.b.Under(s.When.Term, func() {
		c.run(s, into)
		if after == nil {
			c.expects(s, afterCall)
		}
	})
	c.b.Emit(lower.If{Cond: ok.V, Then: block})
	c.bind(s, into)
	if after != nil {
		c.letsOf(after)
		checks := c.b.Under(s.When.Term, func() { c.expects(s, afterCall) })
		c.b.Emit(lower.If{Cond: ok.V, Then: checks})
	}
}

// sharedLets are the lets that a conditional step reads and that are needed after
// it whether it ran or not: these are evaluated once, before the step, or between
// it and its checks where they read its answer.
func (c *chainer) sharedLets(s *ir.Step) (before, after []*expr.Decl) {
	read, next := map[*expr.Decl]bool{}, map[*expr.Decl]bool{}
	for _, e := range s.Exprs() {
		if e != s.When {
			c.closure(e.Term, read, (*expr.Term).Refs)
		}
	}
	for _, e := range c.nextExprs(s) {
		c.closure(e.Term, next, func(t *expr.Term) []*expr.Decl { return needed(t, false) })
	}
	answer := map[*ir.Step]bool{s: true}
	for _, l := range c.t.Plan.Lets {
		switch {
		case !read[l.Decl] || !next[l.Decl]:
		case c.readsAny(l.Expr.Term, answer):
			after = append(after, l.Decl)
		default:
			before = append(before, l.Decl)
		}
	}
	return before, after
}

// closure adds the lets among what a term reads, and among what these read.
func (c *chainer) closure(t *expr.Term, into map[*expr.Decl]bool, reads func(*expr.Term) []*expr.Decl) {
	for _, d := range reads(t) {
		if l := c.lets[d]; l != nil && !into[d] {
			into[d] = true
			c.closure(l.Expr.Term, into, reads)
		}
	}
}

// nextExprs are the expressions that are evaluated in every case after a step and
// before the next call: what fails in them fails before anything else is sent.
func (c *chainer) nextExprs(s *ir.Step) []*ir.Expr {
	var steps []*ir.Step // in the order in which they run
	for _, region := range c.t.Plan.Regions {
		for _, branch := range region {
			if len(region) > 1 && slices.Contains(branch.Steps, s) {
				return nil // what comes next is not known
			}
			steps = append(steps, branch.Steps...)
		}
	}
	if at := slices.Index(steps, s); at+1 < len(steps) {
		next := steps[at+1]
		switch {
		case next.When != nil:
			return []*ir.Expr{next.When}
		case next.Each != nil:
			return []*ir.Expr{next.Each.Over}
		case next.Collect != nil:
			return nil
		}
		return next.Sent()
	}
	var out []*ir.Expr
	for _, o := range c.t.Plan.Outputs {
		if !o.Optional {
			out = append(out, o.Expr)
		}
	}
	return out
}

// answerVar declares the variable for the answer of a step that is set in an
// inner block.
func (c *chainer) answerVar(s *ir.Step) string {
	if s.Result == nil {
		return ""
	}
	name, typ := c.b.Names.Unique(naming.Local(s.ID)), s.Result
	switch {
	case s.Each != nil && s.Each.Pair != nil:
		typ = types.ListOf(s.Each.Pair)
	case s.Each != nil:
		typ = types.ListOf(typ)
	case s.Collect != nil:
		typ = pageItems(s)
	}
	c.b.Emit(lower.Var{Name: name, Type: typ, Opt: s.MayBeMissing()})
	return name
}

func (c *chainer) bind(s *ir.Step, name string) {
	if name != "" {
		c.b.Bind(s.Decl, lower.Operand{V: lower.Local{Name: name}, Step: s.ID, Path: c.itemPaths[s]})
	}
}

// run plans the calls of a step, after the checks that read no answer of it.
func (c *chainer) run(s *ir.Step, into string) {
	c.expects(s, beforeCall)
	result := ""
	switch {
	case s.Result == nil:
	case into == "":
		result = c.b.Names.Unique(naming.Local(s.ID))
	default:
		result = c.b.Names.Unique("answer")
	}
	switch {
	case s.Each != nil:
		c.each(s, result)
	case s.Collect != nil:
		c.collect(s, result)
	case s.Poll != nil:
		c.poll(s, result)
	default:
		c.b.Emit(c.call(s, result))
	}
	if into != "" && result != "" {
		c.b.Emit(lower.Assign{Name: into, V: lower.Local{Name: result}})
	}
	c.bind(s, result)
}

// each plans a call for every element of a list. The lets that the calls need
// are evaluated before.
func (c *chainer) each(s *ir.Step, result string) {
	over := c.lower(s.Each.Over, "items")
	for _, sent := range s.Sent() {
		c.hoistAll(sent)
	}
	e := &Each{Result: result, Step: s.ID, Over: over.V, Max: s.Each.Max, InTurn: s.Effect != ir.Read}
	e.ItemType = c.p.types.goType(s.Each.Item.Type, false)
	block := c.b.Nested(func() {
		e.Item, e.Index = c.b.Names.Unique("item"), c.b.Names.Unique("index")
		c.b.Bind(s.Each.Item, lower.Operand{V: lower.Local{Name: e.Item}, Step: over.Step, Path: over.Path + "[]"})
		c.b.Bind(s.Each.Index, lower.Operand{V: lower.Local{Name: e.Index}})
		answer := ""
		if s.Result != nil {
			answer = c.b.Names.Unique("answer")
		}
		n := c.call(s, answer)
		c.b.Emit(n)
		e.Type = n.Data.(*Call).Type
		end := &Return{}
		if answer != "" {
			end.Value = lower.Local{Name: answer}
			if s.Each.Pair != nil {
				end.Value = lower.Record{Type: s.Each.Pair, Values: []lower.Value{lower.Local{Name: e.Item}, end.Value}}
				e.Type = c.p.types.goType(s.Each.Pair, false)
			}
		}
		c.b.Emit(lower.Node{Data: end, Uses: []lower.Value{end.Value}})
	})
	read := lower.Reads(block)
	for _, name := range []*string{&e.Item, &e.Index} {
		if !read[*name] {
			*name = "_"
		}
	}
	c.b.Emit(lower.Node{Data: e, Uses: []lower.Value{over.V}, Blocks: []*lower.Block{block}})
}

// hoistAll lowers every let that e reads.
func (c *chainer) hoistAll(e *ir.Expr) {
	if e != nil {
		c.letsOf(needed(e.Term, true))
	}
}

// parallel plans the branches of a region side by side. Lets that need none of
// their answers are evaluated before; others where they are needed, in more
// than one branch if need be, since a branch cannot see what another computes.
func (c *chainer) parallel(region []*ir.Branch) {
	inside := map[*ir.Step]bool{}
	into := map[*ir.Step]string{}
	for _, branch := range region {
		for _, s := range branch.Steps {
			inside[s] = true
		}
	}
	for _, branch := range region {
		for _, s := range branch.Steps {
			c.hoistBefore(s, inside)
			c.keep(s)
			if c.readOutside(s, branch) {
				into[s] = c.answerVar(s)
			}
		}
	}
	p := &Parallel{Group: c.b.Names.Unique("group")}
	node := lower.Node{Data: p}
	tasks := map[*ir.Branch]string{}
	for _, branch := range region {
		out := Branch{}
		for _, earlier := range branch.After {
			out.After = append(out.After, tasks[earlier])
		}
		waited := func(b *ir.Branch) bool { return slices.Contains(b.After, branch) }
		if slices.ContainsFunc(region, waited) {
			out.Task = c.b.Names.Unique(naming.Local(branch.Steps[0].ID) + "Done")
			tasks[branch] = out.Task
		}
		p.Branches = append(p.Branches, out)
		node.Blocks = append(node.Blocks, c.b.Nested(func() {
			for _, s := range branch.Steps {
				c.step(s, into[s])
			}
		}))
		for _, s := range branch.Steps {
			c.bind(s, into[s])
		}
	}
	c.b.Emit(node)
	for _, s := range c.t.Plan.Steps {
		if inside[s] {
			c.expects(s, atJoin)
		}
	}
}

// hoistBefore lowers the lets that a step needs in any case and that read no
// step of its region.
func (c *chainer) hoistBefore(s *ir.Step, inside map[*ir.Step]bool) {
	hoist := func(e *ir.Expr) {
		for _, d := range needed(e.Term, false) {
			if l := c.lets[d]; l != nil && !c.readsAny(l.Expr.Term, inside) {
				c.b.Ref(d)
			}
		}
	}
	if s.When != nil {
		hoist(s.When)
		return
	}
	for _, e := range s.Sent() {
		hoist(e)
	}
}

// readsAny reports whether a term reads the answer of one of the steps, through
// lets too.
func (c *chainer) readsAny(t *expr.Term, steps map[*ir.Step]bool) bool {
	return slices.ContainsFunc(t.Refs(), func(d *expr.Decl) bool {
		if s, ok := d.Value.(*ir.Step); ok && steps[s] {
			return true
		}
		l := c.lets[d]
		return l != nil && c.readsAny(l.Expr.Term, steps)
	})
}

// readOutside reports whether the answer of s is read outside its branch.
func (c *chainer) readOutside(s *ir.Step, own *ir.Branch) bool {
	only := map[*ir.Step]bool{s: true}
	read := false
	see := func(e *ir.Expr) { read = read || c.readsAny(e.Term, only) }
	for _, o := range c.t.Plan.Outputs {
		see(o.Expr)
	}
	for _, other := range c.t.Plan.Steps {
		if !slices.Contains(own.Steps, other) {
			for _, e := range other.Exprs() {
				see(e)
			}
		}
	}
	for _, x := range s.Expect {
		read = read || c.momentOf(x, s) == atJoin
	}
	return read
}

// direct makes what is computed for one output set the output.
func direct(block *lower.Block) {
	for i := 0; i < len(block.Stmts); i++ {
		node, _ := block.Stmts[i].(lower.Node)
		emit, isEmit := node.Data.(*Emit)
		if !isEmit || len(node.Blocks) > 0 || emit.Enum != nil || emit.Max > 0 {
			continue
		}
		from, isLocal := emit.Value.(lower.Local)
		if !isLocal {
			continue
		}
		if stmts, ok := lower.Into(block.Stmts[:i], from.Name, "out."+emit.Field, block.Stmts[i+1:]...); ok {
			block.Stmts = append(stmts, block.Stmts[i+1:]...)
			i = len(stmts) - 1
		}
	}
}

// inlineChecks writes a condition that only its check reads into that check.
func inlineChecks(block *lower.Block) {
	for i := 0; i < len(block.Stmts); i++ {
		for _, inner := range lower.Blocks(block.Stmts[i]) {
			inlineChecks(inner)
		}
		node, _ := block.Stmts[i].(lower.Node)
		check, isExpect := node.Data.(*Expect)
		if !isExpect || i == 0 {
			continue
		}
		cond, isDefine := block.Stmts[i-1].(lower.Define)
		if !isDefine || check.Cond != (lower.Value)(lower.Local{Name: cond.Name}) {
			continue
		}
		after := &lower.Block{Stmts: append([]lower.Stmt{lower.Node{Blocks: node.Blocks, Uses: check.Failure.uses()}}, block.Stmts[i+1:]...)}
		if lower.Reads(after)[cond.Name] {
			continue
		}
		check.Cond = cond.V
		node.Uses = check.Failure.uses(check.Cond)
		block.Stmts[i] = node
		block.Stmts = slices.Delete(block.Stmts, i-1, i)
		i--
	}
}

// dropUnread clears the answers that nothing after their call reads.
func dropUnread(block *lower.Block) {
	for i, st := range block.Stmts {
		for _, inner := range lower.Blocks(st) {
			dropUnread(inner)
		}
		node, ok := st.(lower.Node)
		if !ok {
			continue
		}
		read := lower.Reads(&lower.Block{Stmts: block.Stmts[i+1:]})
		switch d := node.Data.(type) {
		case *Call:
			if !read[d.Result] {
				d.Result = ""
			}
		case *Each:
			if !read[d.Result] {
				d.Result = ""
			}
		case *Rounds:
			if !read[d.Result] {
				d.Result = ""
			}
		}
	}
}
