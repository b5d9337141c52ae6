//! A smallest part of a set that still does what the set does, by leaving out one after the other. With every answer that says
//! which of the others were enough, all that were not used are left out at once.

/// Leaves out candidates, the last first, as long as the others suffice. `suffice` is given those others, in their order, and
/// says which of them are enough, or that they are not. The candidates that are needed are returned, the last first; what
/// `suffice` does not know is needed.
pub fn minimise<T: Copy + PartialEq, E>(
    candidates: Vec<T>,
    mut suffice: impl FnMut(&[T]) -> Result<Option<Vec<T>>, E>,
) -> Result<Vec<T>, E> {
    let mut needed: Vec<T> = Vec::new();
    let mut rest = candidates;
    while let Some(candidate) = rest.pop() {
        let others: Vec<T> = rest.iter().chain(needed.iter().rev()).copied().collect();
        match suffice(&others)? {
            Some(core) => rest.retain(|one| core.contains(one)),
            None => needed.push(candidate),
        }
    }
    Ok(needed)
}

#[cfg(test)]
mod tests {
    use super::minimise;
    use std::convert::Infallible;

    /// Minimises with a test that counts how often it is asked.
    fn run(candidates: &[u32], suffice: impl Fn(&[u32]) -> Option<Vec<u32>>) -> (Vec<u32>, usize) {
        let mut asked = 0;
        let Ok(needed) = minimise(candidates.to_vec(), |others| {
            asked += 1;
            Ok::<_, Infallible>(suffice(others))
        });
        (needed, asked)
    }

    #[test]
    fn what_is_needed_stays_and_nothing_else() {
        let both = |others: &[u32]| {
            let enough = others.contains(&2) && others.contains(&4);
            enough.then(|| others.to_vec())
        };
        assert_eq!(run(&[1, 2, 3, 4, 5], both), (vec![4, 2], 5));
    }

    #[test]
    fn what_an_answer_does_not_use_is_not_asked_about() {
        let first = |others: &[u32]| others.contains(&1).then(|| vec![1]);
        assert_eq!(run(&[1, 2, 3, 4, 5], first), (vec![1], 2));
    }

    #[test]
    fn of_two_that_do_the_same_the_first_stays() {
        let either = |others: &[u32]| (!others.is_empty()).then(|| others.to_vec());
        assert_eq!(run(&[1, 2], either), (vec![1], 2));
    }

    #[test]
    fn the_others_come_in_their_order() {
        let mut seen = Vec::new();
        let needed = minimise(vec![1, 2, 3], |others| {
            seen.push(others.to_vec());
            Ok::<_, ()>(None)
        });
        assert_eq!(needed, Ok(vec![3, 2, 1]));
        assert_eq!(seen, [[1, 2], [1, 3], [2, 3]]);
    }

    #[test]
    fn an_error_ends_it() {
        assert_eq!(minimise(vec![1, 2], |_| Err("no time")), Err("no time"));
    }
}
