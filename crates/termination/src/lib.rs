//! Looks for why the runs of a program end, or for one that does not.
//!
//! Some runs are made (`watch.rs`). One that comes back to a state that it was in before is a lasso. Of the others it is noted how a
//! few hundred expressions (`candidates.rs`) change each time round a loop and from call to call; a measure is a list of such
//! expressions that explains all that was seen (`measure.rs`): the first never grows, where it stays the same the second does not,
//! and so on, and one gets smaller. Whether that is so in all runs is for others to show; where they find a run in which it is
//! not, that is one more to look at.
//!
//! Nothing here is believed: `evidence` says what a measure has to be, and runs lassos itself.

mod candidates;
mod measure;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use evidence::{Argument, Cycle, Lasso};
use interpreter::{Captured, Inputs, NoInputs, Options};
use program::{EdgeId, ExprId, FuncId, LocId, Loops, Program};
use sampling::{Constants, Sampled};

use candidates::Candidates;
use measure::Seen;
use watch::{Choosing, Counted, Watch};

/// What may go on for ever, with all that was seen of it.
pub struct Search {
    /// The program, which also has the expressions that are looked at.
    pub program: Program,
    entry: FuncId,
    fair: Option<BTreeSet<EdgeId>>,
    /// Calls whose results are no inputs of the program.
    choices: BTreeSet<EdgeId>,
    cycles: Vec<Tracked>,
    shape: Shape,
}

/// A cycle and what was seen of it.
struct Tracked {
    cycle: Cycle,
    candidates: Candidates,
    seen: Seen,
    /// Whether only some rounds count.
    some_count: bool,
    /// Measures that were of no use.
    useless: Vec<Vec<Vec<usize>>>,
}

/// Where to look in a run.
struct Shape {
    /// Of heads of loops that are tracked, the number of the cycle and the edges back.
    heads: BTreeMap<LocId, (usize, Vec<EdgeId>)>,
    /// Of functions that call each other, the number of the cycle and the position in it.
    recursive: BTreeMap<FuncId, (usize, usize)>,
    /// Where runs may come back to.
    returns: BTreeSet<LocId>,
}

/// So many more runs are made in search of a shorter one that comes back.
const SHORTER: u32 = 24;

/// Edges of most runs, and of every eighth.
const SHORT: u64 = 20_000;
const LONG: u64 = 1_000_000;

impl Search {
    pub fn new(
        mut program: Program,
        entry: FuncId,
        cycles: &[Cycle],
        fair: Option<BTreeSet<EdgeId>>,
        choices: BTreeSet<EdgeId>,
    ) -> Search {
        let mut heads = BTreeMap::new();
        let mut recursive = BTreeMap::new();
        let mut tracked = Vec::new();
        for (number, cycle) in cycles.iter().enumerate() {
            let candidates = Candidates::new(&mut program, cycle);
            match cycle {
                Cycle::Loop(head) => {
                    let loops = Loops::new(&program, program.locs[*head].function);
                    let back = loops.headed_by(*head).map(|id| loops.get(id).back_edges.clone());
                    heads.insert(*head, (number, back.unwrap_or_default()));
                }
                Cycle::Recursion(functions) => {
                    let functions = functions.iter().enumerate();
                    recursive.extend(functions.map(|(position, &function)| (function, (number, position))));
                }
            }
            tracked.push(Tracked {
                cycle: cycle.clone(),
                candidates,
                seen: Seen::default(),
                some_count: fair.is_some() && matches!(cycle, Cycle::Loop(_)),
                useless: Vec::new(),
            });
        }
        let mut returns: BTreeSet<LocId> = heads.keys().copied().collect();
        for &function in recursive.keys() {
            returns.extend(program.functions[function].body.as_ref().map(|body| body.entry));
        }
        Search {
            program,
            entry,
            fair,
            choices,
            cycles: tracked,
            shape: Shape {
                heads,
                recursive,
                returns,
            },
        }
    }

    /// Makes runs for so long; the shortest that comes back, if any does.
    pub fn sample(&mut self, runs: u32, time: Duration) -> Option<Lasso> {
        let program = self.program.clone();
        let constants = Constants::new(&program);
        let started = Instant::now();
        let mut found: Option<Lasso> = None;
        let mut last = runs;
        for number in 0..runs {
            if started.elapsed() > time || number > last {
                break;
            }
            let steps = if number % 8 == 0 { LONG } else { SHORT };
            let deadline = started + time;
            let choices = self.choices.clone();
            let lasso = match number {
                0 => self.observe(&mut NoInputs, steps, deadline),
                _ => {
                    // On the same inputs, an automaton may go several ways.
                    let inputs = match choices.is_empty() {
                        true => number,
                        false => number.div_ceil(watch::WAYS),
                    };
                    let mut sampled = Sampled::new(&program, &constants, inputs);
                    self.observe(
                        &mut Choosing::new(&mut sampled, &choices, number),
                        steps,
                        deadline,
                    )
                }
            };
            found = match (found, lasso) {
                (Some(known), Some(new)) if known.edges <= new.edges => Some(known),
                (known, new) => new.or(known),
            };
            if found.is_some() {
                last = last.min(number + SHORTER);
            }
        }
        found
    }

    /// Makes a run, and looks at it.
    pub fn observe(&mut self, inputs: &mut dyn Inputs, steps: u64, deadline: Instant) -> Option<Lasso> {
        let options = Options {
            step_limit: Some(steps),
            deadline: Some(deadline),
            error_functions: Vec::new(),
            memory_limit: 1 << 28,
            frame_limit: 5_000,
            ..Options::default()
        };
        let mut counted = Counted::new(inputs);
        let asked = counted.asked();
        let mut watch = Watch::new(
            &self.program,
            &self.shape,
            &self.cycles,
            self.fair.as_ref(),
            asked,
        );
        let outcome = interpreter::run(
            &self.program,
            self.entry,
            &options,
            &mut counted,
            &mut Captured::default(),
            &mut watch,
        );
        let Watch { noted, lasso, .. } = watch;
        for (cycle, change) in noted {
            self.cycles[cycle].seen.add(change);
        }
        let (mut lasso, asked) = lasso?;
        lasso.given = sampling::given(&outcome.inputs[..asked.min(outcome.inputs.len())]);
        // A run that is undefined shows nothing.
        outcome.undefined.is_empty().then_some(lasso)
    }

    /// How each cycle may be cut, as far as what was seen tells.
    pub fn arguments(&self) -> Vec<Argument> {
        self.cycles.iter().map(Tracked::argument).collect()
    }

    /// Makes sure that the measure of the cycle is not proposed again; whether there is another one.
    pub fn reject(&mut self, cycle: &Cycle) -> bool {
        let Some(tracked) = self.cycles.iter_mut().find(|tracked| tracked.cycle == *cycle) else {
            return false;
        };
        let Some(measure) = tracked.measure() else {
            return false;
        };
        tracked.useless.push(measure);
        tracked.measure().is_some()
    }
}

impl Tracked {
    fn measure(&self) -> Option<Vec<Vec<usize>>> {
        measure::find(&self.candidates, &self.seen, &self.useless, self.some_count)
    }

    fn argument(&self) -> Argument {
        let Some(measure) = self.measure() else {
            return Argument::Counted(self.cycle.clone());
        };
        let part = |position: usize| -> Vec<ExprId> {
            let chosen = measure.iter();
            chosen
                .map(|choice| self.candidates.of[position][choice[position]])
                .collect()
        };
        match &self.cycle {
            Cycle::Loop(head) => Argument::Loop(*head, part(0)),
            Cycle::Recursion(functions) => {
                let functions = functions.iter().enumerate();
                Argument::Recursion(functions.map(|(at, &function)| (function, part(at))).collect())
            }
        }
    }
}
