//! What formulas of caller and callee say at a call.

use std::collections::BTreeSet;

use logic::Term;
use program::{EdgeKind, ExprId, FuncId, Program};
use semantics::{Call, Role, Semantics, SingleMemory, Storage};

/// `f` calls itself; what it returns is a formula of its own, and so is what `main` returns.
const TEXT: &str = "
    int g;
    int f(int n, int m) {
        int r;
        m = m + 1;
        g = g + n;
        if (n > 0) r = f(n - g, m);
        return n - m < r - g;
    }
    int main(int a) { int b; b = f(a, 7); return a - b < g; }";

struct Fixture<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    main: FuncId,
    f: FuncId,
}

fn with_program(check: impl FnOnce(Fixture<'_, '_>)) {
    let program = c_frontend::load_text("calls.c", TEXT, &c_frontend::Options::default())
        .expect("the program is right")
        .program;
    let memory = SingleMemory::new(&program);
    let mut semantics = Semantics::new(&program, &memory);
    let [main, f] = ["main", "f"].map(|name| program.function_named(name).expect("it exists"));
    check(Fixture {
        semantics: &mut semantics,
        main,
        f,
    });
}

impl Fixture<'_, '_> {
    fn call_in(&mut self, function: FuncId) -> Call {
        let program = self.semantics.program;
        let body = program.functions[function].body.as_ref().expect("it has a body");
        let mut edges = body.locs.iter().flat_map(|&loc| &program.locs[loc].outgoing);
        let call = edges.find(|&&edge| matches!(program.edges[edge].kind, EdgeKind::Call { .. }));
        Call::new(self.semantics, *call.expect("it calls"), self.f).expect("the call is supported")
    }

    /// What a function returns, as a formula over its storage.
    fn formula(&mut self, function: FuncId) -> Term {
        let value = returned(self.semantics.program, function);
        self.semantics.truth(value).expect("the formula is supported")
    }

    fn changed(&mut self) -> BTreeSet<logic::Symbol> {
        let g = self
            .semantics
            .program
            .vars
            .iter()
            .find(|(_, var)| var.name == "g");
        let (g, _) = g.expect("there is a global variable");
        BTreeSet::from([self.semantics.symbol(Storage::Variable(g, 0))])
    }

    fn shown(&self, term: Term) -> String {
        self.semantics.terms.to_c(term)
    }
}

fn returned(program: &Program, function: FuncId) -> ExprId {
    let body = program.functions[function].body.as_ref().expect("it has a body");
    let mut edges = body.locs.iter().flat_map(|&loc| &program.locs[loc].outgoing);
    let value = edges.find_map(|&edge| match program.edges[edge].kind {
        EdgeKind::Return { value } => value,
        _ => None,
    });
    value.expect("it returns a value")
}

#[test]
fn the_callees_formula_at_its_entry() {
    with_program(|mut it| {
        let (main, f) = (it.main, it.f);
        let formula = it.formula(f);
        let from_main = it.call_in(main).at_entry(it.semantics, formula);
        assert_eq!(it.shown(from_main), "main::a - 7 < f::r@inside - g");
        let from_itself = it.call_in(f).at_entry(it.semantics, formula);
        assert_eq!(it.shown(from_itself), "f::n - g - f::m < f::r@inside - g");
    });
}

#[test]
fn the_callees_formula_at_its_exit() {
    with_program(|mut it| {
        let (main, f) = (it.main, it.f);
        let (formula, changed) = (it.formula(f), it.changed());
        let from_main = it.call_in(main).at_exit(it.semantics, &changed, formula);
        assert_eq!(it.shown(from_main), "main::a - f::m@inside < f::r@inside - g");
        let from_itself = it.call_in(f).at_exit(it.semantics, &changed, formula);
        assert_eq!(
            it.shown(from_itself),
            "f::n - f::m@inside - g@before < f::r@inside - g"
        );
    });
}

#[test]
fn the_callers_formulas() {
    with_program(|mut it| {
        let main = it.main;
        let (formula, changed) = (it.formula(main), it.changed());
        let call = it.call_in(main);
        let before = call.before(it.semantics, &changed, formula);
        assert_eq!(it.shown(before), "main::a - main::b < g@before");
        let after = call.after(it.semantics, formula);
        assert_eq!(it.shown(after), "main::a - f::return < g");
    });
}

#[test]
fn an_earlier_result_is_not_that_of_the_call() {
    with_program(|mut it| {
        let f = it.f;
        let changed = it.changed();
        let result = it.semantics.current(Storage::Result(f, 0));
        let zero = it.semantics.terms.word(32, 0);
        let formula = it.semantics.terms.eq(result, zero);
        let call = it.call_in(f);
        let shown = [
            call.before(it.semantics, &changed, formula),
            call.after(it.semantics, formula),
            call.at_exit(it.semantics, &changed, formula),
            call.at_entry(it.semantics, formula),
        ]
        .map(|term| it.shown(term));
        assert_eq!(
            shown,
            [
                "f::return@before == 0",
                "f::return@before == 0",
                "f::return == 0",
                "f::return@inside == 0",
            ]
        );
    });
}

#[test]
fn values_at_entry_are_those_that_the_caller_gave() {
    with_program(|mut it| {
        let (main, f) = (it.main, it.f);
        let changed = it.changed();
        let m = it.semantics.program.functions[f].params[1];
        let m = it.semantics.symbol(Storage::Variable(m, 0));
        let g = *changed.first().expect("there is one");
        let [m, g] = [m, g].map(|symbol| it.semantics.current(Storage::AtEntry(f, symbol)));
        let formula = it.semantics.terms.slt(m, g);
        let call = it.call_in(main);
        let entry = call.at_entry(it.semantics, formula);
        assert_eq!(it.shown(entry), "g >= 8");
        let exit = call.at_exit(it.semantics, &changed, formula);
        assert_eq!(it.shown(exit), "g@before >= 8");
        // The caller's own are another function's, or another activation's.
        let before = call.before(it.semantics, &changed, formula);
        assert_eq!(before, formula);
    });
}

#[test]
fn only_what_outlives_the_callee_is_returned() {
    with_program(|mut it| {
        let f = it.f;
        let params = it.semantics.program.functions[f].params.clone();
        let [n, m] = [0, 1].map(|at| it.semantics.symbol(Storage::Variable(params[at], 0)));
        let g = *it.changed().first().expect("there is one");
        let result = it.semantics.symbol(Storage::Result(f, 0));
        assert_eq!(it.semantics.role(f, n), Role::Own(params[0]));
        assert_eq!(it.semantics.role(it.main, n), Role::Foreign);
        assert_eq!(it.semantics.role(f, g), Role::Outer);
        assert_eq!(it.semantics.role(f, result), Role::Result);
        let is_returned = [n, m, g, result].map(|symbol| {
            let term = it.semantics.terms.symbol_term(symbol);
            it.semantics.is_returned(f, term)
        });
        assert_eq!(is_returned, [true, false, true, true], "only `m` is assigned");
    });
}
