//! Formulas and automata as text.

use expect_test::{Expect, expect};
use temporal::{Decision, buchi, monitor, parse, read_hoa, write_hoa};

fn check(text: &str, expected: Expect) {
    let shown = match parse(text) {
        Ok(property) => {
            let printed = property.to_string();
            let again = parse(&printed).expect("what is printed can be read");
            assert_eq!(again.formula, property.formula);
            assert_eq!(again.atoms, property.atoms);
            printed
        }
        Err(error) => format!(
            "{}\n{}{}: {}",
            text,
            " ".repeat(error.at.start),
            "^".repeat(error.at.len().max(1)),
            error.message
        ),
    };
    expected.assert_eq(&shown);
}

#[test]
fn all_spellings_are_read() {
    check(
        r#"G("lock_held" -> F "!lock_held")"#,
        expect![[r#"G ("lock_held" -> F "!lock_held")"#]],
    );
    check(
        "[](AP(req == 1) ==> <>AP(f(ack) == 1))",
        expect![[r#"G ("req == 1" -> F "f(ack) == 1")"#]],
    );
    check("F end", expect!["F end"]);
    check("G ! call(reach_error())", expect!["G !call(reach_error)"]);
    check("call(a) || return( b ( ) )", expect!["call(a) || return(b)"]);
    check(
        "G(entry lock (l, _) -> F exit f( ... )  returns -1)",
        expect!["G (entry lock(l, _) -> F exit f( ... ) returns -1)"],
    );
    check("entry U exit", expect![[r#""entry" U "exit""#]]);
    check("GF a & FG b | !X c", expect![[r#"G F "a" && F G "b" || !X "c""#]]);
    check("GFa", expect![[r#""GFa""#]]);
    check("a U b W c R d V e", expect![[r#""a" U "b" W "c" R "d" R "e""#]]);
    check(
        "(a U b) U c -> d -> e",
        expect![[r#"("a" U "b") U "c" -> "d" -> "e""#]],
    );
    check(
        "a <==> (b <-> true) <=> 0",
        expect![[r#""a" <-> ("b" <-> true) <-> false"#]],
    );
    check(r#"G "s[0] == '\"'""#, expect![[r#"G "s[0] == '\"'""#]]);
    check(
        "(a && b) && (c && d) || e /\\ f \\/ g",
        expect![[r#""a" && "b" && ("c" && "d") || "e" && "f" || "g""#]],
    );
}

#[test]
fn mistakes_are_located() {
    check(
        "",
        expect![[r#"

        ^: there is no formula here"#]],
    );
    check(
        "G (a -> F b",
        expect![[r#"
        G (a -> F b
          ^: this parenthesis is never closed"#]],
    );
    check(
        "G a) ",
        expect![[r#"
        G a) 
           ^: this parenthesis closes nothing"#]],
    );
    check(
        "G ->",
        expect![[r#"
        G ->
          ^^: a formula is expected here"#]],
    );
    check(
        "a U",
        expect![[r#"
        a U
           ^: a formula is expected here"#]],
    );
    check(
        "a b",
        expect![[r#"
        a b
          ^: expected an operator or the end of the formula"#]],
    );
    check(
        "(a b)",
        expect![[r#"
        (a b)
           ^: expected an operator or `)`"#]],
    );
    check(
        "G \"x == 1",
        expect![[r#"
        G "x == 1
          ^^^^^^^: this quote is never closed"#]],
    );
    check(
        "G \" \"",
        expect![[r#"
        G " "
          ^^^: there is no expression here"#]],
    );
    check(
        "G AP(f(x)",
        expect![[r#"
        G AP(f(x)
            ^: this parenthesis is never closed"#]],
    );
    check(
        "call(x + 1)",
        expect![[r#"
        call(x + 1)
        ^^^^^^^^^^^: expected `call(f)`, where f is a function"#]],
    );
    check(
        "return",
        expect![[r#"
        return
        ^^^^^^: expected `return(…)`"#]],
    );
    check(
        "x == 1",
        expect![[r#"
        x == 1
          ^: `=` is no part of a formula"#]],
    );
    check(
        "G 17",
        expect![[r#"
        G 17
          ^^: a C expression is written in double quotes"#]],
    );
}

fn hoa(text: &str) -> String {
    let property = parse(text).expect("the formula is right");
    let atoms: Vec<String> = property.atoms.iter().map(|atom| atom.to_string()).collect();
    write_hoa(
        &buchi(&property.formula).expect("the formula is small"),
        text,
        &atoms,
    )
}

#[test]
fn automata_of_well_known_formulas_are_small() {
    expect![[r#"
        HOA: v1
        name: "!G(a -> F b)"
        States: 2
        Start: 0
        AP: 2 "\"a\"" "\"b\""
        acc-name: Buchi
        Acceptance: 1 Inf(0)
        properties: trans-labels explicit-labels state-acc
        --BODY--
        State: 0
          [t] 0
          [0 & !1] 1
        State: 1 {0}
          [!1] 1
        --END--
    "#]]
    .assert_eq(&hoa("!G(a -> F b)"));
    expect![[r#"
        HOA: v1
        name: "G F a"
        States: 2
        Start: 0
        AP: 1 "\"a\""
        acc-name: Buchi
        Acceptance: 1 Inf(0)
        properties: trans-labels explicit-labels state-acc
        --BODY--
        State: 0
          [t] 0
          [0] 1
        State: 1 {0}
          [t] 0
          [0] 1
        --END--
    "#]]
    .assert_eq(&hoa("G F a"));
    let states = |text: &str| {
        let property = parse(text).expect("the formula is right");
        buchi(&property.formula)
            .expect("the formula is small")
            .states
            .len()
    };
    let sizes: Vec<usize> = [
        "true",
        "false",
        "F a",
        "G a",
        "a U b",
        "F G a",
        "G F a && G F b",
        "G(a -> F b)",
        "(G F a) -> (G F b)",
        "a U (b U c)",
    ]
    .map(states)
    .to_vec();
    expect!["[1, 1, 2, 1, 2, 2, 3, 3, 5, 3]"].assert_eq(&format!("{sizes:?}"));
}

fn decision(decided: &Decision) -> String {
    match decided {
        Decision::Next(Some(next)) => next.to_string(),
        Decision::Next(None) => "bad".to_owned(),
        Decision::Ask { atom, holds, fails } => {
            format!(
                "p{} ? ({}) : ({})",
                atom.index(),
                decision(holds),
                decision(fails)
            )
        }
    }
}

/// A monitor, one state a line: `p0 ? 1 : bad`.
fn shown(text: &str) -> String {
    let property = parse(text).expect("the formula is right");
    match monitor(&property.formula) {
        Ok(monitor) => monitor
            .states
            .iter()
            .map(|state| decision(state) + "\n")
            .collect(),
        Err(why) => format!("{why:?}"),
    }
}

#[test]
fn safety_formulas_have_monitors() {
    expect![[r#"
        p0 ? (p1 ? (p2 ? (0) : (bad)) : (p2 ? (0) : (1))) : (0)
        p1 ? (p2 ? (0) : (bad)) : (p2 ? (0) : (1))
    "#]]
    .assert_eq(&shown("G(open -> !open2 W close)"));
    expect![[r#"
        p0 ? (0) : (bad)
    "#]]
    .assert_eq(&shown("G p"));
    expect![[r#"
        bad
    "#]]
    .assert_eq(&shown("false"));
    expect![[r#"
        p0 ? (0) : (bad)
    "#]]
    .assert_eq(&shown("G p || F q && false"));
    expect!["NotSafety"].assert_eq(&shown("G(a -> F b)"));
}

#[test]
fn automata_of_other_tools_are_read() {
    let text = "HOA: v1 tool: \"some\" \"1.0\" name: \"GFa & GFb\" States: 1 Start: 0 AP: 2 \"a\" \"b\"
        acc-name: generalized-Buchi 2 Acceptance: 2 Inf(0)&Inf(1) Alias: @x !(0 | 1)
        properties: trans-labels explicit-labels trans-acc /* a /* nested */ comment */
        --BODY-- State: 0 \"only\" [0&1] 0 {0 1} [@x] 0 [!0 & 1] 0 {1} [0&!1] 0 {0} --END--";
    let (automaton, atoms) = read_hoa(text).expect("it is well formed");
    expect![[r#"
        (
            Generalised {
                initial: 0,
                sets: 2,
                states: [
                    [
                        Edge {
                            label: Cube {
                                positive: 3,
                                negative: 0,
                            },
                            to: 0,
                            marks: 3,
                        },
                        Edge {
                            label: Cube {
                                positive: 0,
                                negative: 3,
                            },
                            to: 0,
                            marks: 0,
                        },
                        Edge {
                            label: Cube {
                                positive: 2,
                                negative: 1,
                            },
                            to: 0,
                            marks: 2,
                        },
                        Edge {
                            label: Cube {
                                positive: 1,
                                negative: 2,
                            },
                            to: 0,
                            marks: 1,
                        },
                    ],
                ],
            },
            [
                "a",
                "b",
            ],
        )
    "#]]
    .assert_debug_eq(&(automaton, atoms));
    let implicit =
        "HOA: v1 Start: 1 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 {0} 0 1 State: [t] 1 0 --END--";
    let (automaton, _) = read_hoa(implicit).expect("it is well formed");
    expect![[r#"
        Generalised {
            initial: 1,
            sets: 1,
            states: [
                [
                    Edge {
                        label: Cube {
                            positive: 0,
                            negative: 1,
                        },
                        to: 0,
                        marks: 1,
                    },
                    Edge {
                        label: Cube {
                            positive: 1,
                            negative: 0,
                        },
                        to: 1,
                        marks: 1,
                    },
                ],
                [
                    Edge {
                        label: Cube {
                            positive: 0,
                            negative: 0,
                        },
                        to: 0,
                        marks: 0,
                    },
                ],
            ],
        }
    "#]]
    .assert_debug_eq(&automaton);
}

#[test]
fn other_automata_are_refused_where_they_are_other() {
    let refused = |text: &str| {
        let error = read_hoa(text).expect_err("it is not read");
        format!("{} at `{}`\n", error.message, &text[error.at])
    };
    let shown: String = [
        "HOA: v2 --BODY-- --END--",
        "HOA: v1 Acceptance: 1 Fin(0) --BODY-- --END--",
        "HOA: v1 Acceptance: 2 Inf(0) --BODY-- --END--",
        "HOA: v1 --BODY-- --END--",
        "HOA: v1 Acceptance: 0 t Fairness: 1 --BODY-- --END--",
        "HOA: v1 Start: 0&1 Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 Acceptance: 1 Inf(0) --BODY-- State: 0 [3] 0 --END--",
        "HOA: v1 Acceptance: 1 Inf(0) AP: 1 \"a\" --BODY-- State: 0 {2} --END--",
        "HOA: v1 Acceptance: 1 Inf(0) AP: 1 \"a\" --BODY-- State: 0 0 --END--",
        "HOA: v1 Acceptance: 1 Inf(0) AP: 1 \"a\" --BODY-- State: 0 [0 0",
    ]
    .map(refused)
    .concat();
    expect![[r#"
        expected `HOA: v1` at `v2`
        only Büchi and generalised Büchi acceptance is read here at `1`
        only Büchi and generalised Büchi acceptance is read here at `2`
        there is no `Acceptance:` before the body at `--END--`
        `Fairness:` has no meaning here at `Fairness:`
        alternating automata are not read here at `&`
        there is no such atom at `3`
        there is no such acceptance set at `2`
        a state without labels has one edge for each letter at `--END--`
        expected `]` at `0`
    "#]]
    .assert_eq(&shown);
}
