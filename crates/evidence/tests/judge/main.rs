//! The judge is judged: proofs and counterexamples that hold are passed, and each of them is refused, with the right
//! reason, once a single thing in it is changed.

mod asked;
mod chance;
mod claimed;
mod counterexamples;
mod cutting;
mod ending;
mod engine;
mod enumerating;
mod found;
mod guessed;
mod mattering;
mod measures;
mod outside;
mod proofs;
mod random_runs;
mod repeating;
mod stated;
mod told;
mod unwinding;
mod wrong_proofs;
