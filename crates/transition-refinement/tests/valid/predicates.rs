//! Random predicates over what a program's functions can name: as terms for the code under test, and as pairs of numbers
//! to compare for a run.

use abstraction::{PredId, Predicates};
use interpreter::View;
use logic::random::Random;
use logic::{Substitution, Symbol, Term};
use program::{ExprId, ExprKind, FuncId, IntKind, Program, Type, VarId, VarKind};
use semantics::{Semantics, Storage};

#[derive(Clone, Copy, Debug)]
pub enum Operand {
    Now(Seen),
    /// What it was when the function was entered.
    AtEntry(Seen),
    /// What the function returns.
    Result,
}

/// An expression of a run.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub expr: ExprId,
    /// The function that must be running for it to mean something.
    pub home: Option<FuncId>,
    /// The same in all other functions.
    pub elsewhere: Option<ExprId>,
}

#[derive(Clone, Copy, Debug)]
enum Comparison {
    Less,
    LessOrEqual,
    Equal,
}

#[derive(Clone, Debug)]
pub struct Comparing {
    comparison: Comparison,
    operands: [Operand; 2],
    /// The function whose entry and result it speaks of.
    function: Option<FuncId>,
    /// Whether the predicate is the comparison or its negation.
    positive: bool,
}

/// What a run knows about the activation of the function that is running.
#[derive(Clone, Debug)]
pub struct Activation {
    pub function: FuncId,
    /// Of each predicate's operands.
    pub entry: Vec<[Option<i128>; 2]>,
    /// What it returned; anything before it does, `None` if that cannot be told.
    pub result: Option<i128>,
}

/// A predicate before the terms are known.
pub struct Candidate {
    comparison: Comparison,
    operands: [Operand; 2],
    function: Option<FuncId>,
}

const PER_FUNCTION: usize = 3;
const OF_GLOBALS: usize = 2;
/// The fewer things are compared, the more the comparisons have to do with each other.
const COMPARED: usize = 4;

/// Comparisons of what each function can name, and of globals alone.
pub fn candidates(program: &mut Program, random: &mut Random) -> Vec<Candidate> {
    let functions: Vec<FuncId> = program
        .functions
        .iter()
        .filter(|(_, function)| function.body.is_some())
        .map(|(id, _)| id)
        .collect();
    let mut found = Vec::new();
    for function in functions.into_iter().map(Some).chain([None]) {
        let (named, pointers) = nameable(program, function);
        let mut integers: Vec<Seen> = (0..COMPARED).map(|_| random.pick(&named)).collect();
        let number = program.expr(integers[0].expr).ty;
        integers.push(Seen {
            expr: program.int(random.pick(&[0, 1, 2, -1]), number),
            home: None,
            elsewhere: None,
        });
        let count = if function.is_some() {
            PER_FUNCTION
        } else {
            OF_GLOBALS
        };
        for _ in 0..count {
            found.push(candidate(program, random, function, &integers, &pointers));
        }
    }
    found.extend(choices(program));
    found
}

/// Which function the program's pointer to functions leads to, if it has one.
fn choices(program: &mut Program) -> Vec<Candidate> {
    let found = program.vars.iter().find(|(_, var)| var.name == "chosen");
    let Some(chosen) = found.map(|(id, _)| id) else {
        return Vec::new();
    };
    let pointer = program.vars[chosen].ty;
    let mut found = Vec::new();
    for name in ["near", "far"] {
        let function = program.function_named(name).expect("it can be chosen");
        let address = program.exprs.add(ExprKind::Function(function), pointer);
        let operands = [program.read_var(chosen), address].map(|expr| {
            Operand::Now(Seen {
                expr,
                home: None,
                elsewhere: None,
            })
        });
        found.push(Candidate {
            comparison: Comparison::Equal,
            operands,
            function: None,
        });
    }
    found
}

fn candidate(
    program: &Program,
    random: &mut Random,
    function: Option<FuncId>,
    integers: &[Seen],
    pointers: &[Seen],
) -> Candidate {
    let main = program.function_named("main");
    if random.chance(10) {
        let operands = [(); 2].map(|()| Operand::Now(random.pick(pointers)));
        return Candidate {
            comparison: Comparison::Equal,
            operands,
            function,
        };
    }
    let mut operand = || {
        let seen = random.pick(integers);
        match random.below(10) {
            0..=2 if function.is_some() && function != main => Operand::Result,
            3 if function.is_some() && lasting(program, seen.expr) => Operand::AtEntry(seen),
            _ => Operand::Now(seen),
        }
    };
    let operands = [operand(), operand()];
    let comparison = random.pick(&[Comparison::Less, Comparison::LessOrEqual, Comparison::Equal]);
    Candidate {
        comparison,
        operands,
        function,
    }
}

/// Whether an expression has a value at the entry of the function: it is a parameter or a global.
fn lasting(program: &Program, expr: ExprId) -> bool {
    let ExprKind::Read(place) = program.expr(expr).kind else {
        return false;
    };
    program::base_variable(program, place)
        .is_some_and(|var| matches!(program.vars[var].kind, VarKind::Param | VarKind::Global(_)))
}

/// The integers and pointers that a function can name, or that all can.
fn nameable(program: &mut Program, function: Option<FuncId>) -> (Vec<Seen>, Vec<Seen>) {
    let globals = program.vars.iter().filter(|(_, var)| var.function.is_none());
    let mut vars: Vec<VarId> = globals.map(|(id, _)| id).collect();
    if let Some(function) = function {
        let data = &program.functions[function];
        vars.extend(data.params.iter().chain(&data.locals));
    }
    let named = |program: &Program, wanted: &str| {
        let found = program.vars.iter().find(|(_, var)| var.name == wanted);
        found.expect("every program has it").0
    };
    let (of_main, peek) = (named(program, "m"), named(program, "peek"));
    let (mut integers, mut pointers) = (Vec::new(), Vec::new());
    for var in vars {
        let is_own = program.vars[var].function.is_some();
        let place = program.var_place(var);
        let seen = |expr: ExprId| Seen {
            expr,
            home: function.filter(|_| is_own),
            elsewhere: None,
        };
        match program.types.get(program.vars[var].ty).clone() {
            Type::Int(_) => {
                let elsewhere = (var == of_main).then(|| {
                    let pointer = program.read_var(peek);
                    let place = program.deref(pointer);
                    program.read(place)
                });
                let read = program.read(place);
                integers.push(Seen {
                    elsewhere,
                    ..seen(read)
                });
            }
            Type::Pointer(_) if var != peek => {
                let read = program.read(place);
                if !matches!(program.types.pointee(program.vars[var].ty),
                    Some(to) if program.types.int_shape(to).is_some())
                {
                    continue;
                }
                pointers.push(seen(read));
                let target = program.deref(read);
                let through = program.read(target);
                integers.extend([seen(through); 2]);
            }
            Type::Record(_) => {
                let field = program.field(place, 1);
                integers.push(seen(program.read(field)));
            }
            Type::Array(..) => {
                let int = program.types.int(IntKind::Int);
                let at = program.int(1, int);
                let element = program.index(place, at);
                integers.push(seen(program.read(element)));
            }
            _ => {}
        }
    }
    (integers, pointers)
}

/// Makes predicates of the candidates; the comparison of each, in the order of their numbers.
pub fn add(
    semantics: &mut Semantics<'_>,
    candidates: Vec<Candidate>,
    known: &mut Predicates,
) -> Vec<Comparing> {
    let mut comparing = Vec::new();
    for candidate in candidates {
        let [left, right] = candidate
            .operands
            .map(|operand| value(semantics, operand, candidate.function));
        let (Some(left), Some(right)) = (left, right) else {
            continue;
        };
        let terms = &mut semantics.terms;
        if terms.sort(left) != terms.sort(right) {
            continue;
        }
        let term = match candidate.comparison {
            Comparison::Less => terms.slt(left, right),
            Comparison::LessOrEqual => terms.sle(left, right),
            Comparison::Equal => terms.eq(left, right),
        };
        let (_, positive) = terms.literal(term);
        if let Some(id) = known.add(semantics, term) {
            assert_eq!(id.index(), comparing.len(), "predicates are numbered in order");
            comparing.push(Comparing {
                comparison: candidate.comparison,
                operands: candidate.operands,
                function: candidate.function,
                positive,
            });
        }
    }
    comparing
}

/// An operand as a term.
fn value(semantics: &mut Semantics<'_>, operand: Operand, function: Option<FuncId>) -> Option<Term> {
    match operand {
        Operand::Now(seen) => semantics.value(seen.expr).ok(),
        Operand::Result => Some(semantics.current(Storage::Result(function?, 0))),
        Operand::AtEntry(seen) => {
            let now = semantics.value(seen.expr).ok()?;
            let symbols = semantics.terms.free_symbols(&[now]);
            let mut pairs: Vec<(Symbol, Term)> = Vec::new();
            for symbol in symbols {
                if !matches!(semantics.storage_of(symbol), Some(Storage::Address(_))) {
                    pairs.push((symbol, semantics.current(Storage::AtEntry(function?, symbol))));
                }
            }
            let mut substitution = Substitution::of_symbols(&semantics.terms, pairs);
            Some(substitution.apply(&mut semantics.terms, now))
        }
    }
}

impl Comparing {
    /// What its operands are where its function is entered.
    pub fn entry(&self, view: &mut View<'_, '_>, function: FuncId) -> [Option<i128>; 2] {
        self.operands.map(|operand| match operand {
            Operand::AtEntry(seen) if self.function == Some(function) => read(view, function, seen),
            _ => None,
        })
    }

    /// Its value now; `None` where it cannot be seen.
    pub fn holds(&self, id: PredId, view: &mut View<'_, '_>, activation: &Activation) -> Option<bool> {
        let function = activation.function;
        let mut values = [0; 2];
        for (side, operand) in self.operands.into_iter().enumerate() {
            values[side] = match operand {
                Operand::Now(seen) => read(view, function, seen)?,
                Operand::AtEntry(_) if self.function == Some(function) => activation.entry[id.index()][side]?,
                Operand::Result if self.function == Some(function) => activation.result?,
                Operand::AtEntry(_) | Operand::Result => return None,
            };
        }
        let [left, right] = values;
        let holds = match self.comparison {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Equal => left == right,
        };
        Some(holds == self.positive)
    }
}

fn read(view: &mut View<'_, '_>, function: FuncId, seen: Seen) -> Option<i128> {
    let expr = match seen.home {
        Some(home) if home != function => seen.elsewhere?,
        _ => seen.expr,
    };
    view.eval(expr).map(|(value, _)| value)
}
