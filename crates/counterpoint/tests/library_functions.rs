//! Library functions that write memory: what they leave alone stays known, what they may write is not taken for known, and
//! a way to an error that relies on what is not followed is no verdict.

use std::process::Command;

const PRELUDE: &str = "typedef __SIZE_TYPE__ size_t;
    extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void *realloc(void *, size_t);
    extern void free(void *); extern void *memset(void *, int, size_t); extern void *memcpy(void *, const void *, size_t);
    extern char *strcpy(char *, const char *); extern size_t strlen(const char *);
    extern int snprintf(char *, size_t, const char *, ...); extern int scanf(const char *, ...);
    extern void reach_error(void); extern unsigned nondet(void);";

/// The last line of `check`, which is the same for both data models.
fn verdict(name: &str, text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("counterpoint-library-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    std::fs::write(folder.join("program.c"), format!("{PRELUDE}\n{text}")).expect("the folder is writable");
    let [narrow, wide] = ["--32", "--64"].map(|model| {
        let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
            .current_dir(&folder)
            .args(["check", model, "program.c"])
            .output()
            .expect("the program runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().last().unwrap_or_default().to_owned()
    });
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    assert_eq!(narrow, wide, "the same for both data models");
    narrow
}

#[track_caller]
fn proved(name: &str, text: &str) {
    assert_eq!(verdict(name, text), "Verification result: TRUE");
}

#[track_caller]
fn violated(name: &str, text: &str) {
    assert_eq!(verdict(name, text), "Verification result: FALSE(unreach-call)");
}

#[track_caller]
fn unknown(name: &str, reason: &str, text: &str) {
    let verdict = verdict(name, text);
    assert!(verdict.starts_with("Verification result: UNKNOWN("), "{verdict}");
    assert!(verdict.contains(reason), "{verdict}");
}

#[test]
fn a_fill_of_unknown_size_leaves_other_objects_alone() {
    proved(
        "fill",
        "struct s { int state; int *p; };
        int main(void) {
            struct s s; char buffer[100]; unsigned n = nondet();
            s.state = 3; s.p = &s.state;
            if (n <= 100) memset(buffer, 1, n);
            if (*s.p != 3) reach_error();
            return 0;
        }",
    );
}

#[test]
fn an_error_behind_a_copy_of_unknown_size_is_found() {
    violated(
        "behind",
        "int main(void) {
            char from[16] = {0}, to[16]; unsigned n = nondet();
            if (n > 16) return 0;
            memcpy(to, from, n);
            if (n == 7) reach_error();
            return 0;
        }",
    );
}

#[test]
fn what_a_copy_of_unknown_size_writes_is_not_known() {
    unknown(
        "written",
        "depends on what `memcpy` writes, which is not followed exactly, at program.c:10",
        "int main(void) {
            int from = 7, to = 5, *p = &to; unsigned n = nondet();
            if (n > sizeof to) return 0;
            memcpy(p, &from, n);
            if (*p != 5 && *p != 7) reach_error();
            return 0;
        }",
    );
}

#[test]
fn a_copy_may_end_inside_a_scalar() {
    let text = "int main(void) {
            int from = 0x11223344, to = 0x55667788, *p = &to;
            memcpy(p, &from, 2);
            if (*p RELATION 0x55663344) reach_error();
            return 0;
        }";
    proved("inside", &text.replace("RELATION", "!="));
    violated("inside-reached", &text.replace("RELATION", "=="));
}

#[test]
fn zeroed_memory_of_a_size_that_the_caller_knows() {
    let text = "struct s { int a; struct s *next; };
        void *zeroed(unsigned size) { return calloc(1, size); }
        int main(void) {
            struct s *s = zeroed(sizeof *s);
            if (s->next RELATION 0) reach_error();
            return 0;
        }";
    proved("zeroed", &text.replace("RELATION", "!="));
    violated("zeroed-reached", &text.replace("RELATION", "=="));
}

#[test]
fn zeroed_memory_is_zero_as_far_as_it_goes() {
    let text = "int main(void) {
            unsigned n = nondet();
            if (n < 3 || n > 1000) return 0;
            int *a = calloc(n, sizeof *a);
            if (a[INDEX] != 0) reach_error();
            return 0;
        }";
    proved("as-far", &text.replace("INDEX", "2"));
    unknown(
        "beyond",
        "depends on what `calloc` writes",
        &text.replace("INDEX", "nondet() + 3"),
    );
}

#[test]
fn what_was_resized_holds_what_it_held() {
    let text = "int main(void) {
            int *a = malloc(sizeof *a), other = 1, *p = &other;
            a[0] = 1;
            a = realloc(a, 2 * sizeof *a);
            if (CONDITION) reach_error();
            return 0;
        }";
    proved("resized-other", &text.replace("CONDITION", "*p != 1"));
    violated("resized", &text.replace("CONDITION", "a[0] == 1"));
    let copied = verdict("resized-copied", &text.replace("CONDITION", "a[0] != 1"));
    assert!(!copied.contains("FALSE"), "what was there is copied: {copied}");
    violated(
        "resized-new",
        &text.replace("CONDITION", "a[0] == 1 && a[1] == 5"),
    );
}

#[test]
fn strings_are_not_followed() {
    let text = "int main(void) {
            char buffer[10]; int n = 0, *p = &n;
            strcpy(buffer, \"five\");
            if (CONDITION) reach_error();
            return 0;
        }";
    proved("string-other", &text.replace("CONDITION", "*p != 0"));
    violated("string", &text.replace("CONDITION", "buffer[4] == 0"));
    unknown(
        "string-contents",
        "depends on what `strcpy` writes",
        &text.replace("CONDITION", "buffer[0] != 'f'"),
    );
}

#[test]
fn what_a_string_function_returns_is_followed_for_small_strings() {
    let text = "int main(void) {
            char buffer[SIZE] = \"five\";
            if (strlen(buffer) == 7) reach_error();
            return 0;
        }";
    proved("length", &text.replace("SIZE", "10"));
    unknown(
        "length-of-more",
        "depends on what `strlen` returns, which is not followed, at program.c:9",
        &text.replace("SIZE", "1000"),
    );
}

#[test]
fn what_is_read_replaces_what_was_there() {
    unknown(
        "read",
        "depends on what `scanf` writes",
        "int main(void) {
            int n = 5;
            scanf(\"%d\", &n);
            if (n != 5) reach_error();
            return 0;
        }",
    );
}

#[test]
fn blocks_in_use_are_apart() {
    proved(
        "apart",
        "int *make(int value) { int *made = malloc(4); *made = value; return made; }
        int main(void) {
            int *first = make(1), *second = make(2);
            if (first == second) reach_error();
            return 0;
        }",
    );
    proved(
        "apart-loop",
        "int main(void) {
            char *before = 0;
            while (nondet()) {
                char *block = malloc(1);
                if (block == before) reach_error();
                before = block;
            }
            return 0;
        }",
    );
}

/// Runs take none of these ways here, where no address is given out twice and blocks lie in the order in which they are
/// allocated; those of other libraries may.
#[test]
fn what_is_not_said_of_addresses_is_not_relied_on() {
    let nothing = "no difference found";
    unknown(
        "given-again",
        nothing,
        "int main(void) {
            char *block = malloc(4);
            size_t address = (size_t)block;
            free(block);
            block = malloc(4);
            if ((size_t)block == address) reach_error();
            return 0;
        }",
    );
    unknown(
        "stays",
        nothing,
        "int main(void) {
            char *block = malloc(4), *resized = realloc(block, 8);
            if (resized == block) reach_error();
            return 0;
        }",
    );
    unknown(
        "moved",
        nothing,
        "int main(void) {
            char *block = malloc(4);
            size_t address = (size_t)block;
            realloc(block, 8);
            block = malloc(4);
            if ((size_t)block == address) reach_error();
            return 0;
        }",
    );
    unknown(
        "freed-otherwise",
        nothing,
        "extern void kfree(const void *);
        int main(void) {
            char *block = malloc(4);
            size_t address = (size_t)block;
            kfree(block);
            block = malloc(4);
            if ((size_t)block == address) reach_error();
            return 0;
        }",
    );
    unknown(
        "order",
        nothing,
        "int main(void) {
            char *first = malloc(4), *second = malloc(4);
            if ((size_t)first > (size_t)second) reach_error();
            return 0;
        }",
    );
}

#[test]
fn what_is_allocated_later_is_not_known_before() {
    unknown(
        "foreseen",
        "needs the address of memory before that is allocated, at program.c:9",
        "extern char *get(void);
        int main(void) {
            char *given = get(), *block = malloc(4);
            if (given == block) reach_error();
            return 0;
        }",
    );
}

/// What the surroundings decide is an input: a rule about the functions that ask them finds violations.
#[test]
fn results_of_requests_to_the_system_are_inputs() {
    let folder = std::env::temp_dir().join(format!("counterpoint-requests-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    for (rule, text) in [
        (
            "file-stream",
            "#include <stdio.h>
            int main(void) {
                FILE *f = fopen(\"x\", \"r\");
                if (!f) return 1;
                if (fgetc(f) == 'a') return 2;
                fclose(f);
                return 0;
            }",
        ),
        (
            "file-descriptor",
            "#include <fcntl.h>
            #include <unistd.h>
            int main(void) {
                char buffer[10];
                int f = open(\"x\", 0);
                if (f < 0) return 1;
                if (read(f, buffer, 10) < 0) return 2;
                close(f);
                return 0;
            }",
        ),
        (
            "pthread-mutex",
            "#include <pthread.h>
            pthread_mutex_t mutex; int work(void);
            int main(void) {
                pthread_mutex_lock(&mutex);
                if (work()) return 1;
                pthread_mutex_unlock(&mutex);
                return 0;
            }",
        ),
    ] {
        std::fs::write(folder.join("program.c"), text).expect("the folder is writable");
        let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
            .current_dir(&folder)
            .args(["check", "--rule", rule, "program.c"])
            .output()
            .expect("the program runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let expected = format!("Verification result: FALSE({rule})");
        assert_eq!(text.lines().last(), Some(expected.as_str()));
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}
