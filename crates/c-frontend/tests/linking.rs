//! Several files become one program.

use std::path::PathBuf;

use c_frontend::{Input, Options, load};
use expect_test::{Expect, expect};
use program::{Initial, VarKind};

/// Loads files given as (name, text) and gives the program's definitions, or what is wrong with it.
fn check(files: &[(&str, &str)], expected: Expect) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut inputs = Vec::new();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the folder is writable");
        if name.ends_with(".c") {
            inputs.push(Input {
                path,
                options: Options::default(),
            });
        }
    }
    let prefix = format!("{}/", folder.path().display());
    let told = match load(&inputs) {
        Err(errors) => errors.iter().map(ToString::to_string).collect::<String>(),
        Ok(loaded) => {
            let program = &loaded.program;
            let globals = program.vars.values().filter_map(|var| match &var.kind {
                VarKind::Global(Initial::External) => Some(format!("extern {}\n", var.name)),
                VarKind::Global(Initial::Values(values)) => Some(format!("{} {}\n", var.name, values.len())),
                _ => None,
            });
            let functions = program.functions.values().map(|f| {
                format!(
                    "{}() {}\n",
                    f.name,
                    if f.body.is_some() { "defined" } else { "declared" }
                )
            });
            globals.chain(functions).collect()
        }
    };
    expected.assert_eq(&told.replace(&prefix, ""));
}

#[test]
fn declarations_meet_definitions_elsewhere() {
    check(
        &[
            ("a.h", "extern int shared; int twice(int);"),
            (
                "a.c",
                "#include \"a.h\"\nint tentative; static int own = 1; int main(void) { return twice(shared + own); }",
            ),
            (
                "b.c",
                "#include \"a.h\"\nint tentative = 3; int shared; static int own; int twice(int x) { return x + own; }",
            ),
        ],
        expect![[r#"
            shared 0
            tentative 1
            own 1
            own 0
            main() defined
            twice() defined
        "#]],
    );
}

#[test]
fn two_definitions_are_an_error() {
    check(
        &[
            ("a.c", "int f(void) { return 1; }"),
            ("b.c", "int f(void) { return 2; }\nint main(void) {}"),
        ],
        expect![[r#"
        b.c:1:5: error: `f` is defined twice
         1 | int f(void) { return 2; }
           |     ^
        a.c:1:5: note: first defined here
         1 | int f(void) { return 1; }
           |     ^
    "#]],
    );
    check(
        &[("a.c", "int g = 1;"), ("b.c", "int g = 1;")],
        expect![[r#"
        b.c:1:5: error: `g` is defined twice
         1 | int g = 1;
           |     ^
        a.c:1:5: note: first defined here
         1 | int g = 1;
           |     ^
    "#]],
    );
}

#[test]
fn weak_and_inline_definitions_give_way() {
    check(
        &[
            (
                "a.c",
                "__attribute__((weak)) int f(void) { return 1; } inline int g(void) { return 1; } int main(void) { return f() + g(); }",
            ),
            ("b.c", "int f(void) { return 2; } int g(void) { return 2; }"),
        ],
        expect![[r#"
            f() defined
            g() defined
            main() defined
        "#]],
    );
}

#[test]
fn what_nobody_defines_stays_external() {
    check(
        &[(
            "a.c",
            "extern int e; int undefined(void); int main(void) { return e + undefined(); }",
        )],
        expect![[r#"
        extern e
        main() defined
        undefined() declared
    "#]],
    );
}

#[test]
fn a_struct_completed_in_one_file_only_is_one_struct() {
    let opaque = "struct s; extern struct s *make(void); int get(struct s *); extern struct s one; struct s *p = &one;
        int main(void) { return get(make()) + get(p); }";
    let whole = "struct s { int n; } one = { 3 }; struct s *make(void) { return &one; }
        int get(struct s *s) { return s->n + one.n; }";
    for files in [[("a.c", opaque), ("b.c", whole)], [("b.c", whole), ("a.c", opaque)]] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut inputs = Vec::new();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("the folder is writable");
            inputs.push(Input { path, options: Options::default() });
        }
        let program = load(&inputs).expect("the files fit together").program;
        assert_eq!(program.notes, [], "nothing is unsupported");
        assert_eq!(program.types.records().filter(|(_, record)| record.name == "s").count(), 1);
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let missing = Input {
        path: PathBuf::from("no/such/file.c"),
        options: Options::default(),
    };
    let folder = Input {
        path: PathBuf::from("."),
        options: Options::default(),
    };
    let told = |input: &Input| match load(std::slice::from_ref(input)) {
        Ok(_) => "loaded".to_owned(),
        Err(errors) => errors.iter().map(ToString::to_string).collect::<String>(),
    };
    assert_eq!(told(&missing), "error: no/such/file.c: no such file\n");
    assert_eq!(told(&folder), "error: .: is a directory, not a C file\n");
}
