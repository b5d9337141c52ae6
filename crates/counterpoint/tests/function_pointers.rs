//! Calls through pointers: what they lead to is part of the path, and what cannot be known is said only where a run can get
//! there.

use std::process::Command;

/// The last line of `check`, which is the same for both data models.
fn verdict(name: &str, text: &str) -> String {
    let [narrow, wide] = ["--32", "--64"].map(|model| {
        let text = output(name, model, text);
        text.lines().last().unwrap_or_default().to_owned()
    });
    assert_eq!(narrow, wide, "the same for both data models");
    narrow
}

/// What `check` prints.
fn output(name: &str, model: &str, text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("counterpoint-pointers-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let prelude = "extern void reach_error(void); extern int nondet(void);";
    std::fs::write(folder.join("program.c"), format!("{prelude}\n{text}")).expect("the folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .current_dir(&folder)
        .args(["check", model, "program.c"])
        .output()
        .expect("the program runs");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

const PROVED: &str = "Verification result: TRUE";
const VIOLATED: &str = "Verification result: FALSE(unreach-call)";

#[test]
fn a_function_that_is_passed_is_called() {
    let text = "void call(void g(int)) { g(1); }
        void h(int i) { if (i == WANTED) reach_error(); }
        int main(void) { call(h); return 0; }";
    assert_eq!(verdict("passed", &text.replace("WANTED", "1")), VIOLATED);
    assert_eq!(verdict("not-passed", &text.replace("WANTED", "2")), PROVED);
}

#[test]
fn a_table_leads_to_one_of_its_functions() {
    let text = "static int one(int a) { return a; }
        static int two(int a) { return a + 1; }
        static int (*table[2])(int) = {one, two};
        int main(void) {
            unsigned i = nondet();
            if (i > 1) return 0;
            if (table[i](3) RELATION 4) reach_error();
            return 0;
        }";
    assert_eq!(verdict("table", &text.replace("RELATION", "==")), VIOLATED);
    assert_eq!(verdict("table-proved", &text.replace("RELATION", ">")), PROVED);
}

#[test]
fn a_function_without_a_body_is_an_input_through_a_pointer_too() {
    let text = "static int zero(void) { return 0; }
        int main(void) {
            int (*f)(void) = nondet() ? nondet : zero;
            int x = f();
            if (CONDITION) reach_error();
            return 0;
        }";
    assert_eq!(verdict("outside", &text.replace("CONDITION", "x == 7")), VIOLATED);
    let unchanged = text
        .replace("int x = f();", "int y = 3, *p = &y; f();")
        .replace("CONDITION", "*p != 3");
    assert_eq!(verdict("outside-proved", &unchanged), PROVED);
}

#[test]
fn a_run_ends_at_a_call_through_null() {
    let text = "static void nothing(void) { }
        int main(void) {
            void (*f)(void) = 0;
            if (nondet()) f = nothing;
            f();
            if (CONDITION) reach_error();
            return 0;
        }";
    assert_eq!(verdict("null", &text.replace("CONDITION", "!f")), PROVED);
    assert_eq!(verdict("not-null", &text.replace("CONDITION", "f")), VIOLATED);
}

#[test]
fn a_pointer_from_outside_leads_anywhere() {
    let text = "extern void (*handler)(void);
        int main(void) {
            int x = 1;
            if (CONDITION) handler();
            if (x != 1) reach_error();
            return 0;
        }";
    let unknown = verdict("anywhere", &text.replace("CONDITION", "nondet()"));
    assert!(
        unknown.starts_with(
            "Verification result: UNKNOWN(a call through a pointer that may lead to a function that is not known at program.c:5"
        ),
        "{unknown}"
    );
    assert_eq!(verdict("nowhere", &text.replace("CONDITION", "x == 2")), PROVED);
}

#[test]
fn a_proof_says_where_it_relies_on_runs_that_end() {
    let text = "int main(void) {
            int x = 1, *p = nondet() ? &x : 0;
            *p = 2;
            if (!p) reach_error();
            return 0;
        }";
    let output = output("says", "--64", text);
    let note = "note: a run ends at a null pointer, a division by zero or one that overflows; the proof relies on that at program.c:4\n";
    assert!(output.contains(note), "{output}");
    assert!(output.ends_with(PROVED), "{output}");
}

/// What only undefined behaviour leads to is no error.
#[test]
fn a_run_ends_where_behaviour_is_undefined() {
    let text = "struct s { int a; };
        static int get(struct s *s) { return s->a; }
        int main(void) {
            struct s x = {1}, *p = nondet() ? &x : 0;
            get(p);
            if (CONDITION) reach_error();
            return 0;
        }";
    assert_eq!(verdict("ends", &text.replace("CONDITION", "p == 0")), PROVED);
    assert_eq!(verdict("goes-on", &text.replace("CONDITION", "p != 0")), VIOLATED);
    let division = "int main(void) {
            int d = nondet(), q = 100 / d;
            if (d == 0 || q > 100) reach_error();
            return 0;
        }";
    assert_eq!(verdict("division", division), PROVED);
}
