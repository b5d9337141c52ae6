//! What it costs to go along a path, to go back, and to go on from there, for longer and longer paths.

use std::time::{Duration, Instant};

use points_to::PointsTo;
use semantics::{AliasMemory, Path, Semantics, Step};
use symbolic_execution::{Addresses, Execution, Mark};

/// How often the middle of the path is gone back to.
pub const ROUNDS: usize = 1_000;
/// How many steps are taken again each time.
pub const AGAIN: usize = 10;

/// Times for a path of some length.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub steps: usize,
    /// To take all steps.
    pub build: Duration,
    /// The same with a mark kept before each of them.
    pub build_marked: Duration,
    /// To go back to the middle and take some steps again, as often as [`ROUNDS`].
    pub rounds: Duration,
    /// Of that, to go back.
    pub back: Duration,
}

/// A loop that reads inputs, branches, calls, and writes variables, arrays, fields and what pointers lead to.
const TEXT: &str = "
    struct r { int f; short g; };
    extern int __VERIFIER_nondet_int(void);
    int count, seen[16];
    int note(int x) { int at = x & 15; seen[at] = seen[at] + 1; count++; return seen[at] + x; }
    int main(void) {
      struct r s = {0}, t = {0}, *p = &s;
      int a[8] = {0}, x = 0, y = 1, z = 0, *q = &x;
      while (__VERIFIER_nondet_int() > x) {
        x = x + y;
        a[x & 7] = y;
        p = y > 4 ? &s : &t;
        p->f = a[y & 7] + x;
        z = s.f - t.f;
        *q = note(z);
        p->g = x;
        y = __VERIFIER_nondet_int();
        x = *q / (y | 1);
      }
      return x;
    }";

/// Of several measurements the best of each time: the machine may have other things to do.
pub fn measure(steps: usize) -> Measured {
    const REPEATED: usize = 5;
    let mut best = measure_once(steps);
    for _ in 1..REPEATED {
        let again = measure_once(steps);
        best = Measured {
            steps,
            build: best.build.min(again.build),
            build_marked: best.build_marked.min(again.build_marked),
            rounds: best.rounds.min(again.rounds),
            back: best.back.min(again.back),
        };
    }
    best
}

fn measure_once(steps: usize) -> Measured {
    let program = c_frontend::load_text("undo.c", TEXT, &c_frontend::Options::default())
        .expect("the program is right")
        .program;
    let main = program.function_named("main").expect("it has a main function");
    let points_to = PointsTo::new(&program, &[main]);
    let memory = AliasMemory::new(&program, &points_to);
    // A round of the loop has more steps than one.
    let path = Path::follow(&program, main, &vec![1; steps]).expect("the loop goes on");
    let path = &path.steps[..steps];
    let start = |semantics: &mut Semantics<'_>| {
        Execution::new(semantics, main, Addresses::Chosen).expect("the start is supported")
    };

    let mut semantics = Semantics::new(&program, &memory);
    let mut execution = start(&mut semantics);
    let began = Instant::now();
    take(&mut semantics, &mut execution, &path[..steps / 2]);
    let middle = execution.mark();
    take(&mut semantics, &mut execution, &path[steps / 2..]);
    let build = began.elapsed();

    let again = &path[steps / 2..(steps / 2 + AGAIN).min(steps)];
    let (began, mut back) = (Instant::now(), Duration::ZERO);
    for _ in 0..ROUNDS {
        let going_back = Instant::now();
        execution.undo_to(&middle);
        back += going_back.elapsed();
        take(&mut semantics, &mut execution, again);
    }
    let rounds = began.elapsed();

    let mut semantics = Semantics::new(&program, &memory);
    let mut execution = start(&mut semantics);
    let began = Instant::now();
    let mut marks: Vec<Mark> = Vec::with_capacity(steps);
    for step in path {
        marks.push(execution.mark());
        take(&mut semantics, &mut execution, std::slice::from_ref(step));
    }
    let build_marked = began.elapsed();
    Measured {
        steps,
        build,
        build_marked,
        rounds,
        back,
    }
}

fn take(semantics: &mut Semantics<'_>, execution: &mut Execution, steps: &[Step]) {
    for &step in steps {
        execution.step(semantics, step).expect("the step is supported");
    }
}
