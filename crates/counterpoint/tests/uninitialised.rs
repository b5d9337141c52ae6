//! Counterexamples that rely on what memory held before the program wrote it. Such memory may hold anything, and a pointer
//! read from it points to memory of its own; null, freed memory and what lies behind an object stay forbidden.

use std::process::Command;

/// What `check` prints, for both data models.
fn check(name: &str, text: &str, options: &[&str]) -> [String; 2] {
    let folder = std::env::temp_dir().join(format!(
        "counterpoint-uninitialised-{}-{name}",
        std::process::id()
    ));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let prelude = "extern void *malloc(__SIZE_TYPE__); extern void free(void *); \
        extern void reach_error(void); extern int nondet(void);";
    std::fs::write(folder.join("program.c"), format!("{prelude}\n{text}")).expect("the folder is writable");
    let texts = ["--32", "--64"].map(|model| {
        let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
            .current_dir(&folder)
            .args(["check", model, "program.c"])
            .args(options)
            .output()
            .expect("the program runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    });
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    texts
}

/// The error is reached, after memory without a value was read in that line.
#[track_caller]
fn violated(name: &str, line: u32, text: &str) {
    let note = format!("the run reads memory that was never initialised: program.c:{line}\n");
    for output in check(name, text, &[]) {
        assert!(
            output.ends_with("Verification result: FALSE(unreach-call)\n"),
            "{output}"
        );
        assert!(output.contains(&note), "{output}");
    }
}

/// The way to the error ends before it, and why.
#[track_caller]
fn not_violated(name: &str, reason: &str, text: &str) {
    for output in check(name, text, &[]) {
        let last = output.lines().last().unwrap_or_default();
        assert!(last.starts_with("Verification result: UNKNOWN("), "{output}");
        assert!(last.contains(reason), "{output}");
    }
}

#[test]
fn a_field_of_allocated_memory_decides() {
    violated(
        "field",
        6,
        "struct s { int a; int state; };
        int main(void) {
            struct s *p = malloc(sizeof *p);
            p->a = 1;
            if (p->state == 8464 && p->a == 1) reach_error();
            return 0;
        }",
    );
}

#[test]
fn a_compiled_program_may_find_other_contents() {
    let text = "int main(void) {
            int *p = malloc(sizeof *p);
            if (*p == 123456789) reach_error();
            return 0;
        }";
    for output in check("confirm", text, &["--confirm"]) {
        assert!(output.contains("not confirmed: "), "{output}");
        assert!(
            output.ends_with("Verification result: FALSE(unreach-call)\n"),
            "{output}"
        );
    }
}

#[test]
fn each_allocation_has_contents_of_its_own() {
    violated(
        "allocations",
        6,
        "int main(void) {
            int sum = 0;
            for (int i = 0; i < 3; i++) {
                int *p = malloc(sizeof *p);
                sum = 10 * sum + (*p == i + 5);
                if (*p != i + 5) return 0;
            }
            if (sum == 111) reach_error();
            return 0;
        }",
    );
}

#[test]
fn a_pointer_that_was_never_set_points_to_memory() {
    violated(
        "pointer",
        6,
        "struct t { int k; int v; };
        struct s { int a; struct t *t; struct t *u; };
        int main(void) {
            struct s *p = malloc(sizeof *p);
            p->t->k = 3; p->u->k = 4;
            if (p->t->v == 77 && p->t->k == 3 && p->u->v == 78 && p->u->k == 4) reach_error();
            return 0;
        }",
    );
}

#[test]
fn a_pointer_from_outside_points_to_memory() {
    violated(
        "outside",
        6,
        "struct n { struct n *next; int v; };
        extern struct n *get(void);
        int main(void) {
            struct n *p = get();
            if (p && p->next && p->next->next == p && p->v == 1 && p->next->v == 2) reach_error();
            return 0;
        }",
    );
}

#[test]
fn local_arrays_and_records_hold_anything() {
    violated(
        "locals",
        8,
        "struct s { int a; unsigned b : 3; unsigned c : 5; int d[2]; };
        int main(void) {
            struct s x, *p = &x;
            struct { int u; int v; } y;
            int small[4], large[2000];
            small[0] = 1;
            if (small[0] + 1 == 2 && small[2] == 5 && p->c == 9 && p->b == 2 && p->d[1] == 4 && y.v == 6
                && large[1500] == 8) reach_error();
            return 0;
        }",
    );
}

#[test]
fn unknown_indices_stay_inside() {
    violated(
        "indices",
        6,
        "struct s { int n; };
        int main(void) {
            struct s *k = malloc(sizeof *k);
            char *p = malloc(10);
            char *q = p + k->n;
            if (*q == 5) reach_error();
            return 0;
        }",
    );
}

#[test]
fn null_is_no_memory() {
    let text = "struct s { int a; int *t; };
        int main(void) {
            struct s *p = malloc(sizeof *p);
            if (p->t == 0 && *p->t == 3) reach_error();
            return 0;
        }";
    for output in check("null", text, &[]) {
        assert!(output.ends_with("Verification result: TRUE\n"), "{output}");
    }
}

#[test]
fn freed_memory_is_no_memory() {
    not_violated(
        "freed",
        "read of memory (8 bytes) that was freed",
        "int main(void) {
            int *p = malloc(8);
            free(p);
            if (*p == 5) reach_error();
            return 0;
        }",
    );
}

#[test]
fn there_is_no_memory_behind_an_object() {
    not_violated(
        "behind",
        "read of 4 bytes at offset 16 of allocated memory",
        "int main(void) {
            int *p = malloc(8);
            if (p[4] == 5) reach_error();
            return 0;
        }",
    );
    not_violated(
        "far behind",
        "where there is no object",
        "struct s { unsigned n; };
        int main(void) {
            struct s *k = malloc(sizeof *k);
            char *p = malloc(10), *q = p + k->n;
            if (k->n > 1000000 && *q == 5) reach_error();
            return 0;
        }",
    );
}

#[test]
fn pointers_in_a_local_record_point_to_memory() {
    violated(
        "record",
        3,
        "struct d { int *e; int *all[4]; };
        static void enter(struct d *d) { *d->e = 3; if (*d->all[1] == 5) reach_error(); }
        int main(void) {
            struct d d;
            enter(&d);
            return 0;
        }",
    );
}
