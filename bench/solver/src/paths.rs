//! The term of a path, built statement by statement: time per statement for longer and longer paths.

use std::time::Instant;

use logic::{ElementSort, Sort, SymbolInfo, Term, Terms};

pub fn run() -> bool {
    let mut per_statement = Vec::new();
    for length in [125, 250, 500, 1000, 2000] {
        let mut best = f64::INFINITY;
        let mut size = 0;
        for _ in 0..20 {
            let start = Instant::now();
            size = build(length);
            best = best.min(start.elapsed().as_secs_f64());
        }
        let each = best * 1e6 / length as f64;
        println!(
            "{length:5} statements: {:8.1} µs, {each:.3} µs per statement, {size} terms",
            best * 1e6
        );
        per_statement.push(each);
    }
    let growth = per_statement[4] / per_statement[0];
    println!(
        "growth of the time per statement over 16 times the length: {growth:.2} (1 is linear, 16 quadratic)"
    );
    growth < 3.0
}

/// Assignments, branches, stores and loads in turn over a handful of variables, as in an unwound loop; each fact joins
/// the path condition as it comes.
fn build(length: usize) -> usize {
    let mut t = Terms::new();
    let mut store: Vec<Term> = (0..8)
        .map(|i| t.var(&format!("v{i}"), Sort::BitVec(32), SymbolInfo::signed()))
        .collect();
    let sort = Sort::Array {
        index: 32,
        element: ElementSort::BitVec(32),
    };
    let mut memory = t.var("mem", sort, SymbolInfo::signed());
    let mut path = t.bool(true);
    let one = t.int(32, 1);
    for step in 0..length {
        let (a, b, c) = (step % 8, (step * 3 + 1) % 8, (step * 5 + 2) % 8);
        match step % 5 {
            0 => store[a] = t.add(store[a], one),
            1 => store[a] = t.add(store[b], store[c]),
            2 => {
                let condition = t.slt(store[a], store[b]);
                path = t.and(path, condition);
            }
            3 => memory = t.store(memory, store[a], store[b]),
            _ => {
                let read = t.select(memory, store[c]);
                store[a] = t.bit_xor(read, store[b]);
            }
        }
    }
    let last = t.eq(store[0], store[1]);
    path = t.and(path, last);
    let _ = path;
    t.len()
}
