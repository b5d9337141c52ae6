//! What memory a call of a function without a body touches: the rows of the library's table, read with what arguments
//! point to.

use library::{Extent, Format, Function, Known, Parameter};
use program::{EdgeId, EdgeKind, ExprId, ExprKind, External, FuncId, Initial, Program, VarKind};

use crate::classes::{ClassId, Classes};
use crate::layout::Offset;
use crate::object::{ObjectId, ObjectKind};
use crate::solution::{Lead, Solution};

/// The width of an access that may go on to the end of the object.
pub(crate) const BLOCK: u64 = u64::MAX / 2;

/// Own memory of the library: where `errno` is.
pub(crate) const ERRNO: &str = "errno";

/// What variable arguments lead to, by the name under which the solution knows it.
pub(crate) const VARIABLE_ARGUMENTS: &str = "variable arguments";

/// What a call touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    pub reads: Vec<ClassId>,
    pub writes: Vec<ClassId>,
}

pub(crate) struct Library<'a> {
    pub program: &'a Program,
    pub solution: &'a Solution,
    pub classes: &'a Classes,
}

impl Library<'_> {
    /// The classes that a call edge reads and writes if it calls the function, which has no body.
    pub fn touched(&self, call: EdgeId, function: FuncId) -> Touched {
        let program = self.program;
        let EdgeKind::Call { arguments, .. } = &program.edges[call].kind else {
            unreachable!("only calls call")
        };
        let known = library::of(&program.functions[function].name);
        let arguments = known.arguments(arguments);
        let mut touched = Touched::default();
        if known.function.is_unknown() {
            self.external(function, &arguments, &mut touched);
            return touched;
        }
        self.arguments(known, &arguments, &mut touched);
        self.formatted(known.function, &arguments, &mut touched);
        for &at in &known.function.deep {
            if let Some(&argument) = arguments.get(at) {
                let stored = self.solution.stored(self.program, &self.targets(argument));
                self.add(&stored, BLOCK, &mut touched.writes);
            }
        }
        let errno = known.function.sets_errno.then_some(ERRNO);
        for memory in known.function.own.iter().copied().chain(errno) {
            let own = self.solution.own(memory);
            self.add(own, BLOCK, &mut touched.writes);
        }
        for (var, _) in library::declared(program, known.function) {
            let object = self.solution.var_object(var);
            self.add(&[(object, Offset::At(0))], BLOCK, &mut touched.writes);
        }
        for classes in [&mut touched.reads, &mut touched.writes] {
            classes.sort_unstable();
            classes.dedup();
        }
        touched
    }

    /// What a function outside may touch: what pointers lead to that it is given, from one to the next, but for what is
    /// `const` to it; and with no limit, all that left the program.
    fn external(&self, function: FuncId, arguments: &[ExprId], touched: &mut Touched) {
        let mut reached: Vec<Lead> = match self.program.assumptions.external {
            External::Pure => return,
            External::Arguments => Vec::new(),
            External::Everything => self.solution.escaped(),
        };
        let only_read = &self.program.functions[function].const_params;
        for (at, &argument) in arguments.iter().enumerate() {
            if !only_read.contains(&at) {
                reached.extend(self.solution.given(self.program, argument));
            }
        }
        let mut next = 0;
        while next < reached.len() {
            for target in self.solution.stored(self.program, &[whole(reached[next])]) {
                if !reached.iter().any(|&known| known.0 == target.0) {
                    reached.push(target);
                }
            }
            next += 1;
        }
        let reached: Vec<Lead> = reached.into_iter().map(whole).collect();
        self.add(&reached, BLOCK, &mut touched.writes);
        touched.writes.sort_unstable();
        touched.writes.dedup();
        touched.reads = touched.writes.clone();
    }

    fn arguments(&self, known: Known, arguments: &[ExprId], touched: &mut Touched) {
        for (at, &argument) in arguments.iter().enumerate() {
            let Parameter { reads, writes, .. } = known.function.parameter(at);
            for (extent, classes) in [(reads, &mut touched.reads), (writes, &mut touched.writes)] {
                if let Some(extent) = extent {
                    let width = self.width(known.function, extent, arguments, at);
                    self.add(&self.targets(argument), width, classes);
                }
            }
        }
    }

    /// What a format has the function write: `%n` of the one kind, everything of the other where it goes through a list.
    fn formatted(&self, function: &Function, arguments: &[ExprId], touched: &mut Touched) {
        let Some((at, kind)) = function.format() else {
            return;
        };
        let Some(&format) = arguments.get(at) else {
            return;
        };
        let has_list = function.rest == Parameter::default();
        if kind == Format::Print && !self.may_store(format) {
            return;
        }
        if has_list {
            self.add(self.solution.own(VARIABLE_ARGUMENTS), BLOCK, &mut touched.writes);
        } else if kind == Format::Print {
            for &argument in arguments.iter().skip(function.parameters.len()) {
                self.add(&self.targets(argument), BLOCK, &mut touched.writes);
            }
        }
    }

    /// Whether a format may contain `%n`: nobody writes string literals, and of other strings nothing is known.
    fn may_store(&self, format: ExprId) -> bool {
        self.targets(format).iter().any(|&(object, _)| {
            let ObjectKind::Var(var) = self.solution.object(object).kind else {
                return true;
            };
            match &self.program.vars[var].kind {
                VarKind::Global(Initial::Bytes(text)) => {
                    let mut formats = library::formats(text).into_iter();
                    formats.any(|(_, letter)| letter == b'n')
                }
                _ => true,
            }
        })
    }

    fn targets(&self, argument: ExprId) -> Vec<Lead> {
        self.solution.targets(self.program, argument)
    }

    fn add(&self, targets: &[(ObjectId, Offset)], width: u64, classes: &mut Vec<ClassId>) {
        let regions = self.solution.regions(self.program, targets, width);
        classes.extend(self.classes.of_regions(&regions));
    }

    /// So many bytes at most.
    fn width(&self, function: &Function, extent: Extent, arguments: &[ExprId], at: usize) -> u64 {
        let program = self.program;
        let constant = |at: usize| -> Option<u64> {
            let mut expr = *arguments.get(at)?;
            while let ExprKind::Cast { operand, .. } = program.expr(expr).kind {
                expr = operand;
            }
            match program.expr(expr).kind {
                ExprKind::Int(value) => u64::try_from(value).ok(),
                _ => None,
            }
        };
        let width = match extent {
            Extent::Bytes(bytes) => Some(bytes),
            Extent::Argument(size) => constant(size),
            Extent::Product(a, b) => constant(a).zip(constant(b)).and_then(|(a, b)| a.checked_mul(b)),
            Extent::Object if self.reads_wide_text(function, arguments) => None,
            Extent::Object => {
                let pointee = program.types.pointee(program.expr(arguments[at]).ty);
                let size = pointee.map(|ty| program.types.size(ty));
                // A pointer to bytes points to anything.
                size.filter(|&size| size > 1)
            }
            Extent::String | Extent::Unknown => None,
        };
        width.map_or(BLOCK, |width| width.clamp(1, BLOCK))
    }

    /// Whether a format of `scanf` may fill arrays of objects that are wider than a byte.
    fn reads_wide_text(&self, function: &Function, arguments: &[ExprId]) -> bool {
        let Some((at, Format::Scan)) = function.format() else {
            return false;
        };
        let text = arguments
            .get(at)
            .and_then(|&format| library::literal(self.program, format));
        text.is_none_or(|text| {
            let mut formats = library::formats(text).into_iter();
            formats.any(|(modifiers, letter)| {
                matches!(letter, b'S' | b'C')
                    || modifiers.contains(&b'l') && matches!(letter, b's' | b'c' | b'[')
            })
        })
    }
}

/// The object that a pointer leads into, from its start.
fn whole((object, _): Lead) -> Lead {
    (object, Offset::At(0))
}
