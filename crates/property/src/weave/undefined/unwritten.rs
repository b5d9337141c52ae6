//! Reads of what was never written. A scalar that is read has to have a value; a record that is copied as a whole, and bytes that are
//! moved, take along what they hold, even if that is nothing.

use std::collections::BTreeMap;

use library::{Block, Extent, Format, Function, Meaning, Returns};
use program::{
    Callee, EdgeId, EdgeKind, ExprId, ExprKind, External, FuncId, HavocCause, IntKind, PlaceId, Printer,
    Program, TypeId, UnaryOp, VarId, copied_byte,
};

use super::chain::{Chain, Root};
use super::contents::{Contents, Followed, Part, accessed, extent};
use super::pointers::shown;
use super::{Evaluation, Found, error, only_if};
use crate::Undefined;
use crate::weave::Weaver;
use crate::weave::edit::Code;

/// What is woven in to know whether something was written.
#[derive(Default)]
pub struct Unwritten {
    contents: Contents,
    /// Of the parts of variables that are followed so, whether each was written.
    flags: BTreeMap<(VarId, Part), VarId>,
    /// What happens after calls.
    after: Vec<(EdgeId, Vec<Code>)>,
}

impl Weaver {
    pub(super) fn look_for_contents(&mut self) {
        let functions = self.program.functions.iter().filter_map(|(function, data)| {
            let body = data.body.as_ref()?;
            let new = self.new_locs.get(&function).into_iter().flatten();
            let locs = body.locs.iter().chain(new).copied().collect();
            self.reach.runs(function).then_some((function, body.entry, locs))
        });
        let sites = self.sites.iter();
        let contents = Contents::new(&super::contents::Code {
            program: &self.program,
            taken: &self.taken,
            functions: functions.collect(),
            targets: sites.map(|site| (site.edge, site.targets.clone())).collect(),
        });
        let int = self.program.types.int(IntKind::Int);
        let mut flags = BTreeMap::new();
        for (var, followed) in contents.vars() {
            if let (Followed::Parts(parts), Some(function)) = (followed, self.program.vars[var].function) {
                for &part in parts {
                    flags.insert((var, part), (function, part));
                }
            }
        }
        let flags = flags
            .into_iter()
            .map(|(key, (function, _))| (key, self.new_temporary(function, int)))
            .collect();
        self.questions.unwritten = Unwritten {
            contents,
            flags,
            after: Vec::new(),
        };
    }

    /// What happens at the start of functions, and after calls.
    pub(super) fn weave_contents(&mut self) {
        let unwritten = std::mem::take(&mut self.questions.unwritten);
        for (edge, code) in &unwritten.after {
            self.insert_after(*edge, code);
        }
        let mut at_start: BTreeMap<FuncId, Vec<Code>> = BTreeMap::new();
        for (&(var, _), &flag) in &unwritten.flags {
            if let Some(function) = self.program.vars[var].function {
                let code = self.set_flag(flag, false);
                at_start.entry(function).or_default().push(code);
            }
        }
        for (var, followed) in unwritten.contents.vars() {
            let data = &self.program.vars[var];
            let (Followed::Memory, Some(function)) = (followed, data.function) else {
                continue;
            };
            if !self.reach.runs(function) || matches!(data.kind, program::VarKind::Global(_)) {
                continue;
            }
            let mut code = Vec::new();
            if self.calls_itself(function) {
                let name = &data.name;
                let what = format!("what `{name}` holds, of which a recursive function has several,");
                code.push(Code::Unsupported(what));
            } else if data.kind == program::VarKind::Param {
                let place = self.program.var_place(var);
                code.extend(self.say_of_place(Block::Perhaps, place));
            }
            at_start.entry(function).or_default().extend(code);
        }
        for (function, code) in at_start {
            if self.reach.runs(function) {
                self.insert_at_entry(function, &code);
            }
        }
    }

    fn calls_itself(&self, function: FuncId) -> bool {
        let mut seen = vec![function];
        let mut pending = vec![function];
        while let Some(caller) = pending.pop() {
            let sites = self.sites.iter().filter(|site| site.caller == caller);
            for &target in sites.flat_map(|site| site.targets.iter().chain(&site.callbacks)) {
                if target == function {
                    return true;
                }
                if !seen.contains(&target) {
                    seen.push(target);
                    pending.push(target);
                }
            }
        }
        false
    }

    fn set_flag(&mut self, flag: VarId, written: bool) -> Code {
        let int = self.program.types.int(IntKind::Int);
        let place = self.program.var_place(flag);
        let value = self.program.int(i128::from(written), int);
        Code::Assign { place, value }
    }

    fn address_of_place(&mut self, place: PlaceId) -> ExprId {
        let ty = self.program.place(place).ty;
        let ty = self.program.types.pointer(ty);
        self.program.exprs.add(ExprKind::AddressOf(place), ty)
    }

    fn bytes(&mut self, bytes: u64) -> ExprId {
        let size = self.program.types.size_type();
        self.program.int(i128::from(bytes), size)
    }

    /// Says something of all bytes of a place.
    fn say_of_place(&mut self, what: Block, place: PlaceId) -> Vec<Code> {
        let (at, mut size) = self.bytes_of(place);
        if let (Block::Write, Some(own)) = (what, accessed(&self.program, place)) {
            let with_padding = program::bytes_with_padding(&self.program, place, own);
            size = self.bytes(with_padding);
        }
        vec![self.say(what, vec![at, size])]
    }

    /// Where a place is and how many bytes it has. A bit-field has no address: that of its record is where its bytes are.
    fn bytes_of(&mut self, place: PlaceId) -> (ExprId, ExprId) {
        let size = accessed(&self.program, place)
            .unwrap_or_else(|| self.program.types.size(self.program.place(place).ty));
        let size = self.bytes(size);
        if let (Some(_), program::PlaceKind::Field(base, field)) =
            (self.program.bit_field(place), self.program.place(place).kind)
            && let program::Type::Record(record) = *self.program.types.get(self.program.place(base).ty)
        {
            let offset = self.program.types.record(record).fields[field as usize].offset;
            let char = self.program.types.int(IntKind::Char);
            let pointer = self.program.types.pointer(char);
            let base = self.address_of_place(base);
            let (base, offset) = (self.program.convert(base, pointer), self.bytes(offset));
            let add = program::BinaryOp::PointerAdd;
            return (self.program.binary(add, base, offset, pointer), size);
        }
        (self.address_of_place(place), size)
    }

    /// Whatever memory the program has.
    fn perhaps_all(&mut self) -> Code {
        let size = self.program.types.size_type();
        let void = self.program.types.void();
        let pointer = self.program.types.pointer(void);
        let start = self.program.int(1, size);
        let start = self.program.convert(start, pointer);
        let bits = self.program.types.model().pointer_bits();
        let all = self.program.int((1 << bits) - 1, size);
        self.say(Block::Perhaps, vec![start, all])
    }
}

impl Evaluation<'_> {
    fn looks_for_contents(&self) -> bool {
        self.kinds.contains(&Undefined::Uninitialised)
    }

    fn contents(&self) -> &Contents {
        &self.weaver.questions.unwritten.contents
    }

    fn is_written(&self, place: PlaceId) -> bool {
        let weaver = &self.weaver;
        self.contents()
            .is_written(&weaver.program, &weaver.taken, self.at, place)
    }

    /// The flags of the parts of a place, if that is how they are followed.
    fn flags(&self, place: PlaceId) -> Option<Vec<(Part, VarId)>> {
        let program = &self.weaver.program;
        let chain = Chain::of_place(program, place);
        let Root::Variable(var) = chain.root else {
            return None;
        };
        let Some(Followed::Parts(parts)) = self.contents().followed(var) else {
            return None;
        };
        let start = u64::try_from(chain.constant).ok()?;
        let end = start + program.types.size(program.place(place).ty);
        let inside = parts
            .iter()
            .filter(|part| start <= part.offset && part.offset < end);
        let flags = &self.weaver.questions.unwritten.flags;
        Some(inside.map(|&part| (part, flags[&(var, part)])).collect())
    }

    /// A place is read.
    pub(super) fn contents_read(&mut self, place: PlaceId, guard: Option<usize>) {
        let program = &self.weaver.program;
        if !self.looks_for_contents()
            || self.moved_byte == Some(place)
            || accessed(program, place).is_none()
            || !self.may_hold_nothing(place)
        {
            return;
        }
        if self.is_written(place) {
            self.discharged += 1;
            return;
        }
        let shown = shown(&Printer::new(program).place(place));
        let words = self.weaver.questions.texts.words(place);
        let message = match words {
            Some(words) => words.unwritten.clone(),
            None => format!("{shown} is read, but nothing was written there before"),
        };
        let bad = error(Undefined::Uninitialised, message);
        let code = match self.flags(place) {
            Some(flags) => {
                let flags = flags.into_iter().map(|(_, flag)| {
                    let flag = self.weaver.program.var_place(flag);
                    let written = self.weaver.program.read(flag);
                    only_if(written, false, vec![bad.clone()])
                });
                flags.collect()
            }
            None => {
                let (at, size) = self.weaver.bytes_of(place);
                self.unless_written(Block::Written, vec![at, size], bad)
            }
        };
        self.found.push(Found { code, guard });
    }

    fn unless_written(&mut self, question: Block, arguments: Vec<ExprId>, bad: Code) -> Vec<Code> {
        let (question, written) = self.weaver.ask(self.function, question, arguments);
        let int = self.weaver.program.types.int(IntKind::Int);
        let not = self.weaver.program.unary(UnaryOp::Not, written, int);
        vec![question, only_if(not, true, vec![bad])]
    }

    /// Whether it is known of a place that something has to be written there first.
    fn may_hold_nothing(&self, place: PlaceId) -> bool {
        match Chain::of_place(&self.weaver.program, place).root {
            Root::Pointer(_) => true,
            Root::Variable(var) => {
                self.contents().followed(var).is_some()
                    || self.contents().spreads && self.weaver.taken.contains(var)
            }
        }
    }

    /// Whether what is written to a place matters to what is asked about memory.
    fn is_memory(&self, place: PlaceId) -> bool {
        match Chain::of_place(&self.weaver.program, place).root {
            Root::Pointer(_) => self.contents().behind_pointers,
            Root::Variable(var) => match self.contents().followed(var) {
                Some(Followed::Memory) => true,
                Some(Followed::Parts(_)) => false,
                None => self.contents().spreads && self.weaver.taken.contains(var),
            },
        }
    }

    /// Says what an edge writes.
    pub(super) fn contents_written(&mut self, edge: EdgeId) {
        if !self.looks_for_contents() {
            return;
        }
        let code = match &self.weaver.program.edges[edge].kind {
            &EdgeKind::Havoc { place, cause } => {
                let what = match cause {
                    HavocCause::Uninitialised => Block::Fresh,
                    _ => Block::Write,
                };
                self.said_of(what, place)
            }
            &EdgeKind::Assign { place, value } => self.assigned(place, value),
            EdgeKind::Call {
                result,
                callee,
                arguments,
            } => {
                let (result, callee, arguments) = (*result, *callee, arguments.clone());
                return self.called(edge, result, callee, &arguments);
            }
            _ => return,
        };
        self.push(code);
    }

    fn push(&mut self, code: Vec<Code>) {
        if !code.is_empty() {
            self.found.push(Found { code, guard: None });
        }
    }

    /// That a place gets a value, or loses it.
    fn said_of(&mut self, what: Block, place: PlaceId) -> Vec<Code> {
        if let Some(flags) = self.flags(place) {
            let flags = flags.into_iter();
            return flags
                .map(|(_, flag)| self.weaver.set_flag(flag, what == Block::Write))
                .collect();
        }
        match self.is_memory(place) {
            true => self.weaver.say_of_place(what, place),
            false => Vec::new(),
        }
    }

    fn assigned(&mut self, place: PlaceId, value: ExprId) -> Vec<Code> {
        let program = &self.weaver.program;
        let from = match program.expr(value).kind {
            ExprKind::Read(from) if !program.types.is_scalar(program.place(from).ty) => Some(from),
            _ => copied_byte(program, place, value),
        };
        let Some(from) = from.filter(|&from| !self.is_written(from)) else {
            return self.said_of(Block::Write, place);
        };
        if !self.is_memory(place) {
            return Vec::new();
        }
        let (to, size) = self.weaver.bytes_of(place);
        let Some(flags) = self.flags(from) else {
            let (from, _) = self.weaver.bytes_of(from);
            return vec![self.weaver.say(Block::Move, vec![to, from, size])];
        };
        let start = Chain::of_place(&self.weaver.program, from).constant;
        let mut code = vec![self.weaver.say(Block::Fresh, vec![to, size])];
        let char = self.weaver.program.types.int(IntKind::Char);
        let pointer = self.weaver.program.types.pointer(char);
        let to = self.weaver.program.convert(to, pointer);
        for (part, flag) in flags {
            let offset = self.weaver.bytes(part.offset - start as u64);
            let size = self.weaver.bytes(part.size);
            let add = program::BinaryOp::PointerAdd;
            let at = self.weaver.program.binary(add, to, offset, pointer);
            let flag = self.weaver.program.var_place(flag);
            let written = self.weaver.program.read(flag);
            let write = self.weaver.say(Block::Write, vec![at, size]);
            code.push(only_if(written, true, vec![write]));
        }
        code
    }

    fn called(&mut self, edge: EdgeId, result: Option<PlaceId>, callee: Callee, given: &[ExprId]) {
        let mut after = Vec::new();
        let targets = match callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(_) => {
                let site = self.weaver.sites.iter().find(|site| site.edge == edge);
                site.map_or(Vec::new(), |site| site.targets.clone())
            }
        };
        if let Some(place) = result {
            let is_scalar = accessed(&self.weaver.program, place).is_some();
            let partial = targets
                .iter()
                .any(|&target| self.contents().returns_parts(target));
            let what = if is_scalar || !partial {
                Block::Write
            } else {
                Block::Perhaps
            };
            after.extend(self.said_of(what, place));
        }
        if self.contents().in_memory() {
            for function in targets {
                if self.weaver.program.functions[function].body.is_none() {
                    let is_direct = matches!(callee, Callee::Direct(_));
                    self.library(function, result, given, is_direct, &mut after);
                }
            }
        }
        if !after.is_empty() {
            self.weaver.questions.unwritten.after.push((edge, after));
        }
    }

    fn library(
        &mut self,
        function: FuncId,
        result: Option<PlaceId>,
        given: &[ExprId],
        is_direct: bool,
        after: &mut Vec<Code>,
    ) {
        let known = library::of(&self.weaver.program.functions[function].name);
        let row = known.function;
        let arguments = known.arguments(given).into_owned();
        if matches!(row.meaning, Some(Meaning::Block(_))) {
            return;
        }
        if row.is_unknown() {
            let program = &self.weaver.program;
            let is_number = |&ty: &TypeId| !program.types.is_pointer(ty) && program.types.is_scalar(ty);
            let gets_no_pointer = given
                .iter()
                .all(|&argument| is_number(&program.expr(argument).ty));
            if program.assumptions.external != External::Pure && !gets_no_pointer {
                let all = self.weaver.perhaps_all();
                self.push(vec![all]);
            }
            return;
        }
        if !is_direct && touches(row) {
            return self.push(vec![Code::Unsupported(format!(
                "what `{}` does with memory, called through a pointer,",
                row.name
            ))]);
        }
        self.allocated(row, result, &arguments, after);
        if let (Some(Meaning::Copy), Some(copies)) = (&row.meaning, row.copies) {
            let size = row.parameter(copies.to).writes;
            let (to, from) = (arguments.get(copies.to), arguments.get(copies.from));
            if let (Some(size), Some(&to), Some(&from)) = (size, to, from)
                && let Some(size) = extent(&mut self.weaver.program, size, &arguments, to)
            {
                let code = self.weaver.say(Block::Move, vec![to, from, size]);
                return self.push(vec![code]);
            }
        }
        let is_checked = self
            .edge
            .is_some_and(|edge| self.weaver.questions.texts.is_checked(edge));
        for (at, &argument) in arguments.iter().enumerate() {
            let program = &self.weaver.program;
            if !is_checked && program.types.is_pointer(program.expr(argument).ty) {
                self.behind_argument(row, &arguments, at);
            }
        }
        if !row.deep.is_empty() || row.copies.is_some() && row.meaning.is_none() {
            let all = self.weaver.perhaps_all();
            self.push(vec![all]);
        }
    }

    fn behind_argument(&mut self, row: &Function, arguments: &[ExprId], at: usize) {
        let argument = arguments[at];
        let parameter = row.parameter(at);
        let is_rest = at >= row.parameters.len();
        let program = &mut self.weaver.program;
        let shown = shown(&Printer::new(program).expr(argument));
        let message = format!(
            "`{}` reads {shown}, but nothing was written there before",
            row.name
        );
        let mut code = Vec::new();
        let reads = match row.format() {
            Some((_, Format::Print)) if is_rest => match plain_format(program, row, arguments) {
                true => None,
                false => Some(Extent::String),
            },
            // What it moves is no matter of what is read.
            _ if matches!(row.returns, Returns::Resized { block, .. } if block == at) => None,
            _ => parameter.reads,
        };
        let is_text = library::literal(program, argument).is_some()
            || reads == Some(Extent::String) && self.is_scanned(argument);
        let program = &mut self.weaver.program;
        match reads.filter(|_| !is_text) {
            Some(Extent::String) => {
                let bad = error(Undefined::Uninitialised, message);
                let bad = match is_rest {
                    true => Code::Unsupported(format!("what `{}` reads as its format says", row.name)),
                    false => bad,
                };
                code.extend(self.unless_written(Block::TextWritten, vec![argument], bad));
            }
            Some(read) => {
                let bad = Code::Unsupported(message);
                match extent(program, read, arguments, argument) {
                    Some(size) => code.extend(self.unless_written(Block::Written, vec![argument, size], bad)),
                    None => code.push(Code::Unsupported(format!("how much memory `{}` reads", row.name))),
                }
            }
            None => {}
        }
        if parameter.writes.is_none() && parameter.or_null && !code.is_empty() {
            let (ty, int) = (
                self.weaver.program.expr(argument).ty,
                self.weaver.program.types.int(IntKind::Int),
            );
            let null = self.weaver.program.int(0, ty);
            let there = self
                .weaver
                .program
                .binary(program::BinaryOp::Ne, argument, null, int);
            code = vec![only_if(there, true, code)];
        }
        if let Some(written) = parameter.writes {
            let certain = matches!(row.meaning, Some(Meaning::Fill | Meaning::Zero));
            let what = if certain { Block::Write } else { Block::Perhaps };
            code.push(
                match extent(&mut self.weaver.program, written, arguments, argument) {
                    Some(size) => self.weaver.say(what, vec![argument, size]),
                    None => self.weaver.perhaps_all(),
                },
            );
        }
        self.push(code);
    }

    /// What is in memory that a function gives out.
    fn allocated(
        &mut self,
        row: &Function,
        result: Option<PlaceId>,
        arguments: &[ExprId],
        after: &mut Vec<Code>,
    ) {
        let (size, what) = match row.returns {
            Returns::New { size, zeroed, .. } => (size, if zeroed { Block::Write } else { Block::Fresh }),
            Returns::Resized { size, .. } => (size, Block::Perhaps),
            _ if row.allocates() => {
                let all = self.weaver.perhaps_all();
                return self.push(vec![all]);
            }
            _ => return,
        };
        let Some(place) = result else { return };
        let Some(&first) = arguments.first() else {
            let all = self.weaver.perhaps_all();
            return after.push(all);
        };
        let Some(size) = extent(&mut self.weaver.program, size, arguments, first) else {
            let all = self.weaver.perhaps_all();
            return after.push(all);
        };
        let size = match self.weaver.program.expr(size).kind {
            ExprKind::Int(_) => size,
            _ => {
                // The result may go to what the size is computed from.
                let ty: TypeId = self.weaver.program.expr(size).ty;
                let var = self.weaver.new_temporary(self.function, ty);
                let kept = self.weaver.program.var_place(var);
                self.push(vec![Code::Assign {
                    place: kept,
                    value: size,
                }]);
                self.weaver.program.read(kept)
            }
        };
        let block = self.weaver.program.read(place);
        after.push(self.weaver.say(what, vec![block, size]));
    }
}

fn touches(row: &Function) -> bool {
    let mut parameters = row.parameters.iter().chain([&row.rest]);
    row.allocates()
        || !row.deep.is_empty()
        || parameters.any(|parameter| parameter.reads.is_some() || parameter.writes.is_some())
}

/// Whether a format is spelled out and names no string.
fn plain_format(program: &Program, row: &Function, arguments: &[ExprId]) -> bool {
    let text = row.format().and_then(|(at, _)| arguments.get(at).copied());
    let text = text.and_then(|text| library::literal(program, text));
    text.is_some_and(|text| {
        let formats = library::formats(text);
        formats
            .iter()
            .all(|&(_, letter)| b"diouxXeEfFgGaAcp%".contains(&letter))
    })
}
