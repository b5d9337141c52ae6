//! Every explanation of every path suffices: walks through small programs that take each branch at random, and go the
//! other way where a branch cannot be taken.

use crate::common::load;
use budget::Budget;
use path_analysis::{Analysis, Options, analyse};
use points_to::PointsTo;
use semantics::{AliasMemory, FollowError, Path, Semantics};
use solver::Z3Solver;

const PROGRAMS: [&str; 4] = [
    "
    int nondet(void);
    int lock, count;
    int take(int wait) {
        if (lock) { if (!wait) return 0; lock = 0; }
        lock = 1;
        count++;
        return 1;
    }
    void give(void) { if (!lock) count = -1; lock = 0; }
    void main(int n) {
        int i = 0, got = 0;
        while (i < n) {
            got = take(nondet());
            if (got) { if (nondet()) give(); }
            i++;
        }
        if (count < 0) return;
    }",
    "
    int a[8];
    int nondet(void);
    int find(int x, int from) {
        int i;
        for (i = from; i < 8; i++) { if (a[i] == x) return i; }
        return -1;
    }
    void main(int x) {
        int at;
        a[nondet() & 7] = x;
        at = find(x, 0);
        if (at < 0) return;
        a[at] = x + 1;
        if (find(x, at) == at) return;
    }",
    "
    struct P { int x, y; } g;
    int nondet(void);
    void step(struct P *p, int d) { if (d > 0) p->x += d; else p->y -= d; }
    int sum(struct P p) { return p.x + p.y; }
    void main(void) {
        int k = nondet(), i;
        for (i = 0; i < 3; i++) { step(&g, k); k = -k; }
        if (sum(g) < 0) return;
        if (g.x == g.y) return;
    }",
    "
    unsigned half(unsigned n) { if (n < 2) return 0; return half(n - 2) + 1; }
    void main(unsigned n) {
        unsigned h;
        if (n > 6) return;
        h = half(n);
        if (h > 3) return;
        if (h + h != n) { if (h + h + 1 != n) return; }
    }",
];

#[test]
fn explanations_of_random_paths_suffice() {
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as usize & 1
    };
    let mut explained = 0;
    for text in PROGRAMS {
        let program = load(text);
        let main = program.function_named("main").expect("there is a main");
        let points_to = PointsTo::new(&program, &[main]);
        let memory = AliasMemory::new(&program, &points_to);
        let mut semantics = Semantics::new(&program, &memory);
        for _ in 0..3 {
            let mut taken: Vec<usize> = Vec::new();
            'walk: while taken.len() < 8 {
                let first = random();
                for outcome in [first, 1 - first] {
                    let mut outcomes = taken.clone();
                    outcomes.push(outcome);
                    let path = match Path::follow(&program, main, &outcomes) {
                        Ok(path) => path,
                        Err(FollowError::Unused { .. }) => break 'walk,
                        Err(error) => panic!("{error}"),
                    };
                    // What one path asks is of no use to the next.
                    let mut solver = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
                    let asked = Options::default();
                    let analysis = analyse(&mut semantics, &mut solver, &path, &asked, &Budget::unlimited())
                        .expect("the path is well formed");
                    match analysis {
                        Analysis::Feasible(_) => {
                            taken = outcomes;
                            continue 'walk;
                        }
                        Analysis::Infeasible(explanation) => {
                            explained += 1;
                            assert!(explanation.sufficient, "{text}\n{outcomes:?}: {explanation:#?}");
                        }
                        Analysis::Unknown(reason) => panic!("{text}\n{outcomes:?}: {reason:?}"),
                    }
                }
                panic!("{text}: neither way can be taken after {taken:?}");
            }
        }
    }
    assert!(explained > 20, "only {explained} paths were infeasible");
}
