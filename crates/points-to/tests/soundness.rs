//! Held against execution: programs are run, and every address that an access has must be one that the analysis
//! allows; every byte must be accessed in one class only; every function called through a pointer must be a target;
//! what a function writes must be among its effects.
//!
//! The programs are those in `tests/programs`; with `POINTS_TO_FILES` set to a list of C files (one per line), those
//! are run as well. `POINTS_TO_STEPS` limits the steps of each run.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use c_frontend::{Input, Options};
use interpreter::{Captured, End, NoInputs, Observer, View};
use points_to::{ClassId, ObjectKind, PointsTo};
use program::{
    Callee, DataModel, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, Id, Node, PlaceId, PlaceKind, Program,
    VarId, VarKind, Walk,
};

/// A live object of the run.
#[derive(Clone, Debug)]
struct Instance {
    number: u64,
    size: i128,
    /// What the analysis may know it as.
    kinds: Vec<ObjectKind>,
}

type Objects = BTreeMap<i128, Instance>;

struct Watch<'a> {
    program: &'a Program,
    result: &'a PointsTo,
    taken: program::AddressTaken,
    addresses: HashMap<PlaceId, ExprId>,
    var_addresses: Vec<ExprId>,
    function_values: Vec<(FuncId, ExprId)>,
    functions: HashMap<i128, FuncId>,
    statics: Objects,
    frames: Vec<(FuncId, Objects)>,
    heap: Objects,
    /// The sizes that allocations in progress asked for.
    sizes: HashMap<(usize, EdgeId), i128>,
    classes: HashMap<(u64, i128), (ClassId, PlaceId)>,
    next: u64,
    checked: u64,
    wrong: Vec<String>,
    touched: HashMap<EdgeId, (Vec<PlaceId>, Option<PlaceId>)>,
}

/// The program with the address of every place and function among its expressions, so that a run can be asked.
fn with_addresses(program: &Program) -> (Program, HashMap<PlaceId, ExprId>, Vec<(FuncId, ExprId)>) {
    let mut program = program.clone();
    let mut addresses = HashMap::new();
    let vars: Vec<VarId> = program.vars.ids().collect();
    for var in vars {
        program.var_place(var);
    }
    for place in (0..program.exprs.place_count()).map(PlaceId::from_index) {
        if program.bit_field(place).is_none() {
            let ty = program.place(place).ty;
            let ty = program.types.pointer(ty);
            addresses.insert(place, program.exprs.add(ExprKind::AddressOf(place), ty));
        }
    }
    let functions: Vec<FuncId> = program.functions.ids().collect();
    let values = functions
        .into_iter()
        .map(|function| {
            let ty = program.functions[function].ty;
            let ty = program.types.pointer(ty);
            (function, program.exprs.add(ExprKind::Function(function), ty))
        })
        .collect();
    (program, addresses, values)
}

impl Watch<'_> {
    fn instance(&mut self, size: i128, kinds: Vec<ObjectKind>) -> Instance {
        self.next += 1;
        Instance {
            number: self.next,
            size,
            kinds,
        }
    }

    fn object_of(&mut self, var: VarId, view: &mut View<'_, '_>) -> Option<(i128, Instance)> {
        let (address, _) = view.eval(self.var_addresses[var.index()])?;
        let size = self.program.types.size(self.program.vars[var].ty);
        Some((address, self.instance(size.into(), vec![ObjectKind::Var(var)])))
    }

    /// Brings the list of live objects up to date.
    fn sync(&mut self, view: &mut View<'_, '_>) {
        if self.functions.is_empty() {
            for (function, value) in self.function_values.clone() {
                if let Some((address, _)) = view.eval(value) {
                    self.functions.insert(address, function);
                }
            }
            for (var, data) in self.program.vars.iter() {
                if matches!(data.kind, VarKind::Global(_))
                    && let Some((address, instance)) = self.object_of(var, view)
                {
                    self.statics.insert(address, instance);
                }
            }
        }
        let depth = view.depth();
        self.frames.truncate(depth);
        let Some(function) = view.function() else { return };
        if self.frames.len() == depth && self.frames.last().is_some_and(|(f, _)| *f != function) {
            self.frames.pop();
        }
        if self.frames.len() < depth {
            let data = &self.program.functions[function];
            let mut objects = Objects::new();
            for &var in data.params.iter().chain(&data.locals) {
                if let Some((address, instance)) = self.object_of(var, view) {
                    objects.insert(address, instance);
                }
            }
            self.frames.push((function, objects));
        }
    }

    /// The object that an address lies in, and where in it.
    fn find(&self, address: i128) -> Option<(&Instance, i128)> {
        let all = self.frames.iter().rev().map(|(_, objects)| objects);
        all.chain([&self.statics, &self.heap]).find_map(|objects| {
            let (base, instance) = objects.range(..=address).next_back()?;
            (address < base + instance.size).then_some((instance, address - base))
        })
    }

    fn fail(&mut self, edge: EdgeId, what: String) {
        let at = match &self.program.edges[edge].span {
            Some(span) => self.program.sources.describe(span),
            None => edge.to_string(),
        };
        if self.wrong.len() < 10 {
            self.wrong.push(format!("{at}: {what}"));
        }
    }

    fn address(&self, place: PlaceId, view: &mut View<'_, '_>) -> Option<i128> {
        if let Some(&address) = self.addresses.get(&place) {
            return Some(view.eval(address)?.0);
        }
        let PlaceKind::Field(base, field) = self.program.place(place).kind else {
            unreachable!("bit-fields are fields")
        };
        let program::Type::Record(record) = *self.program.types.get(self.program.place(base).ty) else {
            unreachable!("only records have fields")
        };
        let offset = self.program.types.record(record).fields[field as usize].offset;
        Some(view.eval(self.addresses[&base])?.0 + i128::from(offset))
    }

    fn check(&mut self, edge: EdgeId, place: PlaceId, writes: bool, view: &mut View<'_, '_>) {
        let ty = self.program.place(place).ty;
        if !self.program.types.is_scalar(ty) {
            return;
        }
        let Some(address) = self.address(place, view) else {
            return;
        };
        let Some((instance, offset)) = self.find(address) else {
            return;
        };
        let instance = instance.clone();
        self.checked += 1;
        let name = program::Printer::new(self.program).place(place);
        let byte = u64::try_from(offset).expect("offsets into objects are positive");
        let allowed = instance
            .kinds
            .iter()
            .any(|&kind| self.result.allows(self.program, place, kind, byte));
        if !allowed {
            self.fail(edge, format!("{name} is at byte {byte} of {:?}", instance.kinds));
            return;
        }
        let [class] = self.result.classes_of(self.program, place)[..] else {
            self.fail(edge, format!("{name} is not of one class"));
            return;
        };
        let width = match self.program.bit_field(place) {
            Some(bits) => u64::from(bits.start + bits.width).div_ceil(8),
            None => self.program.types.size(ty),
        };
        for at in 0..i128::from(width) {
            let (other, by) = *self
                .classes
                .entry((instance.number, offset + at))
                .or_insert((class, place));
            if other != class {
                let by = program::Printer::new(self.program).place(by);
                self.fail(edge, format!("{name} and {by} share a byte but not a class"));
                return;
            }
        }
        let private = instance.kinds.iter().any(|kind| match kind {
            ObjectKind::Var(var) => {
                !matches!(self.program.vars[*var].kind, VarKind::Global(_)) && !self.taken.contains(*var)
            }
            _ => false,
        });
        if !private {
            for (function, _) in self.frames.clone() {
                let effects = self.result.effects(function);
                let set = if writes { &effects.writes } else { &effects.reads };
                if !set.contains(class) {
                    let function = &self.program.functions[function].name;
                    self.fail(edge, format!("{name} is not among the effects of {function}"));
                }
            }
        }
    }

    fn touched(&mut self, edge: EdgeId) -> (Vec<PlaceId>, Option<PlaceId>) {
        let program = self.program;
        let found = self.touched.entry(edge).or_insert_with(|| {
            let kind = &program.edges[edge].kind;
            let write = match kind {
                EdgeKind::Assign { place, .. } | EdgeKind::Havoc { place, .. } => Some(*place),
                EdgeKind::Call { result, .. } => *result,
                _ => None,
            };
            let mut reads = Vec::new();
            let mut walk = Walk::new();
            walk.add_edge(kind);
            while let Some(node) = walk.next(program) {
                if let Node::Expr(expr) = node
                    && let ExprKind::Read(place) = program.expr(expr).kind
                {
                    reads.push(place);
                }
            }
            (reads, write)
        });
        found.clone()
    }

    /// What an allocation function is asked for, in bytes.
    fn allocation(&self, edge: EdgeId, view: &mut View<'_, '_>) -> Option<i128> {
        let EdgeKind::Call {
            callee: Callee::Direct(callee),
            arguments,
            ..
        } = &self.program.edges[edge].kind
        else {
            return None;
        };
        let function = &self.program.functions[*callee];
        let mut argument = |at: usize| Some(view.eval(arguments[at])?.0);
        match function.name.trim_start_matches("__builtin_") {
            _ if function.body.is_some() => None,
            "malloc" | "alloca" => argument(0),
            "calloc" => Some(argument(0)? * argument(1)?),
            "realloc" | "aligned_alloc" => argument(1),
            _ => None,
        }
    }
}

impl Observer for Watch<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        self.sync(view);
        let (reads, write) = self.touched(edge);
        for place in reads {
            self.check(edge, place, false, view);
        }
        let kind = &self.program.edges[edge].kind;
        if let (Some(place), EdgeKind::Assign { .. }) = (write, kind) {
            self.check(edge, place, true, view);
        }
        if let EdgeKind::Call {
            callee: Callee::Indirect(pointer),
            ..
        } = kind
            && let Some((address, _)) = view.eval(*pointer)
            && let Some(&function) = self.functions.get(&address)
            && !self
                .result
                .call_targets(self.program, edge)
                .functions
                .contains(&function)
        {
            let name = self.program.functions[function].name.clone();
            self.fail(edge, format!("{name} is not among the targets"));
        }
        if let Some(size) = self.allocation(edge, view) {
            self.sizes.insert((view.depth(), edge), size);
        }
    }

    fn after(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        self.sync(view);
        let EdgeKind::Call {
            result: Some(place), ..
        } = self.program.edges[edge].kind
        else {
            return;
        };
        self.check(edge, place, true, view);
        let Some((address, _)) = view.read(place) else {
            return;
        };
        let kind = ObjectKind::Heap(edge);
        match self.sizes.remove(&(view.depth(), edge)) {
            Some(_) if address == 0 => {}
            Some(size) => {
                let instance = self.instance(size, vec![kind]);
                self.heap.insert(address, instance);
            }
            None => {
                let is_allocation = self.result.objects().any(|(_, known)| known == kind);
                if is_allocation && let Some(instance) = self.heap.get_mut(&address) {
                    instance.kinds.push(kind);
                }
            }
        }
    }
}

/// How many accesses were checked, and what is wrong.
fn check(path: &Path, model: DataModel, ours: bool) -> (u64, Vec<String>) {
    let input = Input {
        path: path.to_owned(),
        options: Options {
            model,
            ..Options::default()
        },
    };
    let program = match c_frontend::load(&[input]) {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}: {}", path.display(), errors[0]),
    };
    let main = program.function_named("main").expect("a program has a main");
    let result = PointsTo::new(&program, &[main]);
    let (mut program, addresses, function_values) = with_addresses(&program);
    let vars: Vec<VarId> = program.vars.ids().collect();
    let var_addresses = vars
        .into_iter()
        .map(|var| addresses[&program.var_place(var)])
        .collect();
    let mut watch = Watch {
        program: &program,
        result: &result,
        taken: program::AddressTaken::new(&program),
        addresses,
        var_addresses,
        function_values,
        functions: HashMap::new(),
        statics: Objects::new(),
        frames: Vec::new(),
        heap: Objects::new(),
        sizes: HashMap::new(),
        classes: HashMap::new(),
        next: 0,
        checked: 0,
        wrong: Vec::new(),
        touched: HashMap::new(),
    };
    let steps = std::env::var("POINTS_TO_STEPS")
        .ok()
        .and_then(|steps| steps.parse().ok());
    let options = interpreter::Options {
        step_limit: Some(steps.unwrap_or(20_000)),
        ..interpreter::Options::default()
    };
    let mut output = Captured::default();
    let outcome = interpreter::run(&program, main, &options, &mut NoInputs, &mut output, &mut watch);
    if let (End::Undefined(undefined), true) = (&outcome.end, ours) {
        watch
            .wrong
            .push(format!("the program itself is undefined: {undefined:?}"));
    }
    (watch.checked, watch.wrong)
}

#[test]
fn runs_stay_within_what_the_analysis_allows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the programs are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.sort();
    let ours = files.len();
    assert!(ours > 0);
    let more = std::env::var("POINTS_TO_FILES").unwrap_or_default();
    files.extend(more.lines().map(PathBuf::from));
    let mut wrong = Vec::new();
    let mut total = 0;
    for (at, file) in files.iter().enumerate() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let ours = at < ours;
            let (checked, found) = check(file, model, ours);
            assert!(checked > 0 || !ours, "{}: nothing was checked", file.display());
            total += checked;
            wrong.extend(
                found
                    .into_iter()
                    .map(|what| format!("{}: {what}", file.display())),
            );
        }
    }
    println!("{total} accesses checked");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
