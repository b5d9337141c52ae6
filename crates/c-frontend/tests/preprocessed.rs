//! What preprocessing leaves tells programs apart that differ, and only those.

use std::path::Path;

use c_frontend::{Input, Options, preprocessed};

const HEADER: &str = "#define LIMIT 3\n";
const FILE: &str = "#include \"limit.h\"\nint main(void) { return LIMIT; }\n";

/// All pieces of `main.c` beside `limit.h`.
fn pieces(folder: &Path, file: &str, header: &str, options: &Options) -> String {
    std::fs::write(folder.join("main.c"), file).expect("the folder is writable");
    std::fs::write(folder.join("limit.h"), header).expect("the folder is writable");
    let input = Input {
        path: folder.join("main.c"),
        options: options.clone(),
    };
    let mut all = Vec::new();
    let read = preprocessed(&[input], &mut |piece| all.extend_from_slice(piece));
    if let Err(errors) = read {
        all = errors
            .iter()
            .map(ToString::to_string)
            .collect::<String>()
            .into_bytes();
    }
    String::from_utf8(all).expect("the texts are plain")
}

#[test]
fn what_a_program_means_is_in_it_and_its_comments_are_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let of = |file: &str, header: &str, options: &Options| pieces(folder.path(), file, header, options);
    let plain = Options::default();
    let first = of(FILE, HEADER, &plain);
    assert_eq!(first, of(FILE, HEADER, &plain));
    assert_eq!(
        first,
        of(
            &format!("{FILE}/* done */\n"),
            "#define LIMIT 3 // three\n",
            &plain
        )
    );
    assert_ne!(first, of(FILE, "#define LIMIT 4\n", &plain), "a header counts");
    assert_ne!(
        first,
        of(&format!("\n{FILE}"), HEADER, &plain),
        "reports name lines"
    );
    let narrow = Options {
        model: program::DataModel::Ilp32,
        ..Options::default()
    };
    assert_ne!(first, of(FILE, HEADER, &narrow), "the data model counts");
}

#[test]
fn a_file_that_cannot_be_preprocessed_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let told = pieces(folder.path(), "#include \"nowhere.h\"\n", "", &Options::default());
    assert!(told.contains("nowhere.h"), "{told}");
}
