//! Parameters of the entry function: inputs that are there from the start.

mod support;

use bounded::Outcome;
use property::Property;

#[test]
fn a_parameter_has_one_value_whichever_branch_reads_it_first() {
    let text = "
        extern void __VERIFIER_assume(int);
        extern void reach_error(void);
        int entry(int *p, int n) {
            __VERIFIER_assume(*p >= 0 && *p < 3 && n >= 0 && n < 2);
            if ((n & -2) <= 10) n = *p;
            if (*p == 2) reach_error();
            return 0;
        }";
    let loaded = c_frontend::load_text("test.c", text, &c_frontend::Options::default());
    let program = loaded.expect("the text is C").program;
    let property = Property {
        entry: "entry".to_owned(),
        ..Property::default()
    };
    let woven = property::weave(program, &property).expect("the function is there");
    let outcome = support::search(&woven, 4, None);
    assert!(
        matches!(outcome, Outcome::Violation { .. }),
        "{}",
        support::describe(&woven, &outcome)
    );
}
