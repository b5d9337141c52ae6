//! When local variables live: from where their function starts to where it returns. A variable has one address here, whichever
//! activation it belongs to; where somebody may have kept the address of an earlier one, a second activation has no meaning.

use std::collections::BTreeSet;

use library::{Block, Meaning};
use program::{
    BinaryOp, Callee, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, Id, Initial, IntKind, PlaceKind, TypeId,
    Var, VarId, VarKind,
};

use super::chain::size_of;
use super::holders::Holders;
use super::only_if;
use crate::weave::Weaver;
use crate::weave::edit::Code;

impl Weaver {
    pub(super) fn address_of(&mut self, var: VarId) -> ExprId {
        let place = self.program.var_place(var);
        let ty = self.program.vars[var].ty;
        let ty = self.program.types.pointer(ty);
        self.program.exprs.add(ExprKind::AddressOf(place), ty)
    }

    pub(super) fn lifetimes(&mut self) {
        let Holders { kept, outlived } = std::mem::take(&mut self.questions.holders);
        let runs = |function: &FuncId| self.reach.runs(*function);
        let functions: Vec<FuncId> = self.program.functions.ids().filter(runs).collect();
        for function in functions {
            if self.program.functions[function].body.is_some() {
                self.lifetimes_in(function, &kept);
                self.arrays_of_blocks(function, &outlived);
            }
        }
    }

    fn lifetimes_in(&mut self, function: FuncId, kept: &BTreeSet<VarId>) {
        let data = &self.program.functions[function];
        // What is woven in has no address.
        let taken = |var: &&VarId| var.index() < self.original_vars && self.taken.contains(**var);
        let vars: Vec<VarId> = data
            .params
            .iter()
            .chain(&data.locals)
            .filter(taken)
            .copied()
            .collect();
        let returns = self.edges_of(function, |_, kind| matches!(kind, EdgeKind::Return { .. }));
        let is_entry = function == self.entry && !self.is_called(function);
        let (mut start, mut end) = (Vec::new(), Vec::new());
        for var in vars {
            let address = self.address_of(var);
            if kept.contains(&var) && !is_entry {
                start.extend(self.only_once(var));
            }
            let size = i128::from(size_of(&self.program, var).unwrap_or(0));
            let size_type = self.program.types.size_type();
            let size = self.program.int(size, size_type);
            start.push(self.say(Block::Live, vec![address, size]));
            end.push(self.say(Block::Dead, vec![address]));
        }
        if !is_entry {
            self.stack_memory(function, &mut start, &mut end);
            for edge in returns {
                self.insert_before(edge, &end);
            }
        }
        self.insert_at_entry(function, &start);
    }

    fn is_called(&self, function: FuncId) -> bool {
        let mut sites = self.sites.iter();
        sites.any(|site| site.targets.contains(&function))
    }

    fn edges_of(&self, function: FuncId, wanted: impl Fn(&Weaver, &EdgeKind) -> bool) -> Vec<EdgeId> {
        let body = self.program.functions[function].body.as_ref();
        let new = self.new_locs.get(&function).into_iter().flatten();
        let locs = body.map_or(&[][..], |body| &body.locs).iter().chain(new);
        let edges = locs.flat_map(|&loc| self.program.locs[loc].outgoing.iter().copied());
        edges
            .filter(|&edge| wanted(self, &self.program.edges[edge].kind))
            .collect()
    }

    /// Refuses a second life of a variable.
    fn only_once(&mut self, var: VarId) -> [Code; 2] {
        let int = self.program.types.int(IntKind::Int);
        let name = self.program.vars[var].name.clone();
        let lived = self.new_counter(&format!("block$lived${name}"), int);
        let place = self.program.var_place(lived);
        let (before, yes) = (self.program.read(place), self.program.int(1, int));
        let what = format!("another life of `{name}`, whose address somebody may still know,");
        [
            only_if(before, true, vec![Code::Unsupported(what)]),
            Code::Assign { place, value: yes },
        ]
    }

    /// A global of the property's own that starts with zero.
    pub(super) fn new_counter(&mut self, name: &str, ty: TypeId) -> VarId {
        self.program.vars.push(Var {
            name: name.to_owned(),
            ty,
            kind: VarKind::Global(Initial::Values(Vec::new())),
            function: None,
            span: None,
            is_const: false,
            align: 0,
        })
    }

    /// An array of variable length lives no longer than its block.
    fn arrays_of_blocks(&mut self, function: FuncId, outlived: &BTreeSet<VarId>) {
        for edge in self.edges_of(function, gives_stack_memory) {
            let EdgeKind::Call {
                result: Some(place), ..
            } = self.program.edges[edge].kind
            else {
                continue;
            };
            if let PlaceKind::Var(var) = self.program.place(place).kind
                && self.program.vars[var].kind != VarKind::Temporary
                && outlived.contains(&var)
            {
                let name = &self.program.vars[var].name;
                let what = format!("the address of `{name}`, which may be kept for longer than it lives,");
                self.insert_before(edge, &[Code::Unsupported(what)]);
            }
        }
    }

    /// What `alloca` gives lives as long as the function that calls it. One such block is followed.
    fn stack_memory(&mut self, function: FuncId, start: &mut Vec<Code>, end: &mut Vec<Code>) {
        let calls = self.edges_of(function, gives_stack_memory);
        if calls.is_empty() {
            return;
        }
        let (void, int) = (self.program.types.void(), self.program.types.int(IntKind::Int));
        let pointer = self.program.types.pointer(void);
        let var = self.new_temporary(function, pointer);
        let place = self.program.var_place(var);
        let (block, null) = (self.program.read(place), self.program.int(0, pointer));
        start.push(Code::Assign { place, value: null });
        end.push(self.say(Block::Dead, vec![block]));
        for edge in calls {
            let there = self.program.binary(BinaryOp::Ne, block, null, int);
            let what = "several arrays of variable length in one function".to_owned();
            self.insert_before(edge, &[only_if(there, true, vec![Code::Unsupported(what)])]);
            if let EdgeKind::Call {
                result: Some(result), ..
            } = self.program.edges[edge].kind
            {
                let value = self.program.read(result);
                let value = self.program.convert(value, pointer);
                self.insert_after(edge, &[Code::Assign { place, value }]);
            }
        }
    }
}

fn gives_stack_memory(weaver: &Weaver, kind: &EdgeKind) -> bool {
    let EdgeKind::Call {
        callee: Callee::Direct(callee),
        ..
    } = kind
    else {
        return false;
    };
    let callee = &weaver.program.functions[*callee];
    let row = library::of(&callee.name).function;
    callee.body.is_none() && row.meaning == Some(Meaning::StackMemory)
}
