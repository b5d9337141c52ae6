//! The constraints of a program, function by function as calls are found to reach them.

use library::{Callback, Extent, Known, Passed, Returns};
use program::{
    AddressTaken, Callee, EdgeId, EdgeKind, ExprId, ExprKind, External, FuncId, HavocCause, Id, Initial,
    Node, PlaceId, PlaceKind, Program, Type, TypeId, VarKind, Walk,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fresh;
use crate::layout::{self, Layout, Offset, Shift};
use crate::library::VARIABLE_ARGUMENTS;
use crate::object::{Input, ObjectKind};
use crate::solve::{NodeId, Solver, Use};
use crate::values::{Address, Memo, Values, holds_address, makes_pointers, spells_out_addresses, width};

/// A call through a pointer, made by the program or by a library function.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub edge: EdgeId,
    kind: SiteKind,
}

#[derive(Clone, Debug)]
enum SiteKind {
    /// The edge itself.
    Edge,
    /// A library function calls back, passing pointers from the node.
    Callback(Option<NodeId>),
}

pub(crate) struct Generator<'p> {
    pub values: Values<'p>,
    allocators: Vec<bool>,
    /// What the result of each variable's reads is cast to.
    casts: FxHashMap<program::VarId, Vec<TypeId>>,
    pub reached: Vec<bool>,
    pending: Vec<FuncId>,
    results: FxHashMap<FuncId, NodeId>,
    /// All arguments beyond the declared ones, of all calls.
    variable_arguments: NodeId,
    /// Memory of the library's own, and what it was given to keep, by name.
    pub own: FxHashMap<&'static str, NodeId>,
    pub sites: Vec<Site>,
    bound: FxHashSet<(u32, FuncId)>,
    walk: Walk,
}

impl<'p> Generator<'p> {
    pub fn new(program: &'p Program) -> Generator<'p> {
        let mut values = Values {
            solver: Solver::new(program),
            memo: Memo::default(),
            numeric: spells_out_addresses(program),
            exposed: None,
        };
        if makes_pointers(program) {
            values.exposed = Some(values.solver.node());
        }
        // Every variable has an object, so that all can be asked for.
        for var in program.vars.ids() {
            values.var_object(var);
        }
        let variable_arguments = values.solver.node();
        let taken = AddressTaken::new(program);
        Generator {
            values,
            allocators: fresh::allocators(program, &taken),
            casts: casts(program),
            reached: vec![false; program.functions.len()],
            pending: Vec::new(),
            results: FxHashMap::default(),
            variable_arguments,
            own: FxHashMap::from_iter([(VARIABLE_ARGUMENTS, variable_arguments)]),
            sites: Vec::new(),
            bound: FxHashSet::default(),
            walk: Walk::new(),
        }
    }

    fn program(&self) -> &'p Program {
        self.values.program()
    }

    /// Solves the constraints of all that the entries may run.
    pub fn run(&mut self, entries: &[FuncId]) {
        if !self.program().assumptions.separate {
            self.open();
        }
        self.globals();
        for &entry in entries {
            self.reach(entry);
            let function = &self.program().functions[entry];
            // What `main` is given is made for it.
            let is_own = function.name == "main";
            for &param in &function.params {
                let input = match is_own {
                    true => Input::Param(param),
                    false => self.shared_input(Input::Param(param)),
                };
                self.input_value(input, param);
            }
        }
        loop {
            while let Some(function) = self.pending.pop() {
                self.function(function);
            }
            self.values.solver.solve();
            let Some((site, function)) = self.values.solver.found_calls.pop_front() else {
                if self.pending.is_empty() {
                    return;
                }
                continue;
            };
            self.found_call(site, function);
        }
    }

    /// Variables that others can name are outside as much as inside.
    fn open(&mut self) {
        let outside = self.values.solver.open();
        let program = self.program();
        for (var, data) in program.vars.iter() {
            if program.assumptions.is_nameable(data) {
                let object = self.values.var_object(var);
                let target = self.values.solver.target(object, Offset::At(0));
                self.values.solver.add_target(outside, target);
            }
        }
    }

    /// All pointers from outside lead to the same memory, unless they are taken to be apart.
    fn shared_input(&self, input: Input) -> Input {
        match self.values.solver.outside {
            Some(_) => Input::Deeper,
            None => input,
        }
    }

    fn input_value(&mut self, input: Input, var: program::VarId) {
        let object = self.values.var_object(var);
        let ty = self.program().vars[var].ty;
        self.fill(Address::Known(object, Offset::At(0)), ty, input);
    }

    /// Puts an input's pointers where the type has pointers.
    fn fill(&mut self, address: Address, ty: TypeId, input: Input) {
        let types = &self.program().types;
        let mut pending = vec![(ty, address)];
        while let Some((ty, address)) = pending.pop() {
            match *types.get(ty) {
                Type::Pointer(pointee) => {
                    let target = self.values.solver.input_target(input, Some(pointee));
                    let (object, offset) = self.values.solver.target_at(target);
                    let node = self.values.constant(object, offset);
                    self.values.store(address, types.size(ty), node);
                    // A function that left the program may come back.
                    let may_be_called = matches!(types.get(pointee), Type::Function(_) | Type::Void);
                    if let Some(outside) = self.values.solver.outside.filter(|_| may_be_called) {
                        self.values.store(address, types.size(ty), outside);
                    }
                }
                Type::Array(element, _) => {
                    let step = Shift::Index(types.size(element).max(1));
                    pending.push((element, self.values.moved(address, step)));
                }
                Type::Record(record) => {
                    for field in &types.record(record).fields {
                        let step = Shift::Member(field.offset);
                        pending.push((field.ty, self.values.moved(address, step)));
                    }
                }
                // An integer may be an address that was converted.
                _ if input == Input::Deeper && holds_address(self.program(), ty) => {
                    let target = self.values.solver.input_target(input, None);
                    let (object, offset) = self.values.solver.target_at(target);
                    let node = self.values.constant(object, offset);
                    self.values.store(address, types.size(ty), node);
                }
                _ => {}
            }
        }
    }

    fn globals(&mut self) {
        let program = self.program();
        for var in program.vars.values() {
            if let VarKind::Global(Initial::Values(initial)) = &var.kind {
                for &(place, value) in initial {
                    self.assign(place, value);
                }
            }
        }
    }

    fn reach(&mut self, function: FuncId) {
        let has_body = self.program().functions[function].body.is_some();
        if has_body && !std::mem::replace(&mut self.reached[function.index()], true) {
            self.pending.push(function);
        }
    }

    fn function(&mut self, function: FuncId) {
        let program = self.program();
        let body = program.functions[function].body.as_ref();
        for &loc in body.map_or(&[][..], |body| &body.locs) {
            for &edge in &program.locs[loc].outgoing {
                self.edge(function, edge);
            }
        }
    }

    fn edge(&mut self, function: FuncId, edge: EdgeId) {
        let program = self.program();
        let kind = &program.edges[edge].kind;
        match kind {
            EdgeKind::Assign { place, value } => self.assign(*place, *value),
            EdgeKind::Call {
                callee: Callee::Direct(callee),
                ..
            } => self.call(edge, *callee),
            EdgeKind::Call {
                callee: Callee::Indirect(pointer),
                result,
                arguments,
            } => {
                if let Some(node) = self.values.value(*pointer) {
                    self.call_site(edge, SiteKind::Edge, node);
                }
                if let Some(stranger) = program.stranger {
                    self.library_call(edge, stranger, *result, arguments);
                }
            }
            EdgeKind::Return { value: Some(value) } => self.give_back(function, *value),
            EdgeKind::Havoc {
                place,
                cause: HavocCause::Assembly | HavocCause::Hardware,
            } => {
                let address = self.values.address(*place);
                let input = self.shared_input(Input::Assembly(edge));
                self.fill(address, program.place(*place).ty, input);
            }
            EdgeKind::Return { value: None }
            | EdgeKind::Havoc { .. }
            | EdgeKind::Assume { .. }
            | EdgeKind::Unsupported { .. } => {}
        }
        // Every place that is mentioned will be asked for.
        self.walk.add_edge(kind);
        while let Some(node) = self.walk.next(program) {
            match node {
                Node::Place(place) => {
                    self.values.address(place);
                }
                // An address is exposed wherever it is taken for a number.
                Node::Expr(expr) if self.values.exposed.is_some() => {
                    self.values.value(expr);
                }
                Node::Expr(_) => {}
            }
        }
    }

    fn call_site(&mut self, edge: EdgeId, kind: SiteKind, pointer: NodeId) {
        let number = u32::try_from(self.sites.len()).expect("fewer than 2^32 call sites");
        self.sites.push(Site { edge, kind });
        self.values.solver.add_use(pointer, Use::Call(number));
    }

    fn assign(&mut self, place: PlaceId, value: ExprId) {
        let program = self.program();
        let ty = program.place(place).ty;
        let to = self.values.address(place);
        if program.types.is_scalar(ty) {
            if let Some(node) = self.values.value(value) {
                self.values.store(to, width(program, place), node);
            }
            return;
        }
        for from in self.aggregates(value) {
            self.values.copy_value(to, from, ty);
        }
    }

    /// Where the values of record or array type that an expression may have are.
    fn aggregates(&mut self, value: ExprId) -> Vec<Address> {
        let mut found = Vec::new();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match self.program().expr(value).kind {
                ExprKind::Read(place) => found.push(self.values.address(place)),
                ExprKind::Conditional { then, otherwise, .. } => pending.extend([then, otherwise]),
                ExprKind::Cast { operand, .. } => pending.push(operand),
                _ => {}
            }
        }
        found
    }

    fn result_node(&mut self, function: FuncId) -> NodeId {
        if let Some(&node) = self.results.get(&function) {
            return node;
        }
        let node = self.values.solver.node();
        self.results.insert(function, node);
        node
    }

    /// Where a function leaves a result of record type.
    fn result_address(&mut self, function: FuncId) -> Address {
        let ty = self.program().result_type(function);
        let object = self
            .values
            .solver
            .object(ObjectKind::Result(function), Layout::One(ty), None);
        Address::Known(object, Offset::At(0))
    }

    fn give_back(&mut self, function: FuncId, value: ExprId) {
        let ty = self.program().result_type(function);
        if self.program().types.is_aggregate(ty) {
            let to = self.result_address(function);
            for from in self.aggregates(value) {
                self.values.copy_value(to, from, ty);
            }
        } else if let Some(node) = self.values.value(value) {
            let result = self.result_node(function);
            self.values.solver.copy(node, result);
        }
    }

    /// The functions that each call through a pointer reaches, in order.
    pub fn calls(&self) -> FxHashMap<EdgeId, Vec<FuncId>> {
        let mut calls: FxHashMap<EdgeId, Vec<FuncId>> = FxHashMap::default();
        let mut bound: Vec<(u32, FuncId)> = self.bound.iter().copied().collect();
        bound.sort_unstable();
        for (site, function) in bound {
            let functions = calls.entry(self.sites[site as usize].edge).or_default();
            if !functions.contains(&function) {
                functions.push(function);
            }
        }
        calls.values_mut().for_each(|functions| functions.sort_unstable());
        calls
    }

    fn found_call(&mut self, site: u32, function: FuncId) {
        let Site { edge, kind } = self.sites[site as usize].clone();
        let params = &self.program().functions[function].params;
        if let (EdgeKind::Call { arguments, .. }, SiteKind::Edge) = (&self.program().edges[edge].kind, &kind)
            && params.len() > arguments.len()
        {
            // To call with fewer arguments than parameters is undefined.
            return;
        }
        if !self.bound.insert((site, function)) {
            return;
        }
        match kind {
            SiteKind::Edge => self.call(edge, function),
            SiteKind::Callback(passed) => {
                self.reach(function);
                for &param in params {
                    if let Some(node) = passed {
                        let object = self.values.var_object(param);
                        let ty = self.program().vars[param].ty;
                        self.values
                            .spread(Address::Known(object, Offset::At(0)), ty, node);
                    }
                }
            }
        }
    }

    /// One call of one function.
    fn call(&mut self, edge: EdgeId, function: FuncId) {
        let program = self.program();
        let EdgeKind::Call {
            result, arguments, ..
        } = &program.edges[edge].kind
        else {
            unreachable!("only calls are call sites")
        };
        let callee = &program.functions[function];
        if callee.body.is_none() {
            self.library_call(edge, function, *result, arguments);
            return;
        }
        self.reach(function);
        for (&param, &argument) in callee.params.iter().zip(arguments) {
            let object = self.values.var_object(param);
            self.pass(
                Address::Known(object, Offset::At(0)),
                program.vars[param].ty,
                argument,
            );
        }
        let into = self.variable_arguments;
        for &argument in arguments.iter().skip(callee.params.len()) {
            self.collect(argument, into);
        }
        let Some(place) = *result else { return };
        let ty = program.place(place).ty;
        let to = self.values.address(place);
        if program.types.is_aggregate(ty) {
            let from = self.result_address(function);
            self.values.copy_value(to, from, ty);
        } else if self.allocators[function.index()] {
            self.allocate(edge, to, place);
        } else {
            let node = self.result_node(function);
            self.values.store(to, width(program, place), node);
        }
    }

    fn pass(&mut self, to: Address, ty: TypeId, argument: ExprId) {
        let types = &self.program().types;
        if types.is_aggregate(ty) {
            for from in self.aggregates(argument) {
                self.values.copy_value(to, from, ty);
            }
        } else if let Some(node) = self.values.value(argument) {
            self.values.store(to, types.size(ty), node);
        }
    }

    /// Puts all pointers in an argument into a node.
    fn collect(&mut self, argument: ExprId, into: NodeId) {
        let ty = self.program().expr(argument).ty;
        if self.program().types.is_aggregate(ty) {
            for from in self.aggregates(argument) {
                self.values.gather(from, ty, into);
            }
        } else if let Some(node) = self.values.value(argument) {
            self.values.solver.copy(node, into);
        }
    }

    /// Stores the address of memory that is this call's own.
    fn allocate(&mut self, edge: EdgeId, to: Address, place: PlaceId) {
        let layout = self.allocated_layout(place);
        let object = self.values.solver.object(ObjectKind::Heap(edge), layout, None);
        let node = self.values.constant(object, Offset::At(0));
        self.values.store(to, width(self.program(), place), node);
    }

    /// What allocated memory is used as: the type that the pointer is declared with or cast to, the largest where
    /// there are several. Folding is right whatever the memory is used as; a good guess makes it precise.
    fn allocated_layout(&self, place: PlaceId) -> Layout {
        let program = self.program();
        let mut pointees: Vec<TypeId> = program
            .types
            .pointee(program.place(place).ty)
            .into_iter()
            .collect();
        if let PlaceKind::Var(var) = program.place(place).kind
            && let Some(casts) = self.casts.get(&var)
        {
            pointees.extend(casts.iter().copied());
        }
        pointees.retain(|&ty| layout::many(&program.types, ty) != Layout::Blurred);
        let largest = pointees
            .into_iter()
            .max_by_key(|&ty| (program.types.size(ty), ty));
        largest.map_or(Layout::Blurred, |ty| layout::many(&program.types, ty))
    }

    fn library_call(
        &mut self,
        edge: EdgeId,
        function: FuncId,
        result: Option<PlaceId>,
        arguments: &[ExprId],
    ) {
        let program = self.program();
        let known = library::of(&program.functions[function].name);
        let arguments = &known.arguments(arguments)[..];
        let model = known.function;
        if model.is_unknown() {
            self.external_call(edge, arguments);
        }
        if let Some((at, memory)) = model.keeps
            && let Some(kept) = self.argument(arguments, at)
        {
            let own = self.own_memory(memory);
            self.values.solver.copy(kept, own);
        }
        if let Some(copies) = model.copies
            && let (Some(&to), Some(&from)) = (arguments.get(copies.to), arguments.get(copies.from))
        {
            let length = match model.parameter(copies.to).writes {
                Some(Extent::Argument(at)) => arguments.get(at).copied(),
                _ => None,
            };
            self.library_copy(to, from, length);
        }
        for stores in &model.stores {
            if let Passed::Own(memory) = stores.what
                && let Some(&argument) = arguments.get(stores.behind)
                && let Some(stored) = program.types.pointee(program.expr(argument).ty)
                && let Some(pointee) = program.types.pointee(stored)
            {
                self.own_memory_of(memory, pointee);
            }
            if let Some(place) = self.argument(arguments, stores.behind)
                && let Some(from) = self.passed(edge, arguments, stores.what)
            {
                self.values
                    .store(Address::Through(place), self.pointer_size(), from);
            }
        }
        self.scanned(edge, known, arguments);
        for (var, pointer) in library::declared(program, model) {
            if let Some(from) = pointer.and_then(|pointer| self.passed(edge, arguments, pointer)) {
                let object = self.values.var_object(var);
                let to = Address::Known(object, Offset::At(0));
                self.values.store(to, self.pointer_size(), from);
            }
        }
        for callback in &model.calls {
            self.call_back(edge, arguments, callback, false);
        }
        if let Some(registers) = &model.registers {
            self.call_back(edge, arguments, &registers.callback, registers.in_record);
        }
        if let Some(place) = result {
            self.library_result(edge, model, place, arguments);
        }
    }

    /// What a function outside is given has left the program, and it may call the functions among it.
    fn external_call(&mut self, edge: EdgeId, arguments: &[ExprId]) {
        let Some(outside) = self.values.solver.outside else {
            return;
        };
        let calls_back = self.program().assumptions.external != External::Pure;
        for &argument in arguments {
            self.collect(argument, outside);
            if calls_back && let Some(pointer) = self.values.value(argument) {
                self.call_site(edge, SiteKind::Callback(Some(outside)), pointer);
            }
        }
    }

    fn argument(&mut self, arguments: &[ExprId], at: usize) -> Option<NodeId> {
        let &argument = arguments.get(at)?;
        self.values.value(argument)
    }

    fn own_memory(&mut self, memory: &'static str) -> NodeId {
        let solver = &mut self.values.solver;
        *self.own.entry(memory).or_insert_with(|| solver.node())
    }

    /// A pointer that a library function passes on.
    fn passed(&mut self, edge: EdgeId, arguments: &[ExprId], passed: Passed) -> Option<NodeId> {
        match passed {
            Passed::Argument(at) => self.argument(arguments, at),
            Passed::Into(at) => {
                let node = self.argument(arguments, at)?;
                Some(self.values.shifted(node, Shift::SomeElements(1)))
            }
            Passed::IntoStored(at) => {
                let node = self.argument(arguments, at)?;
                let size = self.pointer_size();
                let any = self.values.shifted(node, Shift::SomeElements(size));
                let stored = self.values.load(Address::Through(any), size)?;
                Some(self.values.shifted(stored, Shift::SomeElements(1)))
            }
            Passed::New => {
                let solver = &mut self.values.solver;
                let object = solver.object(ObjectKind::Heap(edge), Layout::Blurred, None);
                Some(self.values.constant(object, Offset::At(0)))
            }
            Passed::Own(memory) => Some(self.own_memory(memory)),
        }
    }

    /// Memory of the library's own, used as values of the type.
    fn own_memory_of(&mut self, memory: &'static str, pointee: TypeId) -> NodeId {
        let own = self.own_memory(memory);
        let solver = &mut self.values.solver;
        let target = solver.input_target(Input::Library(memory), Some(pointee));
        solver.add_target(own, target);
        own
    }

    /// `scanf` may store pointers that it was given in text, or to memory that it allocates.
    fn scanned(&mut self, edge: EdgeId, known: Known, arguments: &[ExprId]) {
        if !matches!(known.function.format(), Some((_, library::Format::Scan))) {
            return;
        }
        let types = &self.program().types;
        for &argument in arguments.iter().skip(known.function.parameters.len()) {
            let pointee = types.pointee(self.program().expr(argument).ty);
            if pointee.is_some_and(|ty| types.is_pointer(ty))
                && let Some(place) = self.values.value(argument)
                && let Some(new) = self.passed(edge, arguments, Passed::New)
            {
                self.values
                    .store(Address::Through(place), self.pointer_size(), new);
            }
        }
    }

    fn call_back(&mut self, edge: EdgeId, arguments: &[ExprId], callback: &Callback, in_record: bool) {
        let Some(mut pointer) = self.argument(arguments, callback.function) else {
            return;
        };
        if in_record {
            match self.values.load(Address::Through(pointer), self.pointer_size()) {
                Some(stored) => pointer = stored,
                None => return,
            }
        }
        let mut passed: Option<NodeId> = None;
        for &from in &callback.passed {
            if let Some(node) = self.passed(edge, arguments, from) {
                let into = *passed.get_or_insert_with(|| self.values.solver.node());
                let node = self.values.shifted(node, Shift::Anywhere);
                self.values.solver.copy(node, into);
            }
        }
        self.call_site(edge, SiteKind::Callback(passed), pointer);
    }

    fn pointer_size(&self) -> u64 {
        u64::from(self.program().types.model().pointer_bits() / 8)
    }

    fn library_result(
        &mut self,
        edge: EdgeId,
        model: &library::Function,
        place: PlaceId,
        arguments: &[ExprId],
    ) {
        let (returns, is_unknown) = (model.returns, model.is_unknown());
        let program = self.program();
        let ty = program.place(place).ty;
        let to = self.values.address(place);
        let node = match returns {
            Returns::New { .. } => return self.allocate(edge, to, place),
            Returns::Nothing | Returns::Computed | Returns::Input(..) => {
                let input = match is_unknown {
                    true => self.shared_input(Input::Call(edge)),
                    false => Input::Call(edge),
                };
                return self.fill(to, ty, input);
            }
            Returns::VariableArgument => {
                let node = self.variable_arguments;
                match program.types.is_aggregate(ty) {
                    true => return self.values.spread(to, ty, node),
                    false => Some(node),
                }
            }
            Returns::Pointer { from, .. } => self.passed(edge, arguments, from),
            Returns::Own {
                memory, only_kept, ..
            } => match program.types.pointee(ty).filter(|_| !only_kept) {
                Some(pointee) => Some(self.own_memory_of(memory, pointee)),
                None => Some(self.own_memory(memory)),
            },
            Returns::Resized { block, .. } => {
                let old = self.argument(arguments, block);
                self.allocate(edge, to, place);
                if let Some(old) = old {
                    let object = self
                        .values
                        .solver
                        .object(ObjectKind::Heap(edge), Layout::Blurred, None);
                    let new = Address::Known(object, Offset::At(0));
                    let layout = self.values.solver.get(object).layout;
                    let ty = match layout {
                        Layout::One(ty) | Layout::Many(ty) => Some(ty),
                        Layout::Blurred => None,
                    };
                    self.values.copy_bytes(new, Address::Through(old), ty, None);
                }
                old
            }
        };
        if let Some(node) = node
            && holds_address(program, ty)
        {
            self.values.store(to, width(program, place), node);
        }
    }

    fn library_copy(&mut self, to: ExprId, from: ExprId, length: Option<ExprId>) {
        let program = self.program();
        let length = length.and_then(|length| match program.expr(length).kind {
            ExprKind::Int(length) => u64::try_from(length).ok(),
            _ => None,
        });
        let ty = match (self.pointed_type(to), self.pointed_type(from)) {
            (Some(a), Some(b)) if a == b => Some(a),
            (Some(_), Some(_)) | (None, None) => None,
            (Some(ty), None) | (None, Some(ty)) => Some(ty),
        };
        let (Some(to), Some(from)) = (self.values.value(to), self.values.value(from)) else {
            return;
        };
        self.values
            .copy_bytes(Address::Through(to), Address::Through(from), ty, length);
    }

    /// What a pointer pointed to before it was cast to a pointer to bytes.
    fn pointed_type(&self, mut pointer: ExprId) -> Option<TypeId> {
        let types = &self.program().types;
        loop {
            let expr = self.program().expr(pointer);
            let pointee = types.pointee(expr.ty)?;
            if types.size(pointee) > 1 && !matches!(types.get(pointee), Type::Function(_)) {
                return Some(pointee);
            }
            match expr.kind {
                ExprKind::Cast { operand, .. } => pointer = operand,
                _ => return None,
            }
        }
    }
}

/// The types that the pointers in each variable are cast to.
fn casts(program: &Program) -> FxHashMap<program::VarId, Vec<TypeId>> {
    let mut found: FxHashMap<program::VarId, Vec<TypeId>> = FxHashMap::default();
    let mut walk = Walk::new();
    walk.add_program(program);
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && let ExprKind::Cast { operand, .. } = program.expr(expr).kind
            && let Some(pointee) = program.types.pointee(program.expr(expr).ty)
            && let ExprKind::Read(place) = program.expr(operand).kind
            && let PlaceKind::Var(var) = program.place(place).kind
        {
            found.entry(var).or_default().push(pointee);
        }
    }
    found
}
