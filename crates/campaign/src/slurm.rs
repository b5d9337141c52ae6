//! A campaign on a Slurm cluster: the checks are the tasks of an array job, and answers come back as files in a folder that all
//! nodes see. No daemon and no protocol of ours: Slurm starts tasks and starts them again when a node is lost, and a file that is there
//! is whole (`folder.rs`).
//!
//! A submission is known by its folder and by the name of its job, which is made before the job is: whoever is killed in between
//! finds it again. What a job that has ended did not answer is submitted again; what was begun several times and never answered
//! is an *unknown*.

mod cluster;
mod deal;
mod folder;
mod follow;
mod work;

use std::path::PathBuf;

use serde::Deserialize;

pub use deal::{deal, wanted};
pub use follow::{Ended, Follow, Standing};
pub use work::work;

/// What a plan says about the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    pub partition: Option<String>,
    pub account: Option<String>,
    /// Further options of `sbatch`.
    #[serde(default)]
    pub options: Vec<String>,
    /// The most tasks of one job; never more than the cluster allows.
    pub tasks: Option<usize>,
    /// The most tasks that run at the same time.
    pub at_once: Option<usize>,
    /// A folder that all nodes see under this name [default: `slurm` in the folder of results].
    pub shared: Option<PathBuf>,
}
