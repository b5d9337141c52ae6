//! Accesses through pointers, and into variables by pointer arithmetic: there must be as many live bytes as are accessed. And
//! where a program hands on a pointer that it computes, which block it belongs to is said.

use library::Block;
use program::{
    BinaryOp, EdgeId, EdgeKind, ExprId, ExprKind, IntKind, PlaceId, PlaceKind, Printer, Program, UnaryOp,
    VarId,
};

use super::chain::{Chain, Root, size_of};
use super::operators::outside;
use super::{Evaluation, Found, error, only_if};
use crate::Undefined;
use crate::weave::edit::Code;

/// Bytes of a variable, before indices are added.
struct InVariable {
    var: VarId,
    constant: i128,
    size: u64,
}

impl Evaluation<'_> {
    pub(super) fn checks_accesses(&self) -> bool {
        self.kinds.contains(&Undefined::Deref)
    }

    /// A place is read or written.
    pub(super) fn access(&mut self, place: PlaceId, guard: Option<usize>) {
        if !self.checks_accesses() {
            return;
        }
        let program = &self.weaver.program;
        let size = match program.bit_field(place) {
            Some(bits) => u64::from((bits.start + bits.width).div_ceil(8)),
            None => program.types.size(program.place(place).ty),
        };
        let words = self.weaver.questions.texts.words(place).cloned();
        if words.as_ref().is_some_and(|words| words.is_there) {
            self.discharged += 1;
            return;
        }
        let is_stepped = words.is_some();
        let said = words.map(|words| words.misuse());
        let shown = shown(&Printer::new(program).place(place));
        match Chain::of_place(program, place) {
            Chain {
                root: Root::Variable(var),
                constant,
                indices,
            } => {
                let at = InVariable { var, constant, size };
                self.access_variable(&at, &indices, &shown, said, guard);
            }
            chain => {
                let at = self.address(place);
                let wanted = self.weaver.program.types.size_type();
                let wanted = self.weaver.program.int(i128::from(size), wanted);
                let bad = said.unwrap_or_else(|| error(Undefined::Deref, no_memory(&shown)));
                let far = match is_stepped {
                    true => Vec::new(),
                    false => self.too_far(&chain),
                };
                self.access_behind(at, &chain, wanted, bad, far, guard);
            }
        }
    }

    fn address(&mut self, place: PlaceId) -> ExprId {
        let program = &mut self.weaver.program;
        if let PlaceKind::Deref(pointer) = program.place(place).kind {
            return pointer;
        }
        let ty = program.place(place).ty;
        let ty = program.types.pointer(ty);
        program.exprs.add(ExprKind::AddressOf(place), ty)
    }

    /// An access of some bytes at an address that is made from a pointer, and what it is where they are not there.
    pub(super) fn access_behind(
        &mut self,
        at: ExprId,
        chain: &Chain,
        wanted: ExprId,
        bad: Code,
        far: Vec<Code>,
        guard: Option<usize>,
    ) {
        let Root::Pointer(from) = chain.root else {
            unreachable!("accesses of variables are another matter")
        };
        self.hand_on_arms(from, guard);
        let mut code = far;
        let (question, room) = self.weaver.ask(self.function, Block::Room, vec![at, from]);
        let int = self.weaver.program.types.int(IntKind::Int);
        let too_little = self.weaver.program.binary(BinaryOp::Lt, room, wanted, int);
        code.push(question);
        code.push(only_if(too_little, true, vec![bad]));
        self.found.push(Found { code, guard });
    }

    /// An access of some bytes of a variable.
    fn access_variable(
        &mut self,
        &InVariable { var, constant, size }: &InVariable,
        indices: &[(ExprId, u64)],
        shown: &str,
        said: Option<Code>,
        guard: Option<usize>,
    ) {
        let name = self.weaver.program.vars[var].name.clone();
        let Some(bytes) = size_of(&self.weaver.program, var) else {
            let what = format!("an access to `{name}`, whose size is not known");
            return self.found.push(Found {
                code: vec![Code::Unsupported(what)],
                guard,
            });
        };
        let last = i128::from(bytes) - i128::from(size) - constant;
        let program = &mut self.weaver.program;
        let int = program.types.int(IntKind::Int);
        let wrong = match *indices {
            [] if (0..=i128::from(bytes) - i128::from(size)).contains(&constant) => None,
            [] => Some(program.int(1, int)),
            [(index, scale)] if scale > 0 => {
                let scale = i128::from(scale);
                let (low, high) = ((-constant).div_euclid(scale), last.div_euclid(scale));
                // Rounded up.
                let low = low + i128::from((-constant).rem_euclid(scale) != 0);
                match low <= high {
                    true => outside(program, &self.ranges, index, low, high),
                    false => Some(program.int(1, int)),
                }
            }
            _ => self.outside_sum(indices, -constant, last),
        };
        match wrong {
            None => self.discharged += 1,
            Some(wrong) => {
                let message = format!("{shown} is not inside of `{name}`, which has {bytes} bytes");
                let bad = said.unwrap_or_else(|| error(Undefined::Deref, message));
                self.found.push(Found {
                    code: vec![only_if(wrong, true, vec![bad])],
                    guard,
                });
            }
        }
    }

    /// That a sum of several indices is outside of the bounds; nothing where it cannot be.
    fn outside_sum(&mut self, indices: &[(ExprId, u64)], low: i128, high: i128) -> Option<ExprId> {
        let program = &mut self.weaver.program;
        let mut all = Some((0_i128, 0_i128));
        for &(index, scale) in indices {
            let scale = i128::from(scale);
            let range = self.ranges.of(program, index);
            all = all.zip(range).and_then(|(sum, range)| {
                let least = sum.0.checked_add(range.0.checked_mul(scale)?)?;
                Some((least, sum.1.checked_add(range.1.checked_mul(scale)?)?))
            });
        }
        if all.is_some_and(|(least, most)| low <= least && most <= high) {
            return None;
        }
        let fits = |bound: i128| i64::try_from(bound).is_ok();
        let wide = match all {
            Some((least, most)) if fits(least) && fits(most) => IntKind::LongLong,
            _ => IntKind::Int128,
        };
        let (wide, int) = (program.types.int(wide), program.types.int(IntKind::Int));
        let mut sum = program.int(0, wide);
        for &(index, scale) in indices {
            let (index, scale) = (program.convert(index, wide), program.int(i128::from(scale), wide));
            let bytes = program.binary(BinaryOp::Mul, index, scale, wide);
            sum = program.binary(BinaryOp::Add, sum, bytes, wide);
        }
        let (low, high) = (program.int(low, wide), program.int(high, wide));
        let below = program.binary(BinaryOp::Lt, sum, low, int);
        let above = program.binary(BinaryOp::Gt, sum, high, int);
        Some(program.binary(BinaryOp::LogicalOr, below, above, int))
    }

    /// Refuses indices so large that addresses wrap around.
    pub(super) fn too_far(&mut self, chain: &Chain) -> Vec<Code> {
        let bits = self.weaver.program.types.model().pointer_bits();
        let reach = (1_i128 << (bits - 1)) / (chain.indices.len() as i128 + 1);
        let mut code = Vec::new();
        for &(index, scale) in &chain.indices {
            let most = reach / i128::from(scale.max(1));
            if let Some(far) = outside(&mut self.weaver.program, &self.ranges, index, -most, most) {
                let index = Printer::new(&self.weaver.program).expr(index);
                let what = format!("an address as far away as `{index}` may say");
                code.push(only_if(far, true, vec![Code::Unsupported(what)]));
            }
        }
        code
    }

    /// What an edge does with pointers that it computes.
    pub(super) fn handed_on(&mut self, edge: EdgeId) {
        if !self.checks_accesses() {
            return;
        }
        let program = &self.weaver.program;
        let values: Vec<ExprId> = match &program.edges[edge].kind {
            EdgeKind::Assign { value, .. } => vec![*value],
            EdgeKind::Call { arguments, .. } => arguments.clone(),
            EdgeKind::Return { value } => value.iter().copied().collect(),
            EdgeKind::Assume { .. } | EdgeKind::Havoc { .. } | EdgeKind::Unsupported { .. } => return,
        };
        for value in values {
            self.hand_on(value, None);
        }
    }

    /// A pointer that is taken for a number may come back.
    pub(super) fn taken_for_number(&mut self, expr: ExprId, guard: Option<usize>) {
        let program = &self.weaver.program;
        if let ExprKind::Cast { operand, .. } = program.expr(expr).kind
            && self.checks_accesses()
            && program.types.is_pointer(program.expr(operand).ty)
            && !program.types.is_pointer(program.expr(expr).ty)
        {
            self.hand_on(operand, guard);
        }
    }

    /// Says which block a pointer belongs to. What was loaded from somewhere is known already.
    fn hand_on(&mut self, value: ExprId, guard: Option<usize>) {
        let program = &self.weaver.program;
        if !program.types.is_pointer(program.expr(value).ty) {
            return;
        }
        let chain = Chain::of_pointer(program, value);
        let is_moved = chain.constant != 0 || !chain.indices.is_empty();
        let from = match chain.root {
            Root::Pointer(from) => {
                if is_number(program, from) {
                    // As `offsetof` is spelled: it leads nowhere.
                    return;
                }
                self.hand_on_arms(from, guard);
                from
            }
            Root::Variable(var) => {
                if self.weaver.questions.holders.outlived.contains(&var) {
                    let name = &program.vars[var].name;
                    let what =
                        format!("the address of `{name}`, which may be kept for longer than it lives,");
                    return self.found.push(Found {
                        code: vec![Code::Unsupported(what)],
                        guard,
                    });
                }
                self.weaver.address_of(var)
            }
        };
        if !is_moved {
            return;
        }
        let inside = match chain.root {
            Root::Variable(var) if chain.indices.is_empty() => size_of(&self.weaver.program, var)
                .is_some_and(|size| (0..=i128::from(size)).contains(&chain.constant)),
            _ => false,
        };
        if inside || self.weaver.questions.texts.is_stepped(value) {
            let code = vec![self.weaver.say(Block::Same, vec![value, from])];
            return self.found.push(Found { code, guard });
        }
        let shown = shown(&Printer::new(&self.weaver.program).expr(value));
        let mut code = self.too_far(&chain);
        let (question, same) = self.weaver.ask(self.function, Block::Same, vec![value, from]);
        let int = self.weaver.program.types.int(IntKind::Int);
        let other = self.weaver.program.unary(UnaryOp::Not, same, int);
        let what = format!("a pointer outside of its object: {shown}");
        code.push(question);
        code.push(only_if(other, true, vec![Code::Unsupported(what)]));
        self.found.push(Found { code, guard });
    }

    /// Says it of the values that a pointer is chosen from.
    fn hand_on_arms(&mut self, value: ExprId, guard: Option<usize>) {
        let mut pending = vec![(value, guard)];
        while let Some((value, guard)) = pending.pop() {
            let ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } = self.weaver.program.expr(value).kind
            else {
                continue;
            };
            for (arm, holds) in [(then, true), (otherwise, false)] {
                let within = self.guard(guard, condition, holds);
                match Chain::of_pointer(&self.weaver.program, arm).root {
                    Root::Pointer(root) if root == arm => pending.push((arm, within)),
                    _ => self.hand_on(arm, within),
                }
            }
        }
    }
}

fn is_number(program: &Program, mut pointer: ExprId) -> bool {
    while let ExprKind::Cast { operand, .. } = program.expr(pointer).kind {
        pointer = operand;
    }
    matches!(program.expr(pointer).kind, ExprKind::Int(_))
}

pub(super) fn no_memory(shown: &str) -> String {
    format!("{shown} is not in memory that can be accessed: null, freed, or past the end of an object")
}

/// An expression in the user's words, as far as it has any.
pub(super) fn shown(text: &str) -> String {
    match text.contains('$') {
        true => "what is accessed".to_owned(),
        false => format!("`{text}`"),
    }
}
