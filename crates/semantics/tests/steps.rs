//! The steps that an edge can be taken by, and what stays the same between two uses of one.

use std::rc::Rc;

use points_to::PointsTo;
use program::{EdgeId, EdgeKind, Program};
use semantics::{AliasMemory, Effect, Semantics, SingleMemory, Step};

fn load(text: &str) -> Program {
    c_frontend::load_text("steps.c", text, &c_frontend::Options::default())
        .expect("the program is right")
        .program
}

fn edges_of(program: &Program, function: &str) -> Vec<EdgeId> {
    let function = program.function_named(function).expect("the function exists");
    let body = program.functions[function].body.as_ref().expect("it has a body");
    let locs = body.locs.iter();
    locs.flat_map(|&loc| program.locs[loc].outgoing.iter().copied())
        .collect()
}

fn calls_of(program: &Program, function: &str) -> Vec<EdgeId> {
    let mut edges = edges_of(program, function);
    edges.retain(|&edge| matches!(program.edges[edge].kind, EdgeKind::Call { .. }));
    edges
}

fn describe(program: &Program, step: Step) -> String {
    let name = |function| program.functions[function].name.as_str();
    match step {
        Step::Edge(_) => "edge".to_owned(),
        Step::Enter { callee, .. } => format!("enter {}", name(callee)),
        Step::Leave { callee, .. } => format!("leave {}", name(callee)),
        Step::Outside { callee, .. } => format!("outside {}", name(callee)),
        Step::Elsewhere(_) => "elsewhere".to_owned(),
    }
}

#[test]
fn every_call_has_the_ways_of_what_it_may_lead_to() {
    let program = load(
        "extern int out(int);
         int in(int x) { return x; }
         int main(int c, char **v) {
           int (*p)(int) = c ? in : out;
           return in(1) + out(2) + p(3);
         }",
    );
    let main = program.function_named("main").expect("there is a main function");
    let points_to = PointsTo::new(&program, &[main]);
    let memory = AliasMemory::new(&program, &points_to);
    let semantics = Semantics::new(&program, &memory);
    let ways: Vec<Vec<String>> = calls_of(&program, "main")
        .into_iter()
        .map(|edge| {
            let ways = semantics.ways(edge).into_iter();
            ways.map(|way| describe(&program, way)).collect()
        })
        .collect();
    assert_eq!(
        ways,
        [
            vec!["enter in"],
            vec!["edge"],
            vec!["enter in", "outside out", "elsewhere"],
        ]
    );
}

#[test]
fn unknowns_are_a_steps_own_where_it_is_asked_for_anew() {
    let program = load(
        "extern int __VERIFIER_nondet_int(void);
         int f(int x) { x = x + 1; x = __VERIFIER_nondet_int(); return x; }",
    );
    let memory = SingleMemory::new(&program);
    let mut semantics = Semantics::new(&program, &memory);
    let edges = edges_of(&program, "f");
    for edge in edges {
        let step = Step::Edge(edge);
        let [one, other] = [(); 2].map(|()| semantics.effect(step).expect("the step is supported"));
        assert!(Rc::ptr_eq(&one, &other), "it is worked out once");
        let [third, fourth] = [(); 2].map(|()| semantics.effect_anew(step).expect("the step is supported"));
        if one.fresh.is_empty() {
            assert!(Rc::ptr_eq(&one, &third) && Rc::ptr_eq(&one, &fourth));
        } else {
            assert_ne!(one.fresh, third.fresh);
            assert_ne!(third.fresh, fourth.fresh);
        }
        let again = semantics.effect(step).expect("the step is supported");
        assert!(Rc::ptr_eq(&one, &again), "to ask for it anew changes nothing");
    }
}

#[test]
fn what_is_assumed_of_an_edge_is_in_the_effects_of_all_its_steps() {
    let program = load(
        "int g(int y) { return y; }
         int f(int a, int b, int (*p)(int)) { return g(a / b) + p(a / b); }
         int main(void) { return f(1, 2, g); }",
    );
    let main = program.function_named("main").expect("there is a main function");
    let points_to = PointsTo::new(&program, &[main]);
    let memory = AliasMemory::new(&program, &points_to);
    let mut semantics = Semantics::new(&program, &memory);
    for edge in calls_of(&program, "f") {
        let ways = semantics.ways(edge);
        let effects = |semantics: &mut Semantics<'_>| -> Vec<Rc<Effect>> {
            let effects = ways.iter().map(|&way| semantics.effect(way));
            effects
                .map(|effect| effect.expect("the step is supported"))
                .collect()
        };
        let before = effects(&mut semantics);
        assert!(semantics.assume_defined(edge), "it is new");
        assert!(!semantics.assume_defined(edge), "it is known by now");
        let after = effects(&mut semantics);
        for (before, after) in before.into_iter().zip(after) {
            let strict = Effect::clone(&before).where_defined(&mut semantics.terms);
            assert_eq!(strict, *after);
        }
    }
}
