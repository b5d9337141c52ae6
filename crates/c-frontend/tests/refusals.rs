//! What is said about text that is refused: as much as helps, and no more.

use c_frontend::{Diagnostic, Options, load_text};

fn errors(text: &str) -> Vec<Diagnostic> {
    match load_text("input.c", text, &Options::default()) {
        Ok(_) => panic!("the text was accepted: {text}"),
        Err(errors) => errors,
    }
}

#[test]
fn brackets_that_are_too_deep_are_the_only_error() {
    let nested = |open: &str, close: &str| format!("{}1{}", open.repeat(300), close.repeat(300));
    for text in [
        format!("int f(void) {{ return {}; }}\nint g;\n", nested("(", ")")),
        format!("int a[2] = {};\nint f(int x) {{ return x; }}\n", nested("{", "}")),
        format!("int f(void) {{ {}; }}\nint g;\n", nested("{", "; }")),
        format!("int {}x{};\nint g;\n", "(".repeat(3000), ")".repeat(3000)),
    ] {
        let errors = errors(&text);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].message.contains("nested more deeply than"));
        assert!(errors[0].location.is_some());
    }
}

#[test]
fn every_folder_that_was_searched_has_a_name() {
    let errors = errors("#include \"nowhere.h\"\n");
    let searched = &errors[0].notes[0].message;
    assert!(searched.starts_with("searched: ., "), "{searched}");
}

/// It used to be passed over, which left zero in the object.
#[test]
fn a_static_initialiser_without_a_meaning_is_an_error() {
    let errors = errors("_Decimal64 d = 1.5dd;\nint main(void) { return 0; }\n");
    assert_eq!(
        errors[0].message,
        "this initialiser of a static object is beyond what is supported"
    );
    assert_eq!(errors[0].location.as_ref().map(|at| at.line), Some(1));
}
