//! Declarations that a jump leaves out. An object lives from the entry of its block, however the block is entered, and has no
//! definite value until its declaration is reached. Where a `goto` or a `case` leads past a declaration, the object is therefore made
//! indefinite on the way into its block; everywhere else the declaration itself does that.

use program::HavocCause;
use rucc_sema as sema;
use rustc_hash::FxHashMap;
use sema::{DeclKind, Stmt, StorageDuration};

use super::{Entity, Lowering};
use crate::unit::Unit;

/// How many `goto` statements each label of a file has.
pub(super) fn gotos(unit: &Unit) -> FxHashMap<sema::LabelId, usize> {
    let mut counts = FxHashMap::default();
    for index in 0..unit.tast.counts().stmts {
        if let Stmt::Goto(label) = unit.tast[sema::StmtId::from_usize(index)] {
            *counts.entry(label).or_default() += 1;
        }
    }
    counts
}

/// What control can jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Landing {
    Label(sema::LabelId),
    Case(sema::CaseId),
    /// The statement behind `default:`.
    Default(sema::StmtId),
}

/// What is known of a body's blocks before it is lowered. A block is known by its statement.
#[derive(Default)]
pub(super) struct Blocks {
    /// The blocks around each target, outermost first.
    around: FxHashMap<Landing, Vec<sema::StmtId>>,
    /// The objects of each block that a jump may lead past the declaration of.
    skipped: FxHashMap<sema::StmtId, Vec<sema::DeclId>>,
}

impl Blocks {
    pub(super) fn around(&self, target: Landing) -> Option<&Vec<sema::StmtId>> {
        self.around.get(&target)
    }
}

/// A walk over a body. Positions count statements, in the order of the text.
#[derive(Default)]
struct Survey {
    position: usize,
    open: Vec<Open>,
    /// Where each block ends.
    ends: FxHashMap<sema::StmtId, usize>,
    /// For each target the declarations before it in the blocks around it.
    passed: Vec<(Landing, Vec<Declared>)>,
    /// Where the jumps to each target stand.
    jumps: FxHashMap<Landing, Vec<usize>>,
    /// Where the jumps to any label stand.
    computed: Vec<usize>,
}

struct Open {
    block: sema::StmtId,
    declared: Vec<Declared>,
}

#[derive(Clone, Copy)]
struct Declared {
    block: sema::StmtId,
    decl: sema::DeclId,
    position: usize,
}

impl Lowering<'_> {
    /// Looks through a function's body, or through a statement expression, before it is lowered.
    pub(super) fn survey_blocks(&mut self, body: sema::StmtId) {
        let outer: Vec<sema::StmtId> = self.body.scopes.iter().map(|scope| scope.block).collect();
        let mut survey = Survey::default();
        self.survey(body, &outer, &mut survey);
        for (target, passed) in &survey.passed {
            let mut jumps: Vec<usize> = survey.jumps.get(target).cloned().unwrap_or_default();
            if let Landing::Label(label) = target {
                // A jump out of a statement expression was not met on the walk: it may stand anywhere.
                if self.gotos.get(label).is_some_and(|&all| all > jumps.len()) {
                    jumps.push(0);
                }
                jumps.extend(&survey.computed);
            }
            for declared in passed {
                let inside = declared.position..=survey.ends[&declared.block];
                let skipped = self.body.blocks.skipped.entry(declared.block).or_default();
                if jumps.iter().any(|jump| !inside.contains(jump)) && !skipped.contains(&declared.decl) {
                    skipped.push(declared.decl);
                }
            }
        }
    }

    fn survey(&mut self, id: sema::StmtId, outer: &[sema::StmtId], survey: &mut Survey) {
        survey.position += 1;
        let stmt = self.unit.tast[id];
        let opens = matches!(stmt, Stmt::Block(_) | Stmt::For { .. });
        if opens {
            survey.open.push(Open {
                block: id,
                declared: Vec::new(),
            });
        }
        match stmt {
            Stmt::Decls(decls) => self.survey_declarations(decls, survey),
            Stmt::Label { label, .. } => self.survey_target(Landing::Label(label), outer, survey),
            Stmt::Case { case, .. } => self.survey_target(Landing::Case(case), outer, survey),
            Stmt::Default { body } => self.survey_target(Landing::Default(body), outer, survey),
            Stmt::Goto(label) => survey.jump(Landing::Label(label)),
            Stmt::IndirectGoto(_) => survey.computed.push(survey.position),
            Stmt::Asm(asm) => {
                for &label in &self.unit.tast[self.unit.tast[asm].labels] {
                    survey.jump(Landing::Label(label));
                }
            }
            Stmt::Switch { cases, default, .. } => {
                cases.iter().for_each(|case| survey.jump(Landing::Case(case)));
                default
                    .into_iter()
                    .for_each(|body| survey.jump(Landing::Default(body)));
            }
            _ => {}
        }
        for child in self.children(id) {
            self.survey(child, outer, survey);
        }
        if opens {
            survey.ends.insert(id, survey.position);
            survey.open.pop();
        }
    }

    fn survey_declarations(&self, decls: sema::DeclList, survey: &mut Survey) {
        let position = survey.position;
        for &decl in &self.unit.tast[decls] {
            let info = &self.unit.tast[decl];
            let is_object =
                matches!(info.kind, DeclKind::Object) && info.duration == StorageDuration::Automatic;
            // No jump may lead into the scope of an array of variable length.
            if let Some(open) = survey
                .open
                .last_mut()
                .filter(|_| is_object && !self.is_variable_length(info.ty))
            {
                open.declared.push(Declared {
                    block: open.block,
                    decl,
                    position,
                });
            }
        }
    }

    fn survey_target(&mut self, target: Landing, outer: &[sema::StmtId], survey: &mut Survey) {
        let blocks = survey.open.iter().map(|open| open.block);
        let around = outer.iter().copied().chain(blocks).collect();
        self.body.blocks.around.insert(target, around);
        let passed = survey.open.iter().flat_map(|open| open.declared.iter().copied());
        survey.passed.push((target, passed.collect()));
    }

    /// What is skipped in a block becomes indefinite on the way into it.
    pub(super) fn enter_block(&mut self, block: sema::StmtId) {
        for decl in self.body.blocks.skipped.get(&block).cloned().unwrap_or_default() {
            if let Entity::Var(var) = self.entity(decl) {
                let place = self.program.var_place(var);
                self.havoc(place, HavocCause::Uninitialised);
            }
        }
    }

    /// A jump from the blocks that are open enters those around the target that are not.
    pub(super) fn enter_blocks_around(&mut self, target: Landing) {
        let open: Vec<sema::StmtId> = self.body.scopes.iter().map(|scope| scope.block).collect();
        self.enter_blocks_from(&open, target);
    }

    pub(super) fn enter_blocks_from(&mut self, open: &[sema::StmtId], target: Landing) {
        let around = self.body.blocks.around(target).cloned().unwrap_or_default();
        for block in around.into_iter().filter(|block| !open.contains(block)) {
            self.enter_block(block);
        }
    }

    /// Whether a jump to the target makes anything indefinite.
    pub(super) fn enters_with_skipped(&self, open: &[sema::StmtId], target: Landing) -> bool {
        let around = self.body.blocks.around(target).into_iter().flatten();
        let mut entered = around.filter(|block| !open.contains(block));
        entered.any(|block| {
            self.body
                .blocks
                .skipped
                .get(block)
                .is_some_and(|skipped| !skipped.is_empty())
        })
    }
}

impl Survey {
    fn jump(&mut self, target: Landing) {
        let position = self.position;
        self.jumps.entry(target).or_default().push(position);
    }
}
