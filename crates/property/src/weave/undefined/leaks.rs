//! Leaks: how many allocated blocks there are is counted, and at the end of the program there are none (cleanup), or none that
//! no pointer leads to (leak).

use std::collections::BTreeSet;

use library::{Block, Ends, Function, Meaning, Returns};
use program::{BinaryOp, Callee, EdgeId, EdgeKind, ExprId, FuncId, IntKind, PlaceId};

use super::{error, only_if};
use crate::Undefined;
use crate::weave::Weaver;
use crate::weave::edit::Code;

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The entry function returns, and its variables are gone.
    Return,
    Exit,
    Abort,
}

impl Weaver {
    pub(super) fn leaks(&mut self, kinds: &BTreeSet<Undefined>, around: Option<&str>) {
        let kinds: Vec<Undefined> = [Undefined::Leak, Undefined::Cleanup]
            .into_iter()
            .filter(|kind| kinds.contains(kind))
            .collect();
        if kinds.is_empty() {
            return;
        }
        if !self.allocates() {
            self.discharged += kinds.len();
            return;
        }
        let runs: Vec<EdgeId> = self
            .program
            .edges
            .ids()
            .filter(|&edge| {
                let function = self.program.locs[self.program.edges[edge].from].function;
                self.reach.runs(function)
            })
            .collect();
        let int = self.program.types.int(IntKind::Int);
        let count = self.new_counter("block$count", int);
        let count = self.program.var_place(count);
        // What somebody else allocated is not ours to free; but if anything is freed, that may be.
        let others = around.filter(|_| !self.frees());
        for edge in runs {
            match self.program.edges[edge].kind.clone() {
                EdgeKind::Call { .. } if others.is_some_and(|file| self.is_in(edge, file)) => {}
                EdgeKind::Call {
                    result,
                    callee: Callee::Direct(callee),
                    arguments,
                } => self.count_call(edge, callee, &arguments, result, count, &kinds),
                EdgeKind::Return { .. } => {
                    let function = self.program.locs[self.program.edges[edge].from].function;
                    if function == self.entry {
                        let code = self.at_end(function, count, &kinds, End::Return);
                        self.insert_before(edge, &[code]);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether an edge stands in a file.
    fn is_in(&self, edge: EdgeId, file: &str) -> bool {
        let span = self.program.edges[edge].span;
        span.is_some_and(|span| self.program.sources.file(span.file).name == file)
    }

    /// Whether blocks may be freed.
    fn frees(&self) -> bool {
        let sites = self.sites.iter().filter(|site| self.reach.runs(site.caller));
        let mut targets = sites.flat_map(|site| &site.targets);
        targets.any(|&target| {
            let data = &self.program.functions[target];
            let row = library::of(&data.name).function;
            let frees = row.parameters.iter().any(|parameter| parameter.frees);
            data.body.is_none()
                && (frees || matches!(row.returns, Returns::Resized { .. }) || row.is_unknown())
        })
    }

    /// Whether something is allocated that has to be freed.
    fn allocates(&self) -> bool {
        let mut targets = self.sites.iter().flat_map(|site| &site.targets);
        targets.any(|&target| {
            let data = &self.program.functions[target];
            let row = library::of(&data.name).function;
            data.body.is_none() && row.allocates() && row.meaning != Some(Meaning::StackMemory)
        })
    }

    fn count_call(
        &mut self,
        edge: EdgeId,
        callee: FuncId,
        arguments: &[ExprId],
        result: Option<PlaceId>,
        count: PlaceId,
        kinds: &[Undefined],
    ) {
        let data = &self.program.functions[callee];
        if data.body.is_some() {
            return;
        }
        let known = library::of(&data.name);
        let row = known.function;
        let arguments = known.arguments(arguments);
        let function = self.program.locs[self.program.edges[edge].from].function;
        let how = match row.ends {
            Some(Ends::Abort | Ends::Error) => End::Abort,
            Some(Ends::Exit | Ends::QuickExit | Ends::Now) => End::Exit,
            _ => return self.count_blocks(edge, row, &arguments, result, count),
        };
        let code = self.at_end(function, count, kinds, how);
        self.insert_before(edge, &[code]);
    }

    fn count_blocks(
        &mut self,
        edge: EdgeId,
        row: &Function,
        arguments: &[ExprId],
        result: Option<PlaceId>,
        count: PlaceId,
    ) {
        let function = self.program.locs[self.program.edges[edge].from].function;
        match row.returns {
            Returns::New { .. } if row.meaning != Some(Meaning::StackMemory) => match result {
                Some(result) => {
                    let block = self.program.read(result);
                    let code = self.counted(block, count, 1);
                    self.insert_after(edge, &[code]);
                }
                None => self.refuse_uncounted(edge, row),
            },
            Returns::Resized { block, .. } => match (result, arguments.get(block)) {
                (Some(result), Some(&old)) => self.count_resized(edge, function, old, result, count),
                _ => self.refuse_uncounted(edge, row),
            },
            _ => {
                if row
                    .stores
                    .iter()
                    .any(|stores| stores.what == library::Passed::New)
                {
                    self.refuse_uncounted(edge, row);
                }
                let freed = row.parameters.iter().position(|parameter| parameter.frees);
                if let Some(&block) = freed.and_then(|at| arguments.get(at)) {
                    let code = self.counted(block, count, -1);
                    self.insert_before(edge, &[code]);
                }
            }
        }
    }

    fn refuse_uncounted(&mut self, edge: EdgeId, row: &Function) {
        let what = format!("whether what `{}` allocates is freed", row.name);
        self.insert_before(edge, &[Code::Unsupported(what)]);
    }

    /// There is a new block only where there was none before.
    fn count_resized(
        &mut self,
        edge: EdgeId,
        function: FuncId,
        old: ExprId,
        result: PlaceId,
        count: PlaceId,
    ) {
        let int = self.program.types.int(IntKind::Int);
        let ty = self.program.expr(old).ty;
        let null = self.program.int(0, ty);
        let is_new = self.program.binary(BinaryOp::Eq, old, null, int);
        let mut before = Vec::new();
        let is_new = self.keep(is_new, function, Some(result), &mut before);
        self.insert_before(edge, &before);
        let block = self.program.read(result);
        let code = self.counted(block, count, 1);
        self.insert_after(edge, &[only_if(is_new, true, vec![code])]);
    }

    /// Counts a block, if there is one.
    fn counted(&mut self, block: ExprId, count: PlaceId, by: i128) -> Code {
        let int = self.program.types.int(IntKind::Int);
        let ty = self.program.expr(block).ty;
        let null = self.program.int(0, ty);
        let there = self.program.binary(BinaryOp::Ne, block, null, int);
        let (now, by) = (self.program.read(count), self.program.int(by, int));
        let value = self.program.binary(BinaryOp::Add, now, by, int);
        only_if(there, true, vec![Code::Assign { place: count, value }])
    }

    fn at_end(&mut self, function: FuncId, count: PlaceId, kinds: &[Undefined], how: End) -> Code {
        let int = self.program.types.int(IntKind::Int);
        let left = self.program.read(count);
        let mut code = Vec::new();
        for &kind in kinds {
            if kind == Undefined::Cleanup {
                let message = "allocated memory is not freed at the end of the program".to_owned();
                code.push(match how {
                    End::Return | End::Exit => error(kind, message),
                    End::Abort => {
                        Code::Unsupported("whether memory is to be freed when a program aborts".to_owned())
                    }
                });
                break;
            }
            let with_stack = self.program.int(i128::from(how != End::Return), int);
            let (question, lost) = self.ask(function, Block::Lost, vec![with_stack]);
            let message = "no pointer leads to allocated memory any more that is not freed".to_owned();
            code.push(question);
            code.push(only_if(lost, true, vec![error(kind, message)]));
        }
        only_if(left, true, code)
    }
}
