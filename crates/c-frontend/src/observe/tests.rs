use expect_test::{Expect, expect};

use super::places::{Text, put_in};
use super::{Observation, Point, is_plain_expression};

fn check(text: &str, at: &[(u32, Option<u32>, Point)], expected: Expect) {
    let observations: Vec<Observation> = at
        .iter()
        .map(|&(line, column, point)| Observation {
            file: 0,
            line,
            column,
            point,
            function: None,
            code: "C;".to_owned(),
        })
        .collect();
    let result = put_in(&Text::new(text.into()), observations.iter().enumerate(), 0);
    let result = match result {
        Ok((text, inserted)) => {
            let text = String::from_utf8(text).expect("it was text");
            let lines: Vec<&str> = text.lines().collect();
            let told = inserted.iter().map(|part| {
                let columns = part.columns.start as usize - 1..part.columns.end as usize - 1;
                format!("{}: {}\n", part.line, &lines[part.line as usize - 1][columns])
            });
            let told: String = told.collect();
            format!("{text}{told}")
        }
        Err((number, why)) => format!("{number}: {why}"),
    };
    expected.assert_eq(&result);
}

#[test]
fn code_stands_before_statements_and_declarations() {
    check(
        "void f(int a) {\n  int x = 1;\n  if (a) x = 2; else x = 3;\n  T *p;\nl: x++;\n}\n",
        &[
            (2, Some(3), Point::Statement),
            (3, Some(3), Point::Statement),
            (3, Some(10), Point::Statement),
            (3, Some(22), Point::Statement),
            (4, None, Point::Statement),
            (5, Some(1), Point::Statement),
        ],
        expect![[r#"
            void f(int a) {
              { C; } int x = 1;
              if (({ C; 0; })) ; else if (a) if (({ C; 0; })) ; else x = 2; else if (({ C; 0; })) ; else x = 3;
              { C; } T *p;
            l: if (({ C; 0; })) ; else x++;
            }
            2: { C; } 
            3: if (({ C; 0; })) ; else 
            3: if (({ C; 0; })) ; else 
            3: if (({ C; 0; })) ; else 
            4: { C; } 
            5: if (({ C; 0; })) ; else 
        "#]],
    );
}

#[test]
fn code_stands_at_the_heads_of_loops() {
    check(
        "while (a /* ) */ < ')') b();\nfor (;;) c();\nfor (int i = f(1, 2); i < 3; i++) c();\ndo { d(); } while (e);\n",
        &[
            (1, Some(1), Point::LoopHead),
            (2, None, Point::LoopHead),
            (3, Some(1), Point::LoopHead),
            (4, Some(1), Point::LoopHead),
        ],
        expect![[r#"
            while (({ C; 1; }) && (a /* ) */ < ')')) b();
            for (;({ C; 1; });) c();
            for (int i = f(1, 2);({ C; 1; }) && ( i < 3); i++) c();
            do { { C; }  d(); } while (e);
            1: ({ C; 1; }) && (
            1: )
            2: ({ C; 1; })
            3: ({ C; 1; }) && (
            3: )
            4:  { C; } 
        "#]],
    );
}

#[test]
fn code_sees_conditions_and_what_calls_return() {
    check(
        "if (a == f(1)) g(2,\n  h(3));\ndo { d(); } while (e);\n",
        &[
            (1, Some(1), Point::Condition),
            (1, Some(13), Point::Returned),
            (2, Some(7), Point::Done),
            (3, Some(1), Point::Condition),
        ],
        expect![[r#"
            if (({ int counterpoint_value = !!(a == ({ __typeof__(f ( 1 )) counterpoint_value = f(1); C; counterpoint_value; })); C; counterpoint_value; })) ({ g(2,
              h(3)); C; });
            do { d(); } while (({ int counterpoint_value = !!(e); C; counterpoint_value; }));
            1: ({ int counterpoint_value = !!(
            1: ({ __typeof__(f ( 1 )) counterpoint_value = 
            1: ; C; counterpoint_value; })
            1: ); C; counterpoint_value; })
            1: ({ 
            2: ; C; })
            3: ({ int counterpoint_value = !!(
            3: ); C; counterpoint_value; })
        "#]],
    );
}

#[test]
fn code_sees_choices_and_entries() {
    check(
        "x = b ? f(c) > 1 ? 1 : 2 : 3;\nswitch (f(x)) { case 1: switch (y) { case 3: ; } case 'a': ; }\nif (a) b ? f() : g();\n",
        &[
            (1, None, Point::Choice),
            (1, Some(18), Point::Choice),
            (1, Some(12), Point::Entered),
            (1, Some(12), Point::Returned),
            (2, None, Point::Switch),
            (3, Some(10), Point::Choice),
        ],
        expect![[r#"
            x = ({ int counterpoint_value = !!(b); C; counterpoint_value; }) ? ({ int counterpoint_value = !!(({ C; ({ __typeof__(f ( c )) counterpoint_value = f(c); C; counterpoint_value; }); }) > 1); C; counterpoint_value; }) ? 1 : 2 : 3;
            switch (({ __typeof__(+(f ( x ))) counterpoint_value = (f(x)); int counterpoint_default = !(counterpoint_value == (__typeof__(+(f ( x ))))(1) || counterpoint_value == (__typeof__(+(f ( x ))))('a')); C; counterpoint_value; })) { case 1: switch (y) { case 3: ; } case 'a': ; }
            if (a) ({ int counterpoint_value = !!(b); C; counterpoint_value; }) ? f() : g();
            1: ({ int counterpoint_value = !!(
            1: ); C; counterpoint_value; })
            1: ({ int counterpoint_value = !!(
            1: ({ C; 
            1: ({ __typeof__(f ( c )) counterpoint_value = 
            1: ; C; counterpoint_value; })
            1: ; })
            1: ); C; counterpoint_value; })
            2: ({ __typeof__(+(f ( x ))) counterpoint_value = (
            2: ); int counterpoint_default = !(counterpoint_value == (__typeof__(+(f ( x ))))(1) || counterpoint_value == (__typeof__(+(f ( x ))))('a')); C; counterpoint_value; })
            3: ({ int counterpoint_value = !!(
            3: ); C; counterpoint_value; })
        "#]],
    );
    check(
        "x = a ?: b;\n",
        &[(1, None, Point::Choice)],
        expect!["0: the condition at line 1 is not seen"],
    );
    check(
        "switch (x) { case 1 ... 3: ; }\n",
        &[(1, None, Point::Switch)],
        expect!["0: the `switch` at line 1 is not understood"],
    );
    check(
        "f(g(1));\n",
        &[(1, Some(7), Point::Entered)],
        expect!["0: the call at line 1 has calls among its arguments"],
    );
}

#[test]
fn calls_are_found_by_their_names() {
    let observation = Observation {
        file: 0,
        line: 1,
        column: None,
        point: Point::Returned,
        function: Some("g".to_owned()),
        code: "C;".to_owned(),
    };
    let made = put_in(
        &Text::new("if (f(1) == g(2)) h();\n".into()),
        [(0, &observation)].into_iter(),
        0,
    );
    let (text, _) = made.expect("the call is there");
    expect![[r#"
        if (f(1) == ({ __typeof__(g ( 2 )) counterpoint_value = g(2); C; counterpoint_value; })) h();
    "#]]
    .assert_eq(&String::from_utf8_lossy(&text));
}

#[test]
fn places_that_are_not_there_are_told() {
    let text = "int x = 1 +\n  2;\n\nvoid f(void) { x = 1; }\n";
    check(
        text,
        &[(2, Some(3), Point::Statement)],
        expect!["0: no statement begins at line 2"],
    );
    check(
        text,
        &[(3, None, Point::Statement)],
        expect!["0: there is nothing in line 3"],
    );
    check(
        text,
        &[(9, None, Point::Statement)],
        expect!["0: there is no line 9"],
    );
    check(
        text,
        &[(4, Some(16), Point::LoopHead)],
        expect!["0: no loop begins at line 4, column 16"],
    );
    check(
        text,
        &[(4, Some(16), Point::Returned)],
        expect!["0: no closing parenthesis of a call begins at line 4, column 16"],
    );
}

#[test]
fn only_what_looks_is_plain() {
    for plain in [
        "x == 1",
        "(a[i] <= 0x1e+2) && !p->q",
        "(unsigned int)(x) % 2u == 'a'",
        "sizeof(int) == 4",
    ] {
        assert!(is_plain_expression(plain), "{plain}");
    }
    for other in [
        "x = 1",
        "x++",
        "f(x)",
        "x == 1; y",
        "(x",
        "x)(",
        "",
        "\\result == 1",
        "{x}",
        "a[0)",
    ] {
        assert!(!is_plain_expression(other), "{other}");
    }
}
