//! When transitions are tested although there are predicates to learn: where the predicates known would be enough for an
//! exact abstraction, or the same place is explained again and again, more predicates may not be what is missing.

use std::collections::BTreeMap;

use path_analysis::Explanation;
use program::EdgeId;
use semantics::Path;

/// A place may be explained so often before its predicates are doubted.
const PATIENCE: usize = 3;

/// How often traces ended being possible at each edge.
#[derive(Debug, Default)]
pub(crate) struct Doubt {
    ends: BTreeMap<EdgeId, usize>,
}

impl Doubt {
    /// Whether the transitions of a spurious path are to be tested before its predicates are taken.
    pub fn rises(&mut self, path: &Path, explanation: &Explanation) -> bool {
        let end = explanation.core.last().map(|&step| path.steps[step].edge());
        let is_old = end.is_some_and(|edge| self.again(edge));
        is_old || explanation.known_suffice
    }

    fn again(&mut self, edge: EdgeId) -> bool {
        let count = self.ends.entry(edge).or_default();
        *count += 1;
        *count > PATIENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::Id;

    #[test]
    fn a_place_is_doubted_when_it_was_explained_often() {
        let [often, once] = [0, 1].map(EdgeId::from_index);
        let mut doubt = Doubt::default();
        let answers: Vec<bool> = [often, often, once, often, often, often]
            .into_iter()
            .map(|edge| doubt.again(edge))
            .collect();
        assert_eq!(answers, [false, false, false, false, true, true]);
    }
}
