//! Answers against runs: random C programs with few runs, the values that their probes see in all of them according to the
//! system compiler, questions about those values whose answers are therefore known, and what `check` says to them.

mod batch;
mod generate;
mod idioms;
mod judge;
mod limited;
mod question;
mod statements;
mod truth;

pub use batch::{Asked, BATCH, batch};
pub use generate::{Program, program};
pub use judge::{Judgement, Request, Setting, judge};
pub use limited::Limit;
pub use question::{Question, question};
pub use truth::{How, Seen, Truth, truths};

/// What programs need to be compiled for the driver, as the program of this number among others.
pub fn text_to_run(program: &Program, number: usize) -> String {
    let main = match program.entry {
        Some(_) => format!("int program_{number}(void) {{ return enter(); }}\n"),
        None => String::new(),
    };
    let name = match program.entry {
        Some(_) => format!("unused_{number}"),
        None => format!("program_{number}"),
    };
    let probes: String = (0..generate::PROBES)
        .map(|probe| format!("#define PROBE{probe}(x) observe({probe}, (long)(x))\n"))
        .collect();
    format!(
        "#define RUN 1\n#define main {name}\ntypedef __SIZE_TYPE__ size_t;\nextern int choose(int);\nextern void observe(int, long);\n\
         extern int conventions;\nextern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_assume(int);\n#define in(n) choose(n)\n\
         #define UNKNOWN(x, n) ((x) = choose(n))\n{probes}{}{main}",
        program.body
    )
}

/// The text that is checked: choices are inputs, and the probes are the question.
pub fn text_to_check(program: &Program, question: &Question) -> String {
    let probes: String = (0..generate::PROBES)
        .map(|probe| match question.probe == probe {
            true => format!(
                "#define PROBE{probe}(x) do {{ if ((long)(x) {}) reach_error(); }} while (0)\n",
                question.comparison
            ),
            false => format!("#define PROBE{probe}(x) ((void)(x))\n"),
        })
        .collect();
    format!(
        "typedef __SIZE_TYPE__ size_t;\nextern int __VERIFIER_nondet_int(void);\nextern _Bool __VERIFIER_nondet_bool(void);\n\
         extern void __VERIFIER_assume(int);\nextern void reach_error(void);\n\
         static int in(int n) {{\n  int x = __VERIFIER_nondet_int();\n  __VERIFIER_assume(x >= 0 && x < n);\n  return x;\n}}\n\
         #define UNKNOWN(x, n) __VERIFIER_assume((x) >= 0 && (x) < n)\n{probes}{}",
        program.body
    )
}
