//! Calls: what a library function does with the memory behind its arguments, as its row says, and whether a pointer that is
//! called through leads anywhere.

use library::{Block, Ends, Extent, Format, Function, Meaning, Parameter, Returns};
use program::{
    BinaryOp, Callee, EdgeId, EdgeKind, ExprId, ExprKind, External, FuncId, IntKind, Printer, Type, UnaryOp,
};

use super::chain::{Chain, Root, size_of};
use super::pointers::{no_memory, shown};
use super::{Evaluation, Found, error, only_if};
use crate::Undefined;
use crate::weave::edit::Code;

/// The kinds that need to know what is freed.
const OF_BLOCKS: [Undefined; 4] = [
    Undefined::Deref,
    Undefined::Free,
    Undefined::Leak,
    Undefined::Cleanup,
];

impl Evaluation<'_> {
    fn checks_blocks(&self) -> bool {
        OF_BLOCKS.iter().any(|kind| self.kinds.contains(kind))
    }

    fn counts_blocks(&self) -> bool {
        self.kinds.contains(&Undefined::Leak) || self.kinds.contains(&Undefined::Cleanup)
    }

    pub(super) fn call(&mut self, edge: EdgeId) {
        if !self.checks_blocks() {
            return;
        }
        let EdgeKind::Call {
            callee, arguments, ..
        } = &self.weaver.program.edges[edge].kind
        else {
            unreachable!("only calls are asked about")
        };
        let (callee, arguments) = (*callee, arguments.clone());
        match callee {
            Callee::Direct(function) => self.direct(function, &arguments),
            Callee::Indirect(pointer) => self.indirect(edge, pointer),
        }
    }

    fn refuse(&mut self, what: String) {
        self.found.push(Found {
            code: vec![Code::Unsupported(what)],
            guard: None,
        });
    }

    fn indirect(&mut self, edge: EdgeId, pointer: ExprId) {
        let program = &mut self.weaver.program;
        if self.kinds.contains(&Undefined::Deref)
            && !matches!(program.expr(pointer).kind, ExprKind::Function(_))
        {
            let shown = shown(&Printer::new(program).expr(pointer));
            let null = is_null(program, pointer);
            let message = format!("a call through {shown}, which is null");
            self.found.push(Found {
                code: vec![only_if(null, true, vec![error(Undefined::Deref, message)])],
                guard: None,
            });
        }
        let site = self.weaver.sites.iter().find(|site| site.edge == edge);
        let targets: Vec<FuncId> = site.map_or(Vec::new(), |site| site.targets.clone());
        let program = &self.weaver.program;
        let touches = |row: &Function| {
            let touched = |parameter: &Parameter| {
                parameter.reads.is_some() || parameter.writes.is_some() || parameter.frees
            };
            row.parameters.iter().any(touched)
                || touched(&row.rest)
                || row.allocates()
                || !row.deep.is_empty()
        };
        let refused = targets.into_iter().find_map(|target| {
            let data = &program.functions[target];
            let row = library::of(&data.name).function;
            (data.body.is_none() && touches(row)).then_some(row.name)
        });
        if let Some(name) = refused {
            self.refuse(format!("a call through a pointer that may lead to `{name}`"));
        }
    }

    fn direct(&mut self, function: FuncId, given: &[ExprId]) {
        let data = &self.weaver.program.functions[function];
        if data.body.is_some() {
            return;
        }
        let known = library::of(&data.name);
        let row = known.function;
        let arguments = known.arguments(given).into_owned();
        if matches!(row.meaning, Some(Meaning::Block(_))) {
            return;
        }
        if self.counts_blocks() && self.may_keep(row, given) {
            let name = &self.weaver.program.functions[function].name;
            self.refuse(format!("memory that `{name}` may keep"));
        }
        if row.is_unknown() {
            return;
        }
        let is_checked = self
            .edge
            .is_some_and(|edge| self.weaver.questions.texts.is_checked(edge));
        for (at, &argument) in arguments.iter().enumerate() {
            let parameter = row.parameter(at);
            if is_checked {
                break;
            }
            if parameter.frees {
                self.freed(argument, row);
            } else if self.checks_accesses() {
                self.argument(row, &arguments, at, parameter);
            }
        }
        if let Returns::Resized {
            size: Extent::Argument(size),
            ..
        } = row.returns
            && let Some(&size) = arguments.get(size)
        {
            // Whether the block is freed then is up to the library.
            let program = &mut self.weaver.program;
            let int = program.types.int(IntKind::Int);
            let none = program.unary(UnaryOp::Not, size, int);
            let what = format!("`{}` to no bytes", row.name);
            self.found.push(Found {
                code: vec![only_if(none, true, vec![Code::Unsupported(what)])],
                guard: None,
            });
        }
        let frees_elsewhere = !row.deep.is_empty() && (row.allocates() || self.checks_accesses());
        if self.counts_blocks() && row.registers.is_some() {
            self.refuse(format!("what is called later because of `{}`", row.name));
        }
        if frees_elsewhere || matches!(row.ends, Some(Ends::Jump | Ends::Thread)) {
            self.refuse(format!("what `{}` does with memory", row.name));
        }
    }

    /// Whether somebody outside may know a block afterwards, and nobody here.
    fn may_keep(&self, row: &Function, given: &[ExprId]) -> bool {
        let program = &self.weaver.program;
        let mut given = given.iter();
        let is_given = given.any(|&argument| program.types.is_pointer(program.expr(argument).ty));
        let keeps = match row.is_unknown() {
            true => program.assumptions.external != External::Pure,
            false => row.keeps.is_some() || row.parameters.iter().any(|parameter| parameter.kept),
        };
        is_given && keeps
    }

    fn freed(&mut self, block: ExprId, row: &Function) {
        let program = &mut self.weaver.program;
        let shown = shown(&Printer::new(program).expr(block));
        let (null, int) = (is_null(program, block), program.types.int(IntKind::Int));
        let (question, freeable) = self.weaver.ask(self.function, Block::Freeable, vec![block]);
        let wrong = self.weaver.program.unary(UnaryOp::Not, freeable, int);
        let message = format!(
            "`{}` of {shown}, which no allocation gave or which was freed before",
            row.name
        );
        let bad = match self.kinds.contains(&Undefined::Free) {
            true => error(Undefined::Free, message),
            false => Code::Unsupported(message),
        };
        let code = vec![question, only_if(wrong, true, vec![bad])];
        self.found.push(Found {
            code: vec![only_if(null, false, code)],
            guard: None,
        });
    }

    /// What the function reads and writes behind an argument.
    fn argument(&mut self, row: &Function, arguments: &[ExprId], at: usize, parameter: Parameter) {
        let argument = arguments[at];
        let program = &self.weaver.program;
        let ty = program.expr(argument).ty;
        if !program.types.is_pointer(ty) {
            return;
        }
        let is_rest = at >= row.parameters.len();
        if is_rest && row.format().is_some() {
            return self.formatted(row, arguments, argument);
        }
        let before = self.found.len();
        for extent in [parameter.writes, parameter.reads].into_iter().flatten() {
            let is_write = parameter.writes == Some(extent);
            self.touched(row, arguments, argument, extent, is_write);
        }
        if parameter.or_null {
            let null = is_null(&mut self.weaver.program, argument);
            for found in &mut self.found[before..] {
                found.code = vec![only_if(null, false, std::mem::take(&mut found.code))];
            }
        }
        if parameter.kept {
            self.refuse(format!("memory that `{}` keeps and uses later", row.name));
        }
    }

    fn touched(
        &mut self,
        row: &Function,
        arguments: &[ExprId],
        argument: ExprId,
        extent: Extent,
        is_write: bool,
    ) {
        let program = &mut self.weaver.program;
        let size_type = program.types.size_type();
        let wanted = match extent {
            Extent::Bytes(bytes) => Some(program.int(i128::from(bytes), size_type)),
            Extent::Argument(size) => arguments.get(size).map(|&size| program.convert(size, size_type)),
            Extent::Object => {
                let pointee = program.types.pointee(program.expr(argument).ty);
                let size = pointee.map_or(0, |ty| match program.types.get(ty) {
                    Type::Void => 0,
                    _ => program.types.size(ty),
                });
                (size > 0).then(|| program.int(i128::from(size), size_type))
            }
            Extent::String if !is_write => return self.string(row, argument),
            Extent::String | Extent::Product(..) | Extent::Unknown => None,
        };
        let Some(wanted) = wanted else {
            return self.refuse(format!("how much memory `{}` accesses", row.name));
        };
        let shown = shown(&Printer::new(&self.weaver.program).expr(argument));
        let message = no_memory(&format!("`{}`: memory at {shown}", row.name));
        // Others may do with less, or take a null pointer for a word.
        let is_certain = matches!(
            row.meaning,
            Some(Meaning::Copy | Meaning::Fill | Meaning::Zero | Meaning::Compare { strings: false })
        );
        let bad = misuse(is_certain, message);
        let chain = Chain::of_pointer(&self.weaver.program, argument);
        if is_write {
            let constants = self.weaver.constants_behind(argument);
            let code = self.not_constant(chain.root, &constants, |constant| {
                misuse(is_certain, format!("`{}` writes to {constant}", row.name))
            });
            if !code.is_empty() {
                let some = self.is_some(wanted);
                self.found.push(Found {
                    code: vec![only_if(some, true, code)],
                    guard: None,
                });
            }
        }
        let from = match chain.root {
            Root::Pointer(_) => chain,
            Root::Variable(var) => {
                if let ExprKind::Int(wanted) = self.weaver.program.expr(wanted).kind
                    && chain.indices.is_empty()
                    && chain.constant >= 0
                    && size_of(&self.weaver.program, var)
                        .is_some_and(|size| chain.constant + wanted <= i128::from(size))
                {
                    self.discharged += 1;
                    return;
                }
                Chain {
                    root: Root::Pointer(self.weaver.address_of(var)),
                    ..chain
                }
            }
        };
        let far = self.too_far(&from);
        self.access_behind(argument, &from, wanted, bad, far, None);
    }

    /// A string is read to its end.
    fn string(&mut self, row: &Function, argument: ExprId) {
        if library::literal(&self.weaver.program, argument).is_some() {
            self.discharged += 1;
            return;
        }
        if self.is_scanned(argument) {
            return;
        }
        let shown = shown(&Printer::new(&self.weaver.program).expr(argument));
        let (question, terminated) = self.weaver.ask(self.function, Block::Terminated, vec![argument]);
        let int = self.weaver.program.types.int(IntKind::Int);
        let endless = self.weaver.program.unary(UnaryOp::Not, terminated, int);
        let message = format!("`{}`: {shown} is no string that ends in its object", row.name);
        let bad = misuse(row.meaning == Some(Meaning::Length), message);
        self.found.push(Found {
            code: vec![question, only_if(endless, true, vec![bad])],
            guard: None,
        });
    }

    /// Whether a string is read to its end before the call.
    pub(super) fn is_scanned(&self, argument: ExprId) -> bool {
        let texts = &self.weaver.questions.texts;
        self.edge.is_some_and(|edge| texts.is_scanned(edge, argument))
    }

    /// An argument beyond a format.
    fn formatted(&mut self, row: &Function, arguments: &[ExprId], argument: ExprId) {
        let Some((at, format)) = row.format() else { return };
        let text = arguments
            .get(at)
            .and_then(|&text| library::literal(&self.weaver.program, text));
        let Some(text) = text else {
            return self.refuse(format!("`{}` with a format that is not spelled out", row.name));
        };
        let plain = |&(_, letter): &(&[u8], u8)| b"diouxXeEfFgGaAcp%".contains(&letter);
        let all_plain = library::formats(text).iter().all(plain);
        if format == Format::Print && all_plain {
            return;
        }
        let program = &self.weaver.program;
        let is_literal = library::literal(program, argument).is_some();
        let scanned = format == Format::Scan && all_plain && self.holds_numbers(argument, text);
        if !(scanned || format == Format::Print && (is_literal || self.is_scanned(argument))) {
            self.refuse(format!("what `{}` accesses as its format says", row.name));
        }
    }

    /// Whether there is room for every number of a format, whichever it is.
    fn holds_numbers(&self, argument: ExprId, format: &[u8]) -> bool {
        let program = &self.weaver.program;
        let chain = Chain::of_pointer(program, argument);
        let Root::Variable(var) = chain.root else {
            return false;
        };
        chain.constant == 0
            && chain.indices.is_empty()
            && !program.vars[var].is_read_only()
            && size_of(program, var)
                .zip(most_scanned(format))
                .is_some_and(|(size, most)| most <= size)
    }
}

/// What a library function does wrong with memory, or may.
fn misuse(is_certain: bool, message: String) -> Code {
    match is_certain {
        true => error(Undefined::Deref, message),
        false => Code::Unsupported(message),
    }
}

/// How many bytes `scanf` writes for the largest of the numbers in a format; nothing where it is not one number each.
fn most_scanned(text: &[u8]) -> Option<u64> {
    let sizes = library::formats(text).into_iter().map(|(modifiers, letter)| {
        let is_long = modifiers.iter().any(|modifier| b"ljztLq".contains(modifier));
        let plain = modifiers
            .iter()
            .all(|modifier| b"0123456789hljztLq".contains(modifier));
        match letter {
            b'%' => Some(0),
            b'c' if modifiers.is_empty() => Some(1),
            b'c' => None,
            _ if !plain => None,
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'p' => {
                Some(if is_long || letter == b'p' { 8 } else { 4 })
            }
            _ if modifiers.contains(&b'L') => Some(16),
            _ => Some(if is_long { 8 } else { 4 }),
        }
    });
    sizes.collect::<Option<Vec<u64>>>()?.into_iter().max()
}

fn is_null(program: &mut program::Program, pointer: ExprId) -> ExprId {
    let (ty, int) = (program.expr(pointer).ty, program.types.int(IntKind::Int));
    let null = program.int(0, ty);
    program.binary(BinaryOp::Eq, pointer, null, int)
}
