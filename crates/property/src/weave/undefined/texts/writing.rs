//! Writing code: the few words that the loops of string functions are made of.

use library::{Block, Function};
use program::{BinaryOp, EdgeId, EdgeKind, ExprId, FuncId, IntKind, PlaceId, Printer, TypeId, VarId};

use super::Words;
use crate::weave::Weaver;
use crate::weave::edit::Code;
use crate::weave::undefined::chain::{Chain, Root, size_of};
use crate::weave::undefined::pointers::shown;

/// Code that is to stand for a call.
pub struct Writing<'a> {
    pub weaver: &'a mut Weaver,
    pub row: &'static Function,
    function: FuncId,
    /// What happens before the edge is taken.
    pub code: Vec<Code>,
    /// What happens after it.
    pub after: Vec<Code>,
    /// Whether the function makes these accesses for sure.
    pub is_certain: bool,
}

/// Memory that an argument points to.
pub struct Operand {
    /// The argument, as a pointer to bytes; it means the same throughout the code.
    base: ExprId,
    root: Root,
    /// How far it is from the root, where that is known.
    offset: Option<i128>,
    shown: String,
    /// The variable that it is in, as users know it, and the size of that.
    inside: Option<(String, u64)>,
    pub is_literal: bool,
    /// What it may lead to that is constant.
    constants: Vec<VarId>,
}

/// Whether bytes of two operands may be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    Never,
    /// Both are in one object; the second is so far behind the first.
    Distance(i128),
    Perhaps,
}

/// What an access is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A string is read up to its end.
    Text,
    /// Some bytes are read.
    Read,
    Write,
    /// What is surely there is read or written.
    There,
}

impl<'a> Writing<'a> {
    pub fn new(weaver: &'a mut Weaver, edge: EdgeId, row: &'static Function) -> Writing<'a> {
        let from = weaver.program.edges[edge].from;
        Writing {
            function: weaver.program.locs[from].function,
            weaver,
            row,
            code: Vec::new(),
            after: Vec::new(),
            is_certain: true,
        }
    }

    pub fn int(&mut self) -> TypeId {
        self.weaver.program.types.int(IntKind::Int)
    }

    pub fn size(&mut self) -> TypeId {
        self.weaver.program.types.size_type()
    }

    pub fn byte(&mut self) -> TypeId {
        self.weaver.program.types.int(IntKind::UChar)
    }

    pub fn pointer(&mut self) -> TypeId {
        let byte = self.byte();
        self.weaver.program.types.pointer(byte)
    }

    /// A new variable, and what it holds first.
    pub fn new_var(&mut self, ty: TypeId, value: i128) -> VarId {
        let var = self.weaver.new_temporary(self.function, ty);
        let value = self.weaver.program.int(value, ty);
        let code = self.set(var, value);
        self.code.push(code);
        var
    }

    pub fn set(&mut self, var: VarId, value: ExprId) -> Code {
        let place = self.weaver.program.var_place(var);
        let value = self
            .weaver
            .program
            .convert(value, self.weaver.program.vars[var].ty);
        Code::Assign { place, value }
    }

    pub fn get(&mut self, var: VarId) -> ExprId {
        self.weaver.program.read_var(var)
    }

    /// `var++`
    pub fn step(&mut self, var: VarId) -> Code {
        let next = self.moved(var, 1);
        self.set(var, next)
    }

    pub fn moved(&mut self, var: VarId, by: i128) -> ExprId {
        let (value, ty) = (self.get(var), self.weaver.program.vars[var].ty);
        let by = self.weaver.program.int(by, ty);
        self.weaver.program.binary(BinaryOp::Add, value, by, ty)
    }

    pub fn is(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let int = self.int();
        self.weaver.program.binary(op, left, right, int)
    }

    /// Whether a variable is not zero.
    pub fn is_set(&mut self, var: VarId) -> ExprId {
        let (value, ty) = (self.get(var), self.weaver.program.vars[var].ty);
        let zero = self.weaver.program.int(0, ty);
        self.is(BinaryOp::Ne, value, zero)
    }

    /// A number of bytes that an argument says, before anything happens.
    pub fn count(&mut self, argument: ExprId) -> ExprId {
        let ty = self.size();
        self.kept(argument, ty)
    }

    /// The byte that an argument says, before anything happens.
    pub fn character(&mut self, argument: ExprId) -> ExprId {
        let ty = self.byte();
        self.kept(argument, ty)
    }

    /// The value of an argument, before anything happens.
    pub fn kept_as_it_is(&mut self, argument: ExprId) -> ExprId {
        let ty = self.weaver.program.expr(argument).ty;
        self.kept(argument, ty)
    }

    fn kept(&mut self, argument: ExprId, ty: TypeId) -> ExprId {
        let value = self.weaver.program.convert(argument, ty);
        if matches!(self.weaver.program.expr(argument).kind, program::ExprKind::Int(_)) {
            return value;
        }
        let var = self.weaver.new_temporary(self.function, ty);
        let code = self.set(var, value);
        self.code.push(code);
        self.get(var)
    }

    /// The memory behind an argument. What is written may be what the argument is read from, so unless that is the address of a
    /// variable, it is kept first.
    pub fn operand(&mut self, argument: ExprId) -> Operand {
        let pointer = self.pointer();
        let constants = self.weaver.constants_behind(argument);
        let program = &mut self.weaver.program;
        let chain = Chain::of_pointer(program, argument);
        let is_literal = library::literal(program, argument).is_some();
        let shown = shown(&Printer::new(program).expr(argument));
        let mut base = program.convert(argument, pointer);
        let mut inside = None;
        match chain.root {
            Root::Variable(var) => {
                let name = program.vars[var].name.clone();
                let size = size_of(program, var).filter(|_| !is_literal && !name.contains('$'));
                inside = size.map(|size| (name, size));
            }
            Root::Pointer(_) => {}
        }
        if !(matches!(chain.root, Root::Variable(_)) && chain.indices.is_empty()) {
            let var = self.weaver.new_temporary(self.function, pointer);
            let code = self.set(var, base);
            self.code.push(code);
            base = self.get(var);
        }
        Operand {
            base,
            root: chain.root,
            offset: chain.indices.is_empty().then_some(chain.constant),
            shown,
            inside,
            is_literal,
            constants,
        }
    }

    /// The byte so far behind the start of an operand.
    pub fn at(&mut self, operand: &Operand, index: VarId, what: Use) -> PlaceId {
        let address = self.address(operand, index);
        let place = self.weaver.program.deref(address);
        let words = Words {
            missing: self.missing(operand, what),
            unwritten: format!(
                "`{}` reads {}, but nothing was written there before",
                self.row.name, operand.shown
            ),
            is_certain: self.is_certain,
            is_there: operand.is_literal && what == Use::Text || what == Use::There,
            name: self.row.name,
            constants: operand.constants.clone(),
        };
        self.weaver.questions.texts.bytes.insert(place, words);
        place
    }

    pub fn read(&mut self, operand: &Operand, index: VarId, what: Use) -> ExprId {
        let place = self.at(operand, index, what);
        self.weaver.program.read(place)
    }

    fn missing(&self, operand: &Operand, what: Use) -> String {
        let (name, shown) = (self.row.name, &operand.shown);
        let verb = match what {
            Use::Text => return format!("`{name}`: {shown} is no string that ends in its object"),
            Use::Read => "reads",
            Use::Write | Use::There => "writes",
        };
        match &operand.inside {
            Some((var, 1)) => format!("`{name}` {verb} past the end of `{var}`, which has 1 byte"),
            Some((var, size)) => format!("`{name}` {verb} past the end of `{var}`, which has {size} bytes"),
            None => format!(
                "`{name}` {verb} at {shown} where there is no memory: null, freed, or past the end of an object"
            ),
        }
    }

    /// An address that the code has come to byte by byte.
    pub fn address(&mut self, operand: &Operand, index: VarId) -> ExprId {
        let index = self.get(index);
        self.displaced(operand, index)
    }

    pub fn displaced(&mut self, operand: &Operand, by: ExprId) -> ExprId {
        let pointer = self.pointer();
        let program = &mut self.weaver.program;
        let address = program.binary(BinaryOp::PointerAdd, operand.base, by, pointer);
        self.weaver.questions.texts.stepped.insert(address);
        address
    }

    /// How many bytes there are before the end of a string.
    pub fn length(&mut self, text: &Operand) -> VarId {
        let size = self.size();
        let at = self.new_var(size, 0);
        let (byte, ty) = (self.read(text, at, Use::Text), self.byte());
        let zero = self.weaver.program.int(0, ty);
        let condition = self.is(BinaryOp::Ne, byte, zero);
        let body = vec![self.step(at)];
        self.code.push(Code::While { condition, body });
        at
    }

    /// Whether a copy may be one of bytes that overlap. What cannot be told apart here must not be in one object.
    pub fn overlap(&mut self, to: &Operand, from: &Operand) -> Overlap {
        if from.is_literal {
            return Overlap::Never;
        }
        match (to.root, from.root, to.offset.zip(from.offset)) {
            (Root::Variable(to), Root::Variable(from), _) if to != from => Overlap::Never,
            (to, from, Some((start, other))) if to == from => Overlap::Distance(other - start),
            _ => Overlap::Perhaps,
        }
    }

    /// Refuses a copy within one object.
    pub fn refuse_one_object(&mut self, to: &Operand, from: &Operand) {
        let (question, room) = self
            .weaver
            .ask(self.function, Block::Room, vec![from.base, to.base]);
        let zero = {
            let size = self.size();
            self.weaver.program.int(0, size)
        };
        let condition = self.is(BinaryOp::Ne, room, zero);
        let refused = self.refused(condition, "within one object");
        self.code.extend([question, refused]);
    }

    /// Refuses a null pointer for a string: C has no such, and libraries print something for it.
    pub fn refuse_null(&mut self, text: &Operand) {
        if !text.is_literal && !matches!(text.root, Root::Variable(_)) {
            let is_null = self.is_null(text);
            let refused = self.refused(is_null, "of a null pointer as a string");
            self.code.push(refused);
        }
    }

    /// Refuses what the function does where a condition holds.
    pub fn refused(&self, condition: ExprId, where_: &str) -> Code {
        let what = format!("`{}` {where_}", self.row.name);
        Code::If {
            condition,
            then: vec![Code::Unsupported(what)],
            otherwise: Vec::new(),
        }
    }

    pub fn is_null(&mut self, operand: &Operand) -> ExprId {
        let pointer = self.pointer();
        let null = self.weaver.program.int(0, pointer);
        self.is(BinaryOp::Eq, operand.base, null)
    }

    pub fn base(&self, operand: &Operand) -> ExprId {
        operand.base
    }

    /// The edge that is taken instead of the call: its result is known.
    pub fn returning(&mut self, result: Option<PlaceId>, value: ExprId) -> EdgeKind {
        match result {
            Some(place) => {
                let ty = self.weaver.program.place(place).ty;
                let value = self.weaver.program.convert(value, ty);
                EdgeKind::Assign { place, value }
            }
            None => {
                let int = self.int();
                EdgeKind::Assume {
                    condition: self.weaver.program.int(1, int),
                    holds: true,
                }
            }
        }
    }
}
