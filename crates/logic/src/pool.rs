//! The pool: hash-consed nodes, their sorts, and the symbols.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::HashTable;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHasher};

use crate::chains::Chains;
use crate::op::Op;
use crate::sort::{ElementSort, Sort};

/// A term of one [`Terms`] pool. The order of terms is the order in which they were first made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// Its place in the pool: arguments have smaller numbers than the terms made of them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// A free symbol of one [`Terms`] pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How C reads the bits of a symbol. It matters for printing and for guessing with integers, never for the meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Signedness {
    #[default]
    Signed,
    Unsigned,
    Pointer,
}

/// What printing a symbol as C needs to know beside its name.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SymbolInfo {
    pub signedness: Signedness,
    /// The C type as the source writes it, where it is known.
    pub c_type: Option<String>,
}

impl SymbolInfo {
    pub fn signed() -> SymbolInfo {
        SymbolInfo::default()
    }

    pub fn unsigned() -> SymbolInfo {
        SymbolInfo {
            signedness: Signedness::Unsigned,
            c_type: None,
        }
    }

    pub fn pointer(c_type: impl Into<String>) -> SymbolInfo {
        SymbolInfo {
            signedness: Signedness::Pointer,
            c_type: Some(c_type.into()),
        }
    }
}

struct Node {
    op: Op,
    sort: Sort,
    first_argument: u32,
    argument_count: u32,
    most: u128,
}

impl Node {
    fn argument_range(&self) -> std::ops::Range<usize> {
        let first = self.first_argument as usize;
        first..first + self.argument_count as usize
    }
}

struct SymbolData {
    sort: Sort,
    info: SymbolInfo,
    term: Term,
}

/// Invariants: no two nodes have the same operation, sort and arguments; a node's arguments come before it; every
/// node is well sorted; symbol names are unique.
pub struct Terms {
    id: u64,
    nodes: Vec<Node>,
    arguments: Vec<Term>,
    table: HashTable<Term>,
    symbols: IndexMap<String, SymbolData, FxBuildHasher>,
    fresh: u64,
    pub(crate) chains: Chains,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    pub fn new() -> Terms {
        static POOLS: AtomicU64 = AtomicU64::new(0);
        let mut terms = Terms {
            id: POOLS.fetch_add(1, Ordering::Relaxed),
            nodes: Vec::new(),
            arguments: Vec::new(),
            table: HashTable::new(),
            symbols: IndexMap::default(),
            fresh: 0,
            chains: Chains::default(),
        };
        // Their numbers are fixed: see `bool`.
        terms.intern(Op::False, Sort::Bool, &[]);
        terms.intern(Op::True, Sort::Bool, &[]);
        terms
    }

    /// A number that tells pools of one process apart, so that a cache of terms can refuse a stranger's.
    pub fn pool_id(&self) -> u64 {
        self.id
    }

    /// How many different terms were made.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    pub fn args(&self, term: Term) -> &[Term] {
        &self.arguments[self.nodes[term.index()].argument_range()]
    }

    /// The largest number that a word can be, read without a sign, as far as its form tells.
    pub fn most(&self, term: Term) -> u128 {
        self.nodes[term.index()].most
    }

    /// The width of a bit-vector term.
    pub(crate) fn width(&self, term: Term) -> u32 {
        self.sort(term).width().expect("the term is a bit vector")
    }

    pub fn bool(&self, value: bool) -> Term {
        Term(u32::from(value))
    }

    /// The symbol of that name; made if there is none. Asking for it again with another sort breaks an invariant.
    pub fn symbol(&mut self, name: &str, sort: Sort, info: SymbolInfo) -> Symbol {
        if let Some((index, _, data)) = self.symbols.get_full(name) {
            assert!(
                data.sort == sort,
                "symbol `{name}` has sort {}, not {sort}",
                data.sort
            );
            return Symbol(index as u32);
        }
        check_sort(sort);
        let symbol = Symbol(u32::try_from(self.symbols.len()).expect("fewer than 2^32 symbols"));
        let term = self.intern(Op::Symbol(symbol), sort, &[]);
        self.symbols
            .insert(name.to_owned(), SymbolData { sort, info, term });
        symbol
    }

    /// A symbol that did not exist before, named `prefix!n`.
    pub fn fresh_symbol(&mut self, prefix: &str, sort: Sort, info: SymbolInfo) -> Symbol {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if !self.symbols.contains_key(&name) {
                return self.symbol(&name, sort, info);
            }
        }
    }

    /// The term of the symbol of that name; see [`Terms::symbol`].
    pub fn var(&mut self, name: &str, sort: Sort, info: SymbolInfo) -> Term {
        let symbol = self.symbol(name, sort, info);
        self.symbol_term(symbol)
    }

    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get_index_of(name).map(|index| Symbol(index as u32))
    }

    fn symbol_data(&self, symbol: Symbol) -> (&String, &SymbolData) {
        self.symbols
            .get_index(symbol.index())
            .expect("the symbol is of this pool")
    }

    pub fn symbol_term(&self, symbol: Symbol) -> Term {
        self.symbol_data(symbol).1.term
    }

    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        self.symbol_data(symbol).0
    }

    pub fn symbol_sort(&self, symbol: Symbol) -> Sort {
        self.symbol_data(symbol).1.sort
    }

    pub fn symbol_info(&self, symbol: Symbol) -> &SymbolInfo {
        &self.symbol_data(symbol).1.info
    }

    /// The symbol that the term is.
    pub fn as_symbol(&self, term: Term) -> Option<Symbol> {
        match self.op(term) {
            Op::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// The bits of a constant word.
    pub fn as_word(&self, term: Term) -> Option<u128> {
        match self.op(term) {
            Op::Word(bits) => Some(bits),
            _ => None,
        }
    }

    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.op(term) {
            Op::True => Some(true),
            Op::False => Some(false),
            _ => None,
        }
    }

    pub fn is_constant(&self, term: Term) -> bool {
        self.op(term).is_constant()
    }

    /// The node as given, without any simplification: for tests of the simplifier and for printing.
    ///
    /// `sort` is the result's sort; ill-sorted arguments break an invariant.
    pub fn raw(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        self.intern(op, sort, args)
    }

    pub(crate) fn intern(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        let Terms {
            nodes,
            arguments,
            table,
            ..
        } = self;
        let hash = hash_node(op, sort, args);
        let found = table.find(hash, |term| {
            let node = &nodes[term.index()];
            node.op == op && node.sort == sort && &arguments[node.argument_range()] == args
        });
        if let Some(term) = found {
            return *term;
        }
        debug_assert!(
            self.well_sorted(op, sort, args),
            "ill-sorted: {op:?} {args:?} as {sort}"
        );
        let most = self.extent(op, sort, args);
        let Terms {
            nodes,
            arguments,
            table,
            ..
        } = self;
        let term = Term(u32::try_from(nodes.len()).expect("fewer than 2^32 terms"));
        let first_argument = u32::try_from(arguments.len()).expect("fewer than 2^32 arguments");
        arguments.extend_from_slice(args);
        nodes.push(Node {
            op,
            sort,
            first_argument,
            argument_count: args.len() as u32,
            most,
        });
        table.insert_unique(hash, term, |other| {
            let node = &nodes[other.index()];
            hash_node(node.op, node.sort, &arguments[node.argument_range()])
        });
        term
    }

    fn well_sorted(&self, op: Op, sort: Sort, args: &[Term]) -> bool {
        let sorts: Vec<Sort> = args.iter().map(|a| self.sort(*a)).collect();
        let word = |s: Sort| s.width().is_some();
        match (op, sorts.as_slice()) {
            (Op::True | Op::False, []) => sort.is_bool(),
            (Op::Word(bits), []) => sort.width().is_some_and(|w| bits & !crate::bits::mask(w) == 0),
            (Op::Float(bits), []) => {
                matches!(sort, Sort::Float(kind) if crate::float::canonical(bits, kind) == bits)
            }
            (Op::Symbol(_), []) => true,
            (Op::Not, [a]) => a.is_bool() && sort.is_bool(),
            (Op::And | Op::Or, [_, _, ..]) => sort.is_bool() && sorts.iter().all(|s| s.is_bool()),
            (Op::Eq, [a, b]) => a == b && sort.is_bool(),
            (Op::Ite, [c, a, b]) => c.is_bool() && a == b && *a == sort,
            (Op::Add | Op::Mul | Op::BitAnd | Op::BitOr | Op::BitXor, [_, _, ..]) => {
                word(sort) && sorts.iter().all(|s| *s == sort)
            }
            (Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem | Op::Shl | Op::Lshr | Op::Ashr, [a, b]) => {
                word(sort) && *a == sort && *b == sort
            }
            (Op::BitNot, [a]) => word(sort) && *a == sort,
            (Op::Ult | Op::Ule | Op::Slt | Op::Sle, [a, b]) => word(*a) && a == b && sort.is_bool(),
            (Op::Concat, [Sort::BitVec(a), Sort::BitVec(b)]) => sort == Sort::BitVec(a + b) && a + b <= 128,
            (Op::Extract { high, low }, [Sort::BitVec(a)]) => {
                low <= high && high < *a && sort == Sort::BitVec(high - low + 1)
            }
            (Op::ZeroExtend | Op::SignExtend, [Sort::BitVec(a)]) => {
                sort.width().is_some_and(|w| w > *a && w <= 128)
            }
            (Op::Select, [Sort::Array { index, element }, i]) => {
                *i == Sort::BitVec(*index) && sort == Sort::from(*element)
            }
            (Op::Store, [array @ Sort::Array { index, element }, i, v]) => {
                *i == Sort::BitVec(*index) && *v == Sort::from(*element) && sort == *array
            }
            (Op::ConstArray, [v]) => matches!(sort, Sort::Array { element, .. } if Sort::from(element) == *v),
            (Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv, [Sort::Float(_), _]) => {
                sorts[0] == sorts[1] && sort == sorts[0]
            }
            (Op::FpNeg | Op::FpAbs, [Sort::Float(_)]) => sort == sorts[0],
            (Op::FpEq | Op::FpLt | Op::FpLe, [Sort::Float(_), _]) => sorts[0] == sorts[1] && sort.is_bool(),
            (Op::FpIsNan | Op::FpIsInfinite, [Sort::Float(_)]) => sort.is_bool(),
            (Op::FpConvert, [Sort::Float(_)]) => matches!(sort, Sort::Float(_)),
            (Op::FpFromSigned | Op::FpFromUnsigned, [Sort::BitVec(_)]) => matches!(sort, Sort::Float(_)),
            (Op::FpToSigned | Op::FpToUnsigned, [Sort::Float(_)]) => word(sort),
            (Op::FpFromBits, [Sort::BitVec(a)]) => matches!(sort, Sort::Float(kind) if kind.width() == *a),
            (Op::FpToBits, [Sort::Float(kind)]) => sort == Sort::BitVec(kind.width()),
            _ => false,
        }
    }
}

fn check_sort(sort: Sort) {
    let fits = |width: u32| (1..=Sort::MAX_WIDTH).contains(&width);
    let valid = match sort {
        Sort::BitVec(width) => fits(width),
        Sort::Array { index, element } => {
            fits(index) && !matches!(element, ElementSort::BitVec(width) if !fits(width))
        }
        Sort::Bool | Sort::Float(_) => true,
    };
    assert!(valid, "bit vectors have 1 to {} bits: {sort}", Sort::MAX_WIDTH);
}

fn hash_node(op: Op, sort: Sort, args: &[Term]) -> u64 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    sort.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}
