//! What it costs to go along a path, to go back, and to go on from there, for longer and longer paths.

use std::time::{Duration, Instant};

use points_to::PointsTo;
use semantics::{AliasMemory, Path, Semantics, Step};
use symbolic_execution::{Addresses, Execution, Mark};

use crate::clock;

/// How often the middle of the path is gone back to.
pub const ROUNDS: usize = 1_000;
/// How many steps are taken again each time.
pub const AGAIN: usize = 50;

/// Processor times for a path of some length.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub steps: usize,
    /// To take all steps.
    pub build: Duration,
    /// The same with a mark kept before each of them.
    pub build_marked: Duration,
    /// To go back to the middle and take some steps again, as often as [`ROUNDS`].
    pub rounds: Duration,
    /// To go back once, by the clock on the wall; the median.
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

pub fn measure(steps: usize) -> Measured {
    let program = c_frontend::load_text("undo.c", TEXT, &c_frontend::Options::default())
        .expect("the program is right")
        .program;
    let main = program.function_named("main").expect("it has a main function");
    let points_to = PointsTo::new(&program, &[main]);
    let memory = AliasMemory::new(&program, &points_to);
    // A round of the loop has more steps than one.
    let path = Path::follow(&program, main, &vec![1; steps]).expect("the loop goes on");
    let path = &path.steps[..steps];
    let start = || {
        let mut semantics = Semantics::new(&program, &memory);
        let execution = Execution::new(&mut semantics, main, Addresses::Chosen);
        let execution = execution.expect("the start is supported");
        (semantics, execution)
    };
    let build = repeated(steps, || {
        let (mut semantics, mut execution) = start();
        take(&mut semantics, &mut execution, path);
    });
    let build_marked = repeated(steps, || {
        let (mut semantics, mut execution) = start();
        let mut marks: Vec<Mark> = Vec::with_capacity(steps);
        for step in path {
            marks.push(execution.mark());
            take(&mut semantics, &mut execution, std::slice::from_ref(step));
        }
    });

    let (mut semantics, mut execution) = start();
    take(&mut semantics, &mut execution, &path[..steps / 2]);
    let middle = execution.mark();
    take(&mut semantics, &mut execution, &path[steps / 2..]);
    let again = &path[steps / 2..(steps / 2 + AGAIN).min(steps)];
    let mut back = Vec::with_capacity(ROUNDS);
    let began = clock::now();
    for _ in 0..ROUNDS {
        let going_back = Instant::now();
        execution.undo_to(&middle);
        back.push(going_back.elapsed());
        take(&mut semantics, &mut execution, again);
    }
    let rounds = clock::now() - began;
    back.sort_unstable();
    Measured {
        steps,
        build,
        build_marked,
        rounds,
        back: back[ROUNDS / 2],
    }
}

/// The time of what is done so often that the processor's clock, which is a coarse one, can tell it.
fn repeated(steps: usize, work: impl Fn()) -> Duration {
    const ENOUGH: usize = 120_000;
    let times = ENOUGH.div_ceil(steps) as u32;
    let began = clock::now();
    for _ in 0..times {
        work();
    }
    (clock::now() - began) / times
}

fn take(semantics: &mut Semantics<'_>, execution: &mut Execution, steps: &[Step]) {
    for &step in steps {
        let taken = execution.step(semantics, step);
        taken.expect("the step is supported");
    }
}
