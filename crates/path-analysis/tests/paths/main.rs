//! Paths through small C programs: what explains them, what takes them.

mod common;
mod explanations;
mod inputs;
mod malformed;
mod random_paths;
