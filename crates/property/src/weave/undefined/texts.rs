//! Functions of strings, written out. How much memory `strcpy` accesses depends on what is there; so where accesses are checked,
//! a call of it becomes the loop that C describes, byte by byte, and each access of that loop is checked like any other. Whoever
//! runs the program or reasons about it has one definition then. Of functions that only read a string to its end, the loop that
//! does so stands before the call.

mod functions;
mod printed;
mod writing;

use std::collections::{BTreeMap, BTreeSet};

use library::{Extent, Format, Function};
use program::{Callee, EdgeId, EdgeKind, ExprId, FuncId, IntKind, PlaceId, VarId};

use self::writing::Writing;
use crate::Undefined;
use crate::weave::Weaver;
use crate::weave::edit::Code;

use super::error;

/// What was written out.
#[derive(Default)]
pub struct Texts {
    /// The bytes that it accesses, and what is to be said where they are not there.
    bytes: BTreeMap<PlaceId, Words>,
    /// Addresses that it only gets to byte by byte: none of them is outside of its object.
    stepped: BTreeSet<ExprId>,
    /// Calls of which nothing is left to be checked.
    calls: BTreeSet<EdgeId>,
    /// The function that new memory comes from.
    allocation: Option<FuncId>,
    /// Strings that were read to their end before the call.
    scanned: BTreeSet<(EdgeId, ExprId)>,
}

/// What a user is told of an access.
#[derive(Clone, Debug)]
pub struct Words {
    /// Where there is no memory.
    pub missing: String,
    /// Where nothing was written.
    pub unwritten: String,
    /// Whether the function makes this access for sure.
    pub is_certain: bool,
    /// Whether the memory is surely there.
    pub is_there: bool,
    /// The function.
    pub name: &'static str,
    /// What may be written there and is constant.
    pub constants: Vec<VarId>,
}

impl Words {
    /// What an access is where there is no memory.
    pub fn misuse(&self) -> Code {
        match self.is_certain {
            true => error(Undefined::Deref, self.missing.clone()),
            false => Code::Unsupported(self.missing.clone()),
        }
    }

    /// What a write is where there is a constant.
    pub fn misuse_of(&self, constant: &str) -> Code {
        let message = format!("`{}` writes to {constant}", self.name);
        match self.is_certain {
            true => error(Undefined::Deref, message),
            false => Code::Unsupported(message),
        }
    }
}

impl Texts {
    pub fn words(&self, place: PlaceId) -> Option<&Words> {
        self.bytes.get(&place)
    }

    /// Whether an address was come to byte by byte.
    pub fn is_stepped(&self, address: ExprId) -> bool {
        self.stepped.contains(&address)
    }

    pub fn is_checked(&self, call: EdgeId) -> bool {
        self.calls.contains(&call)
    }

    pub fn is_scanned(&self, call: EdgeId, argument: ExprId) -> bool {
        self.scanned.contains(&(call, argument))
    }
}

impl Weaver {
    /// Writes out the calls of functions that access strings.
    pub(super) fn write_out_texts(&mut self) {
        let runs = |edge: &EdgeId| {
            let from = self.program.edges[*edge].from;
            self.reach.runs(self.program.locs[from].function)
        };
        let edges: Vec<EdgeId> = self.program.edges.ids().filter(runs).collect();
        for edge in edges {
            let EdgeKind::Call {
                result,
                callee: Callee::Direct(function),
                arguments,
            } = &self.program.edges[edge].kind
            else {
                continue;
            };
            let (result, function) = (*result, &self.program.functions[*function]);
            if function.body.is_some() || self.error_functions.contains(&function.name) {
                continue;
            }
            let known = library::of(&function.name);
            let arguments = known.arguments(arguments).into_owned();
            self.write_out(edge, known.function, result, &arguments);
        }
    }

    fn write_out(
        &mut self,
        edge: EdgeId,
        row: &'static Function,
        result: Option<PlaceId>,
        arguments: &[ExprId],
    ) {
        let edges = self.program.edges.len();
        if !self.follows_blocks && row.parameters.iter().any(|parameter| parameter.writes.is_some()) {
            // Whether both are in one object nobody can be asked.
            return;
        }
        let mut writing = Writing::new(self, edge, row);
        match functions::write(&mut writing, result, arguments) {
            Some(instead) => {
                let Writing { code, after, .. } = writing;
                self.insert_before(edge, &code);
                self.insert_after(edge, &after);
                self.questions.texts.calls.insert(edge);
                if let Some(kind) = instead {
                    if !matches!(kind, EdgeKind::Call { .. }) {
                        self.sites.retain(|site| site.edge != edge);
                    }
                    self.program.edges[edge].kind = kind;
                }
            }
            None => self.scan(edge, row, arguments),
        }
        let new = self.program.edges.ids().skip(edges);
        self.unseen.edges.extend(new);
    }

    /// Reads the strings to their ends that a function reads, before it does.
    fn scan(&mut self, edge: EdgeId, row: &'static Function, arguments: &[ExprId]) {
        let formatted = self.formatted_texts(row, arguments);
        for (at, &argument) in arguments.iter().enumerate() {
            let parameter = row.parameter(at);
            let is_formatted = formatted.contains(&at);
            let is_text = parameter.reads == Some(Extent::String) && !parameter.frees;
            if !(is_text || is_formatted)
                || !self.program.types.is_pointer(self.program.expr(argument).ty)
                || library::literal(&self.program, argument).is_some()
            {
                continue;
            }
            let mut writing = Writing::new(self, edge, row);
            writing.is_certain = is_formatted;
            let text = writing.operand(argument);
            if is_formatted {
                writing.refuse_null(&text);
            }
            writing.length(&text);
            let mut code = writing.code;
            if parameter.or_null {
                let (ty, int) = (
                    self.program.expr(argument).ty,
                    self.program.types.int(IntKind::Int),
                );
                let null = self.program.int(0, ty);
                let is_null = self.program.binary(program::BinaryOp::Eq, argument, null, int);
                code = vec![super::only_if(is_null, false, code)];
            }
            self.insert_before(edge, &code);
            self.questions.texts.scanned.insert((edge, argument));
        }
    }

    /// A function that gives out as many bytes as it is asked for; nothing if the program has its own.
    fn allocation(&mut self) -> Option<FuncId> {
        let known = self.questions.texts.allocation;
        let plain = self.program.function_named("malloc");
        if plain.is_some_and(|plain| self.program.functions[plain].body.is_some()) || known.is_some() {
            return known;
        }
        let void = self.program.types.void();
        let (result, size) = (self.program.types.pointer(void), self.program.types.size_type());
        let function = self
            .program
            .declare("__builtin_malloc".to_owned(), result, vec![size]);
        self.program.functions[function].const_params = vec![0];
        self.questions.texts.allocation = Some(function);
        Some(function)
    }

    /// The arguments that `printf` and its kin read as strings to their ends, where the format is plain.
    fn formatted_texts(&self, row: &Function, arguments: &[ExprId]) -> BTreeSet<usize> {
        let Some((at, Format::Print)) = row.format() else {
            return BTreeSet::new();
        };
        let text = arguments.get(at);
        let Some(text) = text.and_then(|&text| library::literal(&self.program, text)) else {
            return BTreeSet::new();
        };
        let conversions = library::formats(text);
        let is_plain = |modifiers: &[u8]| modifiers.iter().all(|byte| b"0123456789-".contains(byte));
        let takes_more = |modifiers: &[u8]| modifiers.contains(&b'*') || modifiers.contains(&b'$');
        if conversions.iter().any(|(modifiers, _)| takes_more(modifiers)) {
            return BTreeSet::new();
        }
        let taken = conversions.into_iter().filter(|&(_, letter)| letter != b'%');
        let first = row.parameters.len();
        let texts = taken
            .enumerate()
            .filter(|&(_, (modifiers, letter))| letter == b's' && is_plain(modifiers));
        texts.map(|(number, _)| first + number).collect()
    }
}
