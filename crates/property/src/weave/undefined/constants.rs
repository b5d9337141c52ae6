//! Writes to constants: string literals, and static objects that are declared `const`. C leaves them undefined, and where the
//! constants are in memory that cannot be written, the program ends there.
//!
//! Which constants a pointer may lead to is known before (`points-to`), and for most there is none.

use library::Block;
use points_to::{ObjectKind, PointsTo};
use program::{BinaryOp, ExprId, ExprKind, IntKind, PlaceId, Printer, Program, VarId, list_locations};

use super::chain::{Chain, Root};
use super::pointers::shown;
use super::{Evaluation, Found, error, only_if};
use crate::Undefined;
use crate::weave::Weaver;
use crate::weave::edit::Code;

/// The most constants that a write is told apart from.
const MOST: usize = 32;

impl Weaver {
    /// Finds out where pointers lead, if there are constants that they may lead to.
    pub(super) fn look_for_constants(&mut self) {
        let program = &self.program;
        let mut vars = program.vars.ids();
        if vars.any(|var| program.vars[var].is_read_only() && self.taken.contains(var)) {
            let mut so_far = program.clone();
            for (&function, new) in &self.new_locs {
                list_locations(&mut so_far, function, new);
            }
            self.questions.leads_to = Some(PointsTo::new(&so_far, &[self.entry]));
        }
    }

    /// The constants that may be behind a pointer that the program had before functions of strings were written out.
    pub(super) fn constants_behind(&self, pointer: ExprId) -> Vec<VarId> {
        match Chain::of_pointer(&self.program, pointer).root {
            Root::Variable(var) => only_constant(&self.program, var),
            Root::Pointer(from) => self.constants_pointed_to(from),
        }
    }

    fn constants_pointed_to(&self, pointer: ExprId) -> Vec<VarId> {
        let Some(leads_to) = &self.questions.leads_to else {
            return Vec::new();
        };
        let pointees = leads_to.pointees(&self.program, pointer).into_iter();
        let mut constants: Vec<VarId> = pointees
            .filter_map(|pointee| match leads_to.object(pointee.object) {
                ObjectKind::Var(var) if self.program.vars[var].is_read_only() => Some(var),
                _ => None,
            })
            .collect();
        constants.sort_unstable();
        constants.dedup();
        constants
    }
}

impl Evaluation<'_> {
    /// A place is written.
    pub(super) fn changed(&mut self, place: PlaceId, guard: Option<usize>) {
        if !self.checks_accesses() {
            return;
        }
        let program = &self.weaver.program;
        let words = self.weaver.questions.texts.words(place).cloned();
        let what = shown(&Printer::new(program).place(place));
        let root = Chain::of_place(program, place).root;
        let constants = match (&words, root) {
            (Some(words), _) => words.constants.clone(),
            (None, Root::Variable(var)) => only_constant(program, var),
            (None, Root::Pointer(from)) => self.weaver.constants_pointed_to(from),
        };
        let code = self.not_constant(root, &constants, |constant| match &words {
            Some(words) => words.misuse_of(constant),
            None => error(
                Undefined::Deref,
                format!("{what} is written, and is part of {constant}"),
            ),
        });
        if !code.is_empty() {
            self.found.push(Found { code, guard });
        }
    }

    /// What happens where a write goes to one of these constants.
    pub(super) fn not_constant(
        &mut self,
        root: Root,
        constants: &[VarId],
        bad: impl Fn(&str) -> Code,
    ) -> Vec<Code> {
        if constants.len() > MOST {
            let what = format!("a write to what may be one of {} constants", constants.len());
            return vec![Code::Unsupported(what)];
        }
        let mut code = Vec::new();
        for &constant in constants {
            let bad = bad(&described(&self.weaver.program, constant));
            match root {
                Root::Variable(_) => code.push(bad),
                Root::Pointer(from) => {
                    let address = self.weaver.address_of(constant);
                    let (question, room) = self.weaver.ask(self.function, Block::Room, vec![address, from]);
                    let is_there = self.is_some(room);
                    code.extend([question, only_if(is_there, true, vec![bad])]);
                }
            }
        }
        code
    }

    /// That a number of bytes is not zero.
    pub(super) fn is_some(&mut self, bytes: ExprId) -> ExprId {
        let program = &mut self.weaver.program;
        if let ExprKind::Int(bytes) = program.expr(bytes).kind {
            let int = program.types.int(IntKind::Int);
            return program.int(i128::from(bytes != 0), int);
        }
        let (zero, int) = (
            program.int(0, program.expr(bytes).ty),
            program.types.int(IntKind::Int),
        );
        program.binary(BinaryOp::Ne, bytes, zero, int)
    }
}

fn only_constant(program: &Program, var: VarId) -> Vec<VarId> {
    match program.vars[var].is_read_only() {
        true => vec![var],
        false => Vec::new(),
    }
}

/// A constant in the user's words.
fn described(program: &Program, var: VarId) -> String {
    match program.vars[var].is_literal() {
        true => "a string literal, which is constant".to_owned(),
        false => format!("`{}`, which is constant", program.vars[var].name),
    }
}
