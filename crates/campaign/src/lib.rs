//! Every program against every rule.
//!
//! A [`Plan`] says which programs are checked for what, and with which options: programs × checks × variants. Laid out
//! ([`Matrix`]), each combination is a cell with a *key*, the digest of all that its answer depends on. A cell is checked by a
//! process of its own, here ([`local`]) or on a cluster ([`slurm`]); its [`Answer`] is in the [`Store`] before anybody sees it.
//! What people look at are views of [`Results`], which is the matrix with its answers.
//!
//! This crate decides nothing about programs: it runs the checker and reads the report that it leaves.

mod answer;
mod changes;
mod failure;
mod files;
pub mod local;
mod matrix;
mod order;
pub mod plan;
mod process;
mod progress;
mod results;
pub mod slurm;
mod store;
mod tool;
mod views;

pub use answer::{Answer, Documents, Verdict};
pub use changes::{Changes, Known, read_known};
pub use failure::Failure;
use files::{write_locked, write_whole};
pub use matrix::{Cell, Column, Matrix};
pub use order::{Estimates, longest_first};
pub use plan::Plan;
pub use process::PARENT;
pub use progress::{Progress, Watch, in_words};
pub use results::Results;
pub use store::{Store, build_of};
pub use tool::Tool;
