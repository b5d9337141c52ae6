//! The symbols that stand for a program's storage.

use std::collections::BTreeSet;
use std::rc::Rc;

use logic::{ElementSort, FloatKind, Signedness, Sort, Symbol, SymbolInfo, Term, Terms};
use program::{BitRange, EdgeId, ExprId, FuncId, Id, Program, RecordKind, Type, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::effect::Fresh;
use crate::evaluate::Known;
use crate::memory::{Cell, ClassId, MemoryModel};
use crate::placement::{Addresses, Placement};
use crate::step::Effects;

/// A scalar part of a type that can be split into scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub offset: u64,
    pub bits: Option<BitRange>,
    pub ty: TypeId,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// A scalar part of a variable, by its position among the variable's parts.
    Variable(VarId, u32),
    /// The memory of an alias class.
    Memory(ClassId),
    /// The address of a variable: it never changes.
    Address(VarId),
    /// Which addresses are those of allocated blocks that were not freed, an array of bits.
    Allocated,
    /// What is known of blocks of memory, where the program asks about them.
    Blocks(Blocks),
    /// A scalar part of what a function returned last; a byte of it, if it does not split into scalars.
    Result(FuncId, u32),
    /// What another storage held when the current activation of a function began: it does not change until the
    /// function returns. No effect mentions it; whoever enters functions sets it.
    AtEntry(FuncId, Symbol),
}

/// What is known of blocks of memory: of all, an array of words each; of what they hold, all that has to be known of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blocks {
    /// The start of the block that an address points into, or right behind; zero where none is known.
    Start,
    /// By the address of its start, how many bytes a live block has.
    Size,
    /// The address of a byte that is watched: any one.
    Watched,
    /// One if the program wrote that byte, else zero.
    Written,
}

/// A program's storage as symbols of a pool of terms.
pub struct Semantics<'p> {
    pub program: &'p Program,
    pub(crate) memory: &'p dyn MemoryModel,
    pub terms: Terms,
    symbols: FxHashMap<Storage, Symbol>,
    storage: FxHashMap<Symbol, Storage>,
    /// The C type of what a symbol's storage holds; of an address, that of the variable.
    types: FxHashMap<Symbol, TypeId>,
    /// The parts of each type, `None` if it does not split into scalars.
    leaves: FxHashMap<TypeId, Option<Rc<[Leaf]>>>,
    addresses: Addresses,
    /// Symbols that stand for addresses of allocated memory.
    pub(crate) allocated: FxHashSet<Symbol>,
    /// What must hold for the expressions evaluated since the last effect to be defined.
    pub(crate) required: Vec<Term>,
    /// Symbols for what the stores since the last effect leave open.
    pub(crate) unspecified: Vec<Fresh>,
    pub(crate) known: Known,
    /// Edges whose effects are those of defined behaviour only.
    pub(crate) assumed_defined: BTreeSet<EdgeId>,
    /// Conditions that may come out either way.
    pub(crate) left_open: BTreeSet<EdgeId>,
    /// Comparisons that may have either outcome.
    pub(crate) open_comparisons: BTreeSet<ExprId>,
    pub(crate) open_choices: BTreeSet<ExprId>,
    /// Of blocks whose sizes are not numbers, so many cells are followed.
    pub(crate) cells_of_blocks: u64,
    /// Of the steps that were asked for, as they are with what is assumed of their edges.
    pub(crate) effects: Effects,
    /// Of the functions that were asked for, the parameters that they never assign.
    pub(crate) kept_parameters: FxHashMap<FuncId, Rc<BTreeSet<VarId>>>,
    /// Whether the program asks about blocks of memory.
    pub(crate) follows_blocks: bool,
    /// Whether it asks what they hold.
    pub(crate) follows_contents: bool,
    /// Whether programs ask what addresses are multiples of.
    pub(crate) follows_alignment: bool,
}

/// Records of more parts than this are memory.
const MAX_LEAVES: usize = 64;

/// Functions have addresses below the objects'.
const FUNCTIONS_START: u64 = 0x1000;
const FUNCTION_STEP: u64 = 16;

impl<'p> Semantics<'p> {
    pub fn new(program: &'p Program, memory: &'p dyn MemoryModel) -> Semantics<'p> {
        Semantics::placed(program, memory, Placement::Usual)
    }

    /// With objects where the placement says.
    pub fn placed(program: &'p Program, memory: &'p dyn MemoryModel, placement: Placement) -> Semantics<'p> {
        let code = FUNCTION_STEP * (program.functions.len() as u64 + 1) + program.locs.len() as u64;
        let addresses = Addresses::new(program, FUNCTIONS_START + code, placement);
        Semantics {
            program,
            memory,
            terms: Terms::new(),
            symbols: FxHashMap::default(),
            storage: FxHashMap::default(),
            types: FxHashMap::default(),
            leaves: FxHashMap::default(),
            addresses,
            allocated: FxHashSet::default(),
            required: Vec::new(),
            unspecified: Vec::new(),
            known: Known::default(),
            assumed_defined: BTreeSet::new(),
            left_open: BTreeSet::new(),
            open_comparisons: BTreeSet::new(),
            open_choices: BTreeSet::new(),
            cells_of_blocks: 0,
            effects: Effects::default(),
            kept_parameters: FxHashMap::default(),
            follows_blocks: crate::blocks::asks_about_blocks(program),
            follows_contents: crate::blocks::asks_about_contents(program),
            follows_alignment: crate::blocks::asks_about_alignment(program),
        }
    }

    /// Follows what library functions do with blocks of memory and strings of which it is not known how large they are, as far
    /// as they have no more than so many cells. It makes large terms, for engines to whom that does not matter.
    pub fn follow_blocks(&mut self, cells: u64) {
        self.cells_of_blocks = cells;
        self.effects = Effects::default();
    }

    pub fn pointer_bits(&self) -> u32 {
        self.program.types.model().pointer_bits()
    }

    /// What a symbol stands for; `None` for a symbol made for an unknown value.
    pub fn storage_of(&self, symbol: Symbol) -> Option<Storage> {
        self.storage.get(&symbol).copied()
    }

    /// The symbol of a storage, made on first use.
    pub fn symbol(&mut self, storage: Storage) -> Symbol {
        if let Some(&known) = self.symbols.get(&storage) {
            return known;
        }
        let (name, sort, info) = self.describe(storage);
        let mut unique = name.clone();
        let mut count = 1;
        while self.terms.find_symbol(&unique).is_some() {
            count += 1;
            unique = format!("{name}#{count}");
        }
        let symbol = self.terms.symbol(&unique, sort, info);
        self.symbols.insert(storage, symbol);
        self.storage.insert(symbol, storage);
        if let Some(ty) = self.storage_type(storage) {
            self.types.insert(symbol, ty);
        }
        symbol
    }

    fn storage_type(&mut self, storage: Storage) -> Option<TypeId> {
        match storage {
            Storage::Variable(var, part) => Some(self.leaf(self.program.vars[var].ty, part).ty),
            Storage::Address(var) => Some(self.program.vars[var].ty),
            Storage::Result(function, part) => {
                let ty = self.program.result_type(function);
                self.leaves(ty).map(|leaves| leaves[part as usize].ty)
            }
            Storage::AtEntry(_, symbol) => self.symbol_type(symbol),
            Storage::Memory(_) | Storage::Allocated | Storage::Blocks(_) => None,
        }
    }

    /// The C type of what the symbol's storage holds; of an address, that of the variable.
    pub(crate) fn symbol_type(&self, symbol: Symbol) -> Option<TypeId> {
        self.types.get(&symbol).copied()
    }

    /// The storage's value in the current state.
    pub fn current(&mut self, storage: Storage) -> Term {
        let symbol = self.symbol(storage);
        self.terms.symbol_term(symbol)
    }

    fn describe(&mut self, storage: Storage) -> (String, Sort, SymbolInfo) {
        match storage {
            Storage::Variable(var, part) => {
                let ty = self.program.vars[var].ty;
                let leaf = self.leaf(ty, part);
                let name = format!("{}{}", self.qualified_name(var), self.part_name(ty, leaf));
                (name, self.leaf_sort(leaf), self.info(leaf.ty))
            }
            Storage::Result(function, part) => {
                let ty = self.program.result_type(function);
                if self.leaves(ty).is_none() {
                    let name = format!("{}::return[{part}]", self.program.functions[function].name);
                    return (name, Sort::BitVec(8), SymbolInfo::unsigned());
                }
                let leaf = self.leaf(ty, part);
                let name = format!(
                    "{}::return{}",
                    self.program.functions[function].name,
                    self.part_name(ty, leaf)
                );
                (name, self.leaf_sort(leaf), self.info(leaf.ty))
            }
            Storage::AtEntry(function, symbol) => {
                let function = &self.program.functions[function].name;
                let name = self.terms.symbol_name(symbol);
                let plain = name.strip_prefix(&format!("{function}::")).unwrap_or(name);
                let (sort, info) = (
                    self.terms.symbol_sort(symbol),
                    self.terms.symbol_info(symbol).clone(),
                );
                (format!("{function}::\\old({plain})"), sort, info)
            }
            Storage::Memory(class) => {
                let element = match self.memory.cell(class) {
                    Cell::Byte => ElementSort::BitVec(8),
                    Cell::Word(bytes) => ElementSort::BitVec(bytes * 8),
                    Cell::Float(kind) => ElementSort::Float(float_kind(kind)),
                };
                let sort = Sort::Array {
                    index: self.pointer_bits(),
                    element,
                };
                (format!("memory{}", class.0), sort, SymbolInfo::unsigned())
            }
            Storage::Allocated => {
                let sort = Sort::Array {
                    index: self.pointer_bits(),
                    element: ElementSort::BitVec(1),
                };
                ("\\allocated".to_owned(), sort, SymbolInfo::unsigned())
            }
            Storage::Blocks(Blocks::Watched) => {
                let sort = Sort::BitVec(self.pointer_bits());
                ("\\watched".to_owned(), sort, SymbolInfo::unsigned())
            }
            Storage::Blocks(Blocks::Written) => {
                ("\\written".to_owned(), Sort::BitVec(8), SymbolInfo::unsigned())
            }
            Storage::Blocks(what) => {
                let sort = Sort::Array {
                    index: self.pointer_bits(),
                    element: ElementSort::BitVec(self.pointer_bits()),
                };
                let name = if what == Blocks::Start {
                    "\\block"
                } else {
                    "\\size"
                };
                (name.to_owned(), sort, SymbolInfo::unsigned())
            }
            Storage::Address(var) => {
                let text = program::Printer::new(self.program).ty(self.program.vars[var].ty);
                let name = format!("&{}", self.qualified_name(var));
                (
                    name,
                    Sort::BitVec(self.pointer_bits()),
                    SymbolInfo::pointer(format!("{text} *")),
                )
            }
        }
    }

    pub(crate) fn qualified_name(&self, var: VarId) -> String {
        let data = &self.program.vars[var];
        match data.function {
            Some(function) => format!("{}::{}", self.program.functions[function].name, data.name),
            None => data.name.clone(),
        }
    }

    pub(crate) fn part_name(&self, ty: TypeId, leaf: Leaf) -> String {
        let Type::Record(record) = *self.program.types.get(ty) else {
            return String::new();
        };
        let types = &self.program.types;
        let inside = |field: &&program::Field| {
            field.offset <= leaf.offset
                && leaf.offset < field.offset + types.size(field.ty).max(1)
                && field.bits == leaf.bits.filter(|_| field.bits.is_some())
        };
        match types.record(record).fields.iter().find(inside) {
            Some(field) => {
                let rest = Leaf {
                    offset: leaf.offset - field.offset,
                    ..leaf
                };
                let dot = if field.name.is_empty() { "" } else { "." };
                format!("{dot}{}{}", field.name, self.part_name(field.ty, rest))
            }
            None => String::new(),
        }
    }

    /// The scalar parts of a type, if it is a scalar or a struct of such; unions and arrays are not split.
    pub(crate) fn leaves(&mut self, ty: TypeId) -> Option<Rc<[Leaf]>> {
        if let Some(known) = self.leaves.get(&ty) {
            return known.clone();
        }
        let mut parts = Vec::new();
        let splits = self.collect_leaves(ty, 0, &mut parts) && parts.len() <= MAX_LEAVES;
        let result: Option<Rc<[Leaf]>> = splits.then(|| parts.into());
        self.leaves.insert(ty, result.clone());
        result
    }

    fn collect_leaves(&self, ty: TypeId, offset: u64, parts: &mut Vec<Leaf>) -> bool {
        let types = &self.program.types;
        match *types.get(ty) {
            Type::Record(record) => {
                let record = types.record(record);
                // A record without fields may be an opaque type: its bytes are all it has.
                record.kind == RecordKind::Struct
                    && (!record.fields.is_empty() || record.size == 0)
                    && record.fields.iter().all(|field| match field.bits {
                        // It only says where the next one begins.
                        Some(bits) if bits.width == 0 => true,
                        Some(_) => {
                            parts.push(Leaf {
                                offset: offset + field.offset,
                                bits: field.bits,
                                ty: field.ty,
                            });
                            true
                        }
                        None => self.collect_leaves(field.ty, offset + field.offset, parts),
                    })
            }
            _ if types.is_scalar(ty) => {
                parts.push(Leaf {
                    offset,
                    bits: None,
                    ty,
                });
                true
            }
            _ => false,
        }
    }

    /// Where the scalar parts of a type lie, in the order of their numbers; `None` if it does not split into scalars.
    pub fn parts(&mut self, ty: TypeId) -> Option<Vec<(u64, Option<BitRange>)>> {
        let leaves = self.leaves(ty)?;
        Some(leaves.iter().map(|leaf| (leaf.offset, leaf.bits)).collect())
    }

    pub(crate) fn leaf(&mut self, ty: TypeId, part: u32) -> Leaf {
        self.leaves(ty).expect("only types that split have parts")[part as usize]
    }

    /// Whether the variable is symbols of its own, not memory.
    pub fn is_split(&mut self, var: VarId) -> bool {
        self.memory.is_plain(var) && self.leaves(self.program.vars[var].ty).is_some()
    }

    pub(crate) fn leaf_sort(&self, leaf: Leaf) -> Sort {
        match leaf.bits {
            Some(bits) => Sort::BitVec(bits.width),
            None => self.sort(leaf.ty),
        }
    }

    /// The sort of a scalar type.
    pub fn sort(&self, ty: TypeId) -> Sort {
        match self.program.types.float_kind(ty) {
            Some(kind) => Sort::Float(float_kind(kind)),
            None => Sort::BitVec(
                self.program
                    .types
                    .int_shape(ty)
                    .expect("a scalar is a float or like an integer")
                    .bits,
            ),
        }
    }

    pub(crate) fn info(&self, ty: TypeId) -> SymbolInfo {
        let c_type = Some(program::Printer::new(self.program).ty(ty));
        let signedness = if self.program.types.is_pointer(ty) {
            Signedness::Pointer
        } else if self
            .program
            .types
            .int_shape(ty)
            .is_some_and(|shape| !shape.signed)
        {
            Signedness::Unsigned
        } else {
            Signedness::Signed
        };
        SymbolInfo { signedness, c_type }
    }

    /// A new symbol for a value that nothing determines.
    pub(crate) fn unknown(&mut self, name: &str, sort: Sort, info: SymbolInfo) -> Symbol {
        self.terms.fresh_symbol(name, sort, info)
    }

    /// Where the variable lies in the memory layout that verdicts assume: objects do not overlap, none is at 0.
    pub fn address_value(&self, var: VarId) -> u64 {
        self.addresses.variables[var.index()]
    }

    /// Where the function lies in that layout.
    pub fn function_address(&self, function: FuncId) -> u64 {
        FUNCTIONS_START + FUNCTION_STEP * function.index() as u64
    }

    pub(crate) fn label_address(&self, loc: program::LocId) -> u64 {
        self.function_address(FuncId::from_index(self.program.functions.len())) + loc.index() as u64
    }

    /// The first address above all objects.
    pub fn heap_start(&self) -> u64 {
        self.addresses.heap_start
    }

    /// The first address above allocated memory.
    pub fn heap_end(&self) -> u64 {
        self.addresses.heap_end.unwrap_or_else(|| self.last_address())
    }

    /// The last address that an object may have.
    pub fn last_address(&self) -> u64 {
        u64::MAX >> (64 - self.pointer_bits()) >> 1
    }

    /// How much room an allocation gets whose size is not known. What is larger is assumed not to be allocated.
    pub fn unknown_room(&self) -> u64 {
        match self.pointer_bits() {
            32 => 1 << 24,
            _ => 1 << 40,
        }
    }

    /// The facts about addresses that formulas over these terms may rely on: where variables lie, and that allocated
    /// memory lies apart from them.
    pub fn address_facts(&mut self, roots: &[Term]) -> Vec<Term> {
        let symbols = self.terms.free_symbols(roots);
        let mut facts = Vec::new();
        for symbol in symbols {
            let bits = self.pointer_bits();
            if self.allocated.contains(&symbol) {
                let start = self.terms.word(bits, u128::from(self.addresses.heap_start));
                let term = self.terms.symbol_term(symbol);
                facts.push(self.terms.ule(start, term));
                if let Some(end) = self.addresses.heap_end {
                    let end = self.terms.word(bits, u128::from(end));
                    facts.push(self.terms.ult(term, end));
                }
            } else if let Some(Storage::Address(var)) = self.storage_of(symbol) {
                let value = self.terms.word(bits, u128::from(self.address_value(var)));
                let term = self.terms.symbol_term(symbol);
                facts.push(self.terms.eq(term, value));
            }
        }
        facts
    }
}

pub(crate) fn float_kind(kind: program::FloatKind) -> FloatKind {
    match kind {
        program::FloatKind::Single => FloatKind::F32,
        program::FloatKind::Double => FloatKind::F64,
        program::FloatKind::Extended => FloatKind::F80,
        program::FloatKind::Quad => FloatKind::F128,
    }
}
