//! Accesses at addresses that are no multiple of what the type needs: some machines trap there, and compilers rely on that there are
//! none. Which multiples an address surely is of is known for addresses of variables and new memory, and for what they are
//! passed on through: variables that no pointer leads to, parameters and results. Of others the program asks when it runs.

use std::collections::BTreeMap;

use library::{Block, Returns};
use program::{
    AddressTaken, BinaryOp, Callee, DataModel, EdgeKind, ExprId, ExprKind, FuncId, HavocCause, Initial,
    IntKind, Node, PlaceId, PlaceKind, Printer, Program, Type, UnaryOp, VarId, VarKind, Walk,
};

use super::pointers::shown;
use super::{Evaluation, Found, error, only_if};
use crate::Undefined;
use crate::weave::Weaver;
use crate::weave::edit::Code;

/// A multiple of all that types need, as is null.
const ANY: u64 = 1 << 16;

/// What is known of the addresses that variables hold and functions return.
#[derive(Debug, Default)]
pub struct Alignments {
    vars: BTreeMap<VarId, u64>,
    results: BTreeMap<FuncId, u64>,
}

impl Weaver {
    pub(super) fn look_for_alignments(&mut self) {
        let mut known = Alignments::start(&self.program);
        let exposed = exposed(&self.program, self.entry);
        for function in exposed {
            for param in &self.program.functions[function].params {
                known.lower(*param, 1);
            }
        }
        while known.look(self) {}
        self.questions.alignments = known;
    }
}

/// Functions that others call, too, with arguments that nobody knows.
fn exposed(program: &Program, entry: FuncId) -> Vec<FuncId> {
    let mut found = vec![entry];
    let mut walk = Walk::new();
    walk.add_program(program);
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && let ExprKind::Function(function) = program.expr(expr).kind
        {
            found.push(function);
        }
    }
    found
}

impl Alignments {
    /// The variables and functions that something is known of, before anything was looked at.
    fn start(program: &Program) -> Alignments {
        let taken = AddressTaken::new(program);
        let is_known = |var: &VarId| {
            let data = &program.vars[*var];
            let comes_from_outside = matches!(data.kind, VarKind::Global(Initial::External));
            program.types.is_pointer(data.ty) && !taken.contains(*var) && !comes_from_outside
        };
        let vars = program.vars.ids().filter(is_known);
        let results = program.functions.iter();
        let results = results.filter(|(_, function)| function.body.is_some());
        Alignments {
            vars: vars.map(|var| (var, ANY)).collect(),
            results: results.map(|(function, _)| (function, ANY)).collect(),
        }
    }

    fn lower(&mut self, var: VarId, to: u64) -> bool {
        lower(self.vars.get_mut(&var), to)
    }

    /// Looks at what is assigned, passed and returned; whether less is known now.
    fn look(&mut self, weaver: &Weaver) -> bool {
        let program = &weaver.program;
        let mut changed = false;
        for (var, data) in program.vars.iter() {
            if let VarKind::Global(Initial::Values(values)) = &data.kind {
                for &(_, value) in values {
                    let to = self.of(program, value);
                    changed |= self.lower(var, to);
                }
            }
        }
        for edge in program.edges.values() {
            match &edge.kind {
                EdgeKind::Assign { place, value } => {
                    let to = self.of(program, *value);
                    changed |= self.store(program, *place, to);
                }
                EdgeKind::Havoc { place, cause } if *cause != HavocCause::Uninitialised => {
                    changed |= self.store(program, *place, 1);
                }
                EdgeKind::Return { value: Some(value) } => {
                    let to = self.of(program, *value);
                    let function = program.locs[edge.from].function;
                    changed |= lower(self.results.get_mut(&function), to);
                }
                EdgeKind::Call {
                    result,
                    callee,
                    arguments,
                } => {
                    let (given, params) = match *callee {
                        // Whoever a pointer leads to is called by others, too.
                        Callee::Indirect(_) => (1, &[][..]),
                        Callee::Direct(function) => {
                            let params = program.functions[function].params.as_slice();
                            (self.of_result(program, function), params)
                        }
                    };
                    for (&param, &argument) in params.iter().zip(arguments) {
                        let to = self.of(program, argument);
                        changed |= self.lower(param, to);
                    }
                    if let Some(place) = result {
                        changed |= self.store(program, *place, given);
                    }
                }
                _ => {}
            }
        }
        changed
    }

    fn store(&mut self, program: &Program, place: PlaceId, to: u64) -> bool {
        match program.place(place).kind {
            PlaceKind::Var(var) => self.lower(var, to),
            _ => false,
        }
    }

    fn of_result(&self, program: &Program, function: FuncId) -> u64 {
        let data = &program.functions[function];
        if data.body.is_some() {
            return self.results.get(&function).copied().unwrap_or(1);
        }
        match library::of(&data.name).function.returns {
            Returns::New { .. } | Returns::Resized { .. } => of_new_memory(program),
            _ => 1,
        }
    }

    /// What an address is surely a multiple of: a power of two.
    pub fn of(&self, program: &Program, pointer: ExprId) -> u64 {
        let (mut least, mut pending) = (ANY, vec![(Ok(pointer), ANY)]);
        while let Some((at, within)) = pending.pop() {
            let mut next = |at, by| pending.push((at, within.min(by)));
            match at {
                Ok(expr) => match program.expr(expr).kind {
                    ExprKind::Int(value) => least = least.min(within).min(of_offset(value)),
                    ExprKind::Zero => least = least.min(within),
                    ExprKind::AddressOf(place) => next(Err(place), ANY),
                    ExprKind::Cast { operand, .. } if is_address(program, operand) => next(Ok(operand), ANY),
                    ExprKind::Binary(BinaryOp::PointerAdd, base, index) => {
                        let pointee = program.types.pointee(program.expr(base).ty);
                        let size = pointee.map_or(1, |ty| program.types.size(ty));
                        next(Ok(base), of_multiple(program, index, size));
                    }
                    ExprKind::Conditional { then, otherwise, .. } => {
                        next(Ok(then), ANY);
                        next(Ok(otherwise), ANY);
                    }
                    ExprKind::Read(place) => {
                        let known = match program.place(place).kind {
                            PlaceKind::Var(var) => self.vars.get(&var).copied().unwrap_or(1),
                            _ => 1,
                        };
                        least = least.min(within).min(known);
                    }
                    _ => return 1,
                },
                Err(place) => match program.place(place).kind {
                    PlaceKind::Var(var) => {
                        let data = &program.vars[var];
                        least = least
                            .min(within)
                            .min(program.types.align(data.ty).max(data.align).max(1));
                    }
                    PlaceKind::Deref(pointer) => next(Ok(pointer), ANY),
                    PlaceKind::Field(base, field) => {
                        let Type::Record(record) = *program.types.get(program.place(base).ty) else {
                            return 1;
                        };
                        let offset = program.types.record(record).fields[field as usize].offset;
                        next(Err(base), of_offset(i128::from(offset)));
                    }
                    PlaceKind::Index(base, index) => {
                        let size = program.types.size(program.place(place).ty);
                        next(Err(base), of_multiple(program, index, size));
                    }
                },
            }
        }
        least
    }
}

fn lower(known: Option<&mut u64>, to: u64) -> bool {
    known.is_some_and(|known| {
        let is_less = to < *known;
        *known = to.min(*known);
        is_less
    })
}

fn is_address(program: &Program, expr: ExprId) -> bool {
    program.types.is_pointer(program.expr(expr).ty) || matches!(program.expr(expr).kind, ExprKind::Int(_))
}

/// What allocated memory is aligned to, at least.
fn of_new_memory(program: &Program) -> u64 {
    match program.types.model() {
        DataModel::Lp64 => 16,
        DataModel::Ilp32 => 8,
    }
}

/// The largest power of two that divides a number of bytes.
fn of_offset(offset: i128) -> u64 {
    match offset {
        0 => ANY,
        _ => 1 << offset.trailing_zeros().min(ANY.trailing_zeros()),
    }
}

fn of_multiple(program: &Program, index: ExprId, size: u64) -> u64 {
    match program.expr(index).kind {
        ExprKind::Int(value) => of_offset(value.saturating_mul(i128::from(size))),
        _ => of_offset(i128::from(size)),
    }
}

impl Evaluation<'_> {
    /// A place is read or written: the address that it is found by has to be one for its type.
    pub(super) fn aligned(&mut self, place: PlaceId, guard: Option<usize>) {
        if !self.kinds.contains(&Undefined::Alignment) {
            return;
        }
        let program = &self.weaver.program;
        let mut found = place;
        let pointer = loop {
            found = match program.place(found).kind {
                PlaceKind::Var(_) => return,
                PlaceKind::Deref(pointer) => break pointer,
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => base,
            };
        };
        let ty = program.place(found).ty;
        let wanted = match program.types.get(ty) {
            Type::Void | Type::Function(_) => return,
            _ => program.types.align(ty),
        };
        if wanted <= 1 {
            return;
        }
        let is_usual = !program.types.has_lower_alignment();
        if is_usual && self.weaver.questions.alignments.of(program, pointer) >= wanted {
            self.discharged += 1;
            return;
        }
        let printer = Printer::new(program);
        let message = format!(
            "{} is at an address that is no multiple of {wanted}, as `{}` needs",
            shown(&printer.place(place)),
            printer.ty(ty)
        );
        let size = self.weaver.program.types.size_type();
        let wanted = self.weaver.program.int(i128::from(wanted), size);
        let (question, aligned) = self
            .weaver
            .ask(self.function, Block::Aligned, vec![pointer, wanted]);
        let int = self.weaver.program.types.int(IntKind::Int);
        let wrong = self.weaver.program.unary(UnaryOp::Not, aligned, int);
        // Which accesses are those of a type that needs less is not known.
        let bad = match is_usual {
            true => error(Undefined::Alignment, message),
            false => Code::Unsupported("a type that is aligned to less than it usually is".to_owned()),
        };
        self.found.push(Found {
            code: vec![question, only_if(wrong, true, vec![bad])],
            guard,
        });
    }
}
