//! Terms as the C source that the user wrote: a read of memory as the place it reads, a variable by its name.
//!
//! `memory[p + 4]` is `p->f` if that is what lies 4 bytes into what `p` points to. The place is found from the address
//! alone: one summand is a pointer or the address of a variable, the others are indices and offsets, and the type says
//! which parts they lead to. An address that does not come apart that way prints as memory.

use std::collections::BTreeMap;

use logic::{CPrinter, Op, Piece, PrintHook, Read, Signedness, Sort, Symbol, Term, Terms};
use program::{Type, TypeId};
use rustc_hash::FxHashSet;

use crate::storage::{Semantics, Storage};

impl Semantics<'_> {
    /// The term as C. Variables are named as in the source, with their function only where two of one name occur.
    pub fn to_c(&self, term: Term) -> String {
        let names = Names::new(self, term);
        CPrinter::new(&self.terms).with_hook(&names).print(term)
    }
}

struct Names<'a, 'p> {
    semantics: &'a Semantics<'p>,
    /// Variables that share their name with another of the term.
    ambiguous: FxHashSet<program::VarId>,
}

/// A place as text, and how it may go on.
struct Text {
    pieces: Vec<Piece>,
    ty: TypeId,
    /// The text is a pointer, and the place is what it points to.
    behind: bool,
}

/// What is added to a base address: a constant and multiples of terms.
struct Displacement {
    constant: i128,
    multiples: Vec<(i128, Term)>,
}

impl<'a, 'p> Names<'a, 'p> {
    fn new(semantics: &'a Semantics<'p>, term: Term) -> Names<'a, 'p> {
        let mut by_name: BTreeMap<&str, FxHashSet<program::VarId>> = BTreeMap::new();
        for symbol in semantics.terms.free_symbols(&[term]) {
            if let Some(Storage::Variable(var, _) | Storage::Address(var)) = semantics.storage_of(symbol) {
                let name = semantics.program.vars[var].name.as_str();
                by_name.entry(name).or_default().insert(var);
            }
        }
        let ambiguous = by_name
            .into_values()
            .filter(|vars| vars.len() > 1)
            .flatten()
            .collect();
        Names { semantics, ambiguous }
    }

    fn name(&self, var: program::VarId) -> String {
        if self.ambiguous.contains(&var) {
            self.semantics.qualified_name(var)
        } else {
            self.semantics.program.vars[var].name.clone()
        }
    }

    fn symbol(&self, symbol: Symbol) -> Option<String> {
        match self.semantics.storage_of(symbol)? {
            Storage::Variable(var, _) => {
                let whole = self.semantics.qualified_name(var);
                let part = self.semantics.terms.symbol_name(symbol).strip_prefix(&whole)?;
                Some(format!("{}{part}", self.name(var)))
            }
            Storage::Address(var) => {
                let decays = matches!(
                    self.semantics
                        .program
                        .types
                        .get(self.semantics.program.vars[var].ty),
                    Type::Array(..)
                );
                let address = if decays { "" } else { "&" };
                Some(format!("{address}{}", self.name(var)))
            }
            Storage::Result(..) => {
                let name = self.semantics.terms.symbol_name(symbol);
                Some(format!("\\result{}", name.rsplit_once("::return")?.1))
            }
            Storage::AtEntry(_, inner) => {
                let inner = match self.symbol(inner) {
                    Some(name) => name,
                    None => self.semantics.terms.symbol_name(inner).to_owned(),
                };
                Some(format!("\\old({inner})"))
            }
            Storage::Memory(_) | Storage::Allocated | Storage::Blocks(_) => None,
        }
    }

    /// A read of memory: the memory, the address of its first byte and how many bytes it has.
    fn read_of(&self, term: Term) -> Option<(Symbol, Term, u64)> {
        let terms = &self.semantics.terms;
        let cell = |term: Term| {
            let &[array, address] = terms.args(term) else {
                return None;
            };
            let memory = terms.as_symbol(array)?;
            let storage = match self.semantics.storage_of(memory)? {
                Storage::AtEntry(_, inner) => self.semantics.storage_of(inner)?,
                storage => storage,
            };
            matches!(storage, Storage::Memory(_)).then_some((memory, address))
        };
        match terms.op(term) {
            Op::Select => {
                let (memory, address) = cell(term)?;
                let bits = match terms.sort(term) {
                    Sort::BitVec(width) => width,
                    Sort::Float(kind) => kind.width(),
                    _ => return None,
                };
                Some((memory, address, u64::from(bits / 8)))
            }
            Op::FpFromBits => self.read_of(terms.args(term)[0]),
            Op::Concat => {
                let mut bytes = Vec::new();
                let mut pending = vec![term];
                while let Some(next) = pending.pop() {
                    match terms.op(next) {
                        // The first argument has the upper bits: the last is popped first.
                        Op::Concat => pending.extend(terms.args(next)),
                        Op::Select if terms.sort(next) == Sort::BitVec(8) => bytes.push(cell(next)?),
                        _ => return None,
                    }
                }
                let (memory, first) = *bytes.first()?;
                let start = terms.linear(first);
                let in_order = bytes.iter().enumerate().all(|(index, &(array, address))| {
                    let at = terms.linear(address);
                    array == memory
                        && at.monomials == start.monomials
                        && at.constant == start.constant.wrapping_add(index as u128) & mask(self.semantics)
                });
                in_order.then_some((memory, first, bytes.len() as u64))
            }
            _ => None,
        }
    }

    /// A read of memory after stores, which is what was stored wherever the addresses are equal: `(q == p ? 3 : *q)`.
    fn read_after_stores(&self, term: Term) -> Option<Read> {
        let terms = &self.semantics.terms;
        let (Op::Select, &[mut memory, address]) = (terms.op(term), terms.args(term)) else {
            return None;
        };
        let mut pieces = Vec::new();
        let mut stores = 0;
        while let (Op::Store, &[before, at, value]) = (terms.op(memory), terms.args(memory)) {
            pieces.extend([
                Piece::Text("(".to_owned()),
                Piece::Term(address),
                Piece::Text(" == ".to_owned()),
                Piece::Term(at),
                Piece::Text(" ? ".to_owned()),
                Piece::Term(value),
                Piece::Text(" : ".to_owned()),
            ]);
            memory = before;
            stores += 1;
        }
        let first = terms.as_symbol(memory)?;
        if stores == 0 || !matches!(self.semantics.storage_of(first), Some(Storage::Memory(_))) {
            return None;
        }
        let size = match terms.sort(term) {
            // Bytes of a larger scalar are no place of their own.
            Sort::BitVec(width) if width > 8 => u64::from(width / 8),
            Sort::Float(kind) => u64::from(kind.width() / 8),
            _ => return None,
        };
        let signedness = match self.place(address, size) {
            Some(place) => {
                let signedness = self.signedness(place.ty);
                pieces.extend(finished(place));
                signedness
            }
            None => {
                let (read, signedness) = raw_read(terms, term, address, size)?;
                pieces.extend(read);
                signedness
            }
        };
        pieces.push(Piece::Text(")".repeat(stores)));
        Some(Read { pieces, signedness })
    }

    /// Whether a block is in use: `\allocated(p)`.
    fn block_in_use(&self, term: Term) -> Option<Read> {
        let terms = &self.semantics.terms;
        let (read, bit, negated) = compared_with_constant(terms, term)?;
        let (Op::Select, &[array, pointer]) = (terms.op(read), terms.args(read)) else {
            return None;
        };
        let symbol = terms.as_symbol(array)?;
        let name = match self.semantics.storage_of(symbol)? {
            Storage::Allocated => terms.symbol_name(symbol).to_owned(),
            Storage::AtEntry(_, inner) => format!("\\old({})", terms.symbol_name(inner)),
            _ => return None,
        };
        let sign = if (bit == 0) == negated { "" } else { "!" };
        Some(Read {
            pieces: vec![
                Piece::Text(format!("{sign}{name}(")),
                Piece::Term(pointer),
                Piece::Text(")".to_owned()),
            ],
            signedness: Signedness::Unsigned,
        })
    }

    /// A pointer to functions compared with the address of one: the function has a name.
    fn function_comparison(&self, term: Term) -> Option<Read> {
        let semantics = self.semantics;
        let terms = &semantics.terms;
        let (pointer, address, negated) = compared_with_constant(terms, term)?;
        let relation = if negated { " != " } else { " == " };
        let pointee = semantics.program.types.pointee(self.type_of(pointer)?)?;
        if !matches!(semantics.program.types.get(pointee), Type::Function(_)) {
            return None;
        }
        let mut functions = semantics.program.functions.iter();
        let (_, function) =
            functions.find(|&(id, _)| u128::from(semantics.function_address(id)) == address)?;
        Some(Read {
            pieces: vec![
                Piece::Term(pointer),
                Piece::Text(format!("{relation}{}", function.name)),
            ],
            signedness: Signedness::Unsigned,
        })
    }

    /// The C type of a variable or a place in memory.
    fn type_of(&self, term: Term) -> Option<TypeId> {
        if let Some(symbol) = self.semantics.terms.as_symbol(term) {
            return match self.semantics.storage_of(symbol)? {
                Storage::Address(_) | Storage::Memory(_) | Storage::Allocated | Storage::Blocks(_) => None,
                _ => self.semantics.symbol_type(symbol),
            };
        }
        let (_, address, size) = self.read_of(term)?;
        Some(self.place(address, size)?.ty)
    }

    /// The place of so many bytes at an address, and its type.
    fn place(&self, address: Term, size: u64) -> Option<Text> {
        let linear = self.semantics.terms.linear(address);
        let bits = self.semantics.pointer_bits();
        let (at, base) = linear
            .monomials
            .iter()
            .enumerate()
            .filter(|(_, (_, coefficient))| *coefficient == 1)
            .find_map(|(at, &(term, _))| Some((at, self.base(term)?)))?;
        let rest = Displacement {
            constant: signed(linear.constant, bits),
            multiples: linear
                .monomials
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != at)
                .map(|(_, &(term, coefficient))| (signed(coefficient, bits), term))
                .collect(),
        };
        self.descend(base, rest, size)
    }

    /// What an address starts from: a variable's own address, or a pointer.
    fn base(&self, term: Term) -> Option<Text> {
        let semantics = self.semantics;
        if let Some(symbol) = semantics.terms.as_symbol(term) {
            let ty = semantics.symbol_type(symbol)?;
            if let Some(Storage::Address(var)) = semantics.storage_of(symbol) {
                return Some(Text {
                    pieces: vec![Piece::Text(self.name(var))],
                    ty,
                    behind: false,
                });
            }
            return Some(Text {
                pieces: vec![Piece::Text(self.symbol(symbol)?)],
                ty: semantics.program.types.pointee(ty)?,
                behind: true,
            });
        }
        let (memory, address, size) = self.read_of(term)?;
        if let Some(Storage::AtEntry(..)) = semantics.storage_of(memory) {
            return None;
        }
        let pointer = self.place(address, size)?;
        let ty = semantics.program.types.pointee(pointer.ty)?;
        Some(Text {
            pieces: finished(pointer),
            ty,
            behind: true,
        })
    }

    fn descend(&self, mut text: Text, mut rest: Displacement, size: u64) -> Option<Text> {
        let types = &self.semantics.program.types;
        if text.behind {
            let whole = i128::from(types.size(text.ty).max(1));
            let (index, left) = rest.split(whole);
            rest = left;
            if !index.is_zero() {
                self.add_index(&mut text, index)?;
                text.behind = false;
            }
        }
        loop {
            match *types.get(text.ty) {
                Type::Array(element, _) => {
                    let (index, left) = rest.split(i128::from(types.size(element).max(1)));
                    rest = left;
                    if text.behind {
                        text.pieces.insert(0, Piece::Text("(*".to_owned()));
                        text.pieces.push(Piece::Text(")".to_owned()));
                        text.behind = false;
                    }
                    self.add_index(&mut text, index)?;
                    text.ty = element;
                }
                Type::Record(record) => {
                    let offset = u64::try_from(rest.constant).ok()?;
                    let field = types.record(record).fields.iter().find(|field| {
                        let end = field.offset + types.size(field.ty);
                        field.bits.is_none()
                            && (field.offset..end).contains(&offset)
                            && (types.is_aggregate(field.ty) || end - field.offset == size)
                    })?;
                    let joint = match (field.name.is_empty(), text.behind) {
                        (true, _) => "",
                        (false, true) => "->",
                        (false, false) => ".",
                    };
                    text.behind &= field.name.is_empty();
                    text.pieces.push(Piece::Text(format!("{joint}{}", field.name)));
                    text.ty = field.ty;
                    rest.constant -= i128::from(field.offset);
                }
                _ => {
                    let fits = rest.is_zero() && types.is_scalar(text.ty) && types.size(text.ty) == size;
                    return fits.then_some(text);
                }
            }
        }
    }

    fn add_index(&self, text: &mut Text, index: Displacement) -> Option<()> {
        let pieces = &mut text.pieces;
        match (&index.multiples[..], index.constant) {
            ([], constant) => pieces.push(Piece::Text(format!("[{constant}]"))),
            (&[(1, term)], constant) => {
                pieces.push(Piece::Text("[".to_owned()));
                pieces.push(Piece::Inner(self.unextended(term)));
                pieces.push(Piece::Text(match constant {
                    0 => "]".to_owned(),
                    1.. => format!(" + {constant}]"),
                    _ => format!(" - {}]", -constant),
                }));
            }
            _ => return None,
        }
        Some(())
    }

    /// An index without the conversion to a pointer's width.
    fn unextended(&self, term: Term) -> Term {
        match self.semantics.terms.op(term) {
            Op::SignExtend | Op::ZeroExtend => self.semantics.terms.args(term)[0],
            _ => term,
        }
    }

    fn signedness(&self, ty: TypeId) -> Signedness {
        self.semantics.info(ty).signedness
    }
}

/// A read of bytes that are no place of the program, such as a part of a union: through a pointer of a type that has their
/// size.
fn raw_read(terms: &Terms, term: Term, address: Term, size: u64) -> Option<(Vec<Piece>, Signedness)> {
    let (ty, signedness) = match (terms.sort(term), size) {
        (Sort::Float(_), 4) => ("float", Signedness::Signed),
        (Sort::Float(_), 8) => ("double", Signedness::Signed),
        (Sort::Float(_), _) => ("long double", Signedness::Signed),
        (_, 1) => ("unsigned char", Signedness::Unsigned),
        (_, 2) => ("unsigned short", Signedness::Unsigned),
        (_, 4) => ("unsigned", Signedness::Unsigned),
        (_, 8) => ("unsigned long long", Signedness::Unsigned),
        _ => return None,
    };
    let pieces = vec![
        Piece::Text(format!("*({ty} *)(")),
        Piece::Inner(address),
        Piece::Text(")".to_owned()),
    ];
    Some((pieces, signedness))
}

/// The text of a place; one that a pointer leads to with nothing after it gets its star.
fn finished(mut text: Text) -> Vec<Piece> {
    if text.behind {
        text.pieces.insert(0, Piece::Text("*".to_owned()));
    }
    text.pieces
}

impl Displacement {
    fn is_zero(&self) -> bool {
        self.constant == 0 && self.multiples.is_empty()
    }

    /// What counts whole elements of a size, and what is left inside one.
    fn split(self, size: i128) -> (Displacement, Displacement) {
        let (whole, inside): (Vec<_>, Vec<_>) = self
            .multiples
            .into_iter()
            .partition(|(coefficient, _)| coefficient % size == 0);
        let index = Displacement {
            constant: self.constant.div_euclid(size),
            multiples: whole
                .into_iter()
                .map(|(coefficient, term)| (coefficient / size, term))
                .collect(),
        };
        let rest = Displacement {
            constant: self.constant.rem_euclid(size),
            multiples: inside,
        };
        (index, rest)
    }
}

fn mask(semantics: &Semantics<'_>) -> u128 {
    u128::MAX >> (128 - semantics.pointer_bits())
}

/// A word as a signed number.
fn signed(value: u128, bits: u32) -> i128 {
    let unused = 128 - bits;
    (value as i128) << unused >> unused
}

/// What an equality compares with a constant, the constant, and whether they are said to differ.
fn compared_with_constant(terms: &Terms, term: Term) -> Option<(Term, u128, bool)> {
    let (equality, negated) = match (terms.op(term), terms.args(term)) {
        (Op::Not, &[inner]) => (inner, true),
        _ => (term, false),
    };
    let (Op::Eq, &[a, b]) = (terms.op(equality), terms.args(equality)) else {
        return None;
    };
    match (terms.as_word(a), terms.as_word(b)) {
        (Some(word), None) => Some((b, word, negated)),
        (None, Some(word)) => Some((a, word, negated)),
        _ => None,
    }
}

impl PrintHook for Names<'_, '_> {
    fn select(&self, _terms: &Terms, _array: Term, _index: Term) -> Option<Read> {
        None
    }

    fn whole(&self, terms: &Terms, term: Term) -> Option<Read> {
        if let Some(symbol) = terms.as_symbol(term) {
            return Some(Read {
                pieces: vec![Piece::Text(self.symbol(symbol)?)],
                signedness: terms.symbol_info(symbol).signedness,
            });
        }
        if let Some(read) = self.read_after_stores(term) {
            return Some(read);
        }
        if let Some(read) = self.block_in_use(term) {
            return Some(read);
        }
        if let Some(comparison) = self.function_comparison(term) {
            return Some(comparison);
        }
        let (memory, address, size) = self.read_of(term)?;
        let (mut pieces, signedness) = match self.place(address, size) {
            Some(place) => {
                let signedness = self.signedness(place.ty);
                (finished(place), signedness)
            }
            None => raw_read(terms, term, address, size)?,
        };
        if let Some(Storage::AtEntry(..)) = self.semantics.storage_of(memory) {
            pieces.insert(0, Piece::Text("\\old(".to_owned()));
            pieces.push(Piece::Text(")".to_owned()));
        }
        Some(Read { pieces, signedness })
    }
}
