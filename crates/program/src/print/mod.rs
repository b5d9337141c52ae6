//! Expressions, places and types printed back as the C a user would have written.
//!
//! Parentheses are the fewest that C's precedence asks for. A conversion that the language put there is left out
//! when a compiler that reads the text puts the same one back, or when leaving it out cannot change the meaning;
//! otherwise it is written as a cast, so that a printed predicate means what the expression means. The text is
//! produced from a stack of pending pieces, never by recursion: expressions may be tens of thousands of operators deep.

mod conversions;
mod numbers;
mod operands;
mod types;

use std::collections::HashMap;

use crate::{
    BinaryOp, Callee, EdgeKind, ExprId, ExprKind, FuncId, HavocCause, LocId, PlaceId, PlaceKind, Program,
    Type, TypeId, UnaryOp, VarId, VarKind,
};
use numbers::{Literal, LiteralShape};
use operands::{Context, Hint, Shown};

pub(crate) use conversions::keeps_values;

/// How tightly the operators of C bind, loosest first.
mod precedence {
    pub const LOOSEST: u8 = 0;
    pub const CONDITIONAL: u8 = 2;
    pub const LOGICAL_OR: u8 = 3;
    pub const LOGICAL_AND: u8 = 4;
    pub const BIT_OR: u8 = 5;
    pub const BIT_XOR: u8 = 6;
    pub const BIT_AND: u8 = 7;
    pub const EQUALITY: u8 = 8;
    pub const RELATIONAL: u8 = 9;
    pub const SHIFT: u8 = 10;
    pub const ADDITIVE: u8 = 11;
    pub const MULTIPLICATIVE: u8 = 12;
    pub const UNARY: u8 = 13;
    pub const POSTFIX: u8 = 14;
}
use precedence::*;

/// Prints parts of one program.
pub struct Printer<'p> {
    program: &'p Program,
    /// Names that differ from the written ones, when same names are told apart.
    var_names: HashMap<VarId, String>,
    function_names: HashMap<FuncId, String>,
}

/// What is still to be written, last first.
enum Piece {
    Expr(ExprId, Context, Option<Hint>, u8),
    /// An operand of which it is decided how it is shown.
    Operand(Shown, Option<Hint>, u8),
    Place(PlaceId, u8),
    /// The same, but as what stands before a `.`: `p->` or `x.` follow from it.
    Member(PlaceId),
    Text(String),
    Close,
}

impl<'p> Printer<'p> {
    /// Prints every name as it is written; variables that shadow each other look alike.
    pub fn new(program: &'p Program) -> Printer<'p> {
        Printer {
            program,
            var_names: HashMap::new(),
            function_names: HashMap::new(),
        }
    }

    /// Tells variables and functions of the same name apart: the second `x` in scope is `x#2`.
    pub fn disambiguating(program: &'p Program) -> Printer<'p> {
        let mut var_names = HashMap::new();
        let mut globals: HashMap<&str, u32> = HashMap::new();
        for (id, var) in program.vars.iter() {
            if matches!(var.kind, VarKind::Global(_)) && !var.name.starts_with('"') {
                let count = globals.entry(&var.name).or_default();
                *count += 1;
                if *count > 1 {
                    var_names.insert(id, format!("{}#{count}", var.name));
                }
            }
        }
        let mut function_names = HashMap::new();
        let mut functions: HashMap<&str, u32> = HashMap::new();
        for (id, function) in program.functions.iter() {
            let count = functions.entry(&function.name).or_default();
            *count += 1;
            if *count > 1 {
                function_names.insert(id, format!("{}#{count}", function.name));
            }
            let mut locals: HashMap<&str, u32> = HashMap::new();
            for &var in function.params.iter().chain(&function.locals) {
                let name = program.vars[var].name.as_str();
                let count = locals
                    .entry(name)
                    .or_insert(globals.get(name).copied().unwrap_or(0));
                *count += 1;
                if *count > 1 {
                    var_names.insert(var, format!("{name}#{count}"));
                }
            }
        }
        Printer {
            program,
            var_names,
            function_names,
        }
    }

    /// An expression by itself: the text has the same value as the expression.
    pub fn expr(&self, expr: ExprId) -> String {
        self.print(vec![Piece::Expr(expr, Context::Value, None, LOOSEST)])
    }

    /// An expression of which only matters whether it is zero.
    pub fn condition(&self, expr: ExprId, holds: bool) -> String {
        match holds {
            true => self.print(vec![Piece::Expr(expr, Context::Truth, None, LOOSEST)]),
            false => self.print(vec![
                Piece::Expr(expr, Context::Truth, None, UNARY),
                Piece::Text("!".to_owned()),
            ]),
        }
    }

    /// An expression that is converted to a type afterwards, as by assignment or by passing it to a parameter.
    pub fn converted(&self, expr: ExprId, to: TypeId) -> String {
        let hint = operands::type_hint(&self.program.types, to);
        self.print(vec![Piece::Expr(expr, Context::Converted(to), hint, LOOSEST)])
    }

    pub fn place(&self, place: PlaceId) -> String {
        self.print(vec![Piece::Place(place, LOOSEST)])
    }

    /// A type as a cast would name it: `int (*)[3]`.
    pub fn ty(&self, ty: TypeId) -> String {
        types::type_name(&self.program.types, ty)
    }

    /// `int (*name)[3]`.
    pub fn declaration(&self, ty: TypeId, name: &str) -> String {
        types::declaration(&self.program.types, ty, name)
    }

    pub fn var_name(&self, var: VarId) -> &str {
        self.var_names.get(&var).unwrap_or(&self.program.vars[var].name)
    }

    pub fn function_name(&self, function: FuncId) -> &str {
        self.function_names
            .get(&function)
            .unwrap_or(&self.program.functions[function].name)
    }

    /// What an edge does, in one line.
    pub fn edge(&self, edge: &EdgeKind, function: FuncId) -> String {
        match edge {
            EdgeKind::Assign { place, value } => {
                let ty = self.program.place(*place).ty;
                format!("{} = {}", self.place(*place), self.converted(*value, ty))
            }
            EdgeKind::Assume { condition, holds } => format!("assume {}", self.condition(*condition, *holds)),
            EdgeKind::Call {
                result,
                callee,
                arguments,
            } => {
                let call = self.call(*callee, arguments);
                match result {
                    Some(place) => format!("{} = {call}", self.place(*place)),
                    None => call,
                }
            }
            EdgeKind::Return { value: Some(value) } => {
                let ty = self.program.result_type(function);
                format!("return {}", self.converted(*value, ty))
            }
            EdgeKind::Return { value: None } => "return".to_owned(),
            EdgeKind::Havoc { place, cause } => {
                let cause = match cause {
                    HavocCause::Uninitialised => "uninitialised",
                    HavocCause::Assembly => "assembly",
                    HavocCause::Hardware => "hardware",
                };
                format!("havoc {} ({cause})", self.place(*place))
            }
            EdgeKind::Unsupported { what } => format!("unsupported: {what}"),
        }
    }

    /// `f(x, y)` or `p->f(x, y)`.
    pub fn call(&self, callee: Callee, arguments: &[ExprId]) -> String {
        let types = &self.program.types;
        let (name, ty) = match callee {
            Callee::Direct(function) => (
                self.function_name(function).to_owned(),
                Some(self.program.functions[function].ty),
            ),
            Callee::Indirect(pointer) => {
                let ty = self.program.expr(pointer).ty;
                let name = self.print(vec![Piece::Expr(pointer, Context::Exact(ty), None, POSTFIX)]);
                (name, types.pointee(ty))
            }
        };
        let params = match ty.map(|ty| types.get(ty)) {
            Some(Type::Function(function)) => function.params.as_slice(),
            _ => &[],
        };
        let arguments: Vec<String> = arguments
            .iter()
            .enumerate()
            .map(|(at, &argument)| match params.get(at) {
                Some(&ty) => self.converted(argument, ty),
                None => self.expr(argument),
            })
            .collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn print(&self, mut pieces: Vec<Piece>) -> String {
        let mut out = String::new();
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Close => out.push(')'),
                Piece::Expr(expr, context, hint, min) => {
                    let shown = operands::show(self.program, expr, context);
                    pieces.push(Piece::Operand(shown, hint, min));
                }
                Piece::Operand(shown, hint, min) => self.operand(shown, hint, min, &mut out, &mut pieces),
                Piece::Place(place, min) => self.push_place(place, min, &mut out, &mut pieces),
                Piece::Member(base) => self.push_member_base(base, &mut pieces),
            }
        }
        out
    }

    fn operand(&self, shown: Shown, hint: Option<Hint>, min: u8, out: &mut String, pieces: &mut Vec<Piece>) {
        match shown {
            Shown::Cast(expr, ty) => {
                let inner = Piece::Expr(expr, Context::CastTo(ty), hint, UNARY);
                let cast = format!("({})", self.ty(ty));
                bracketed(UNARY, min, out, pieces, vec![Piece::Text(cast), inner]);
            }
            Shown::Plain(expr) => match self.constant(expr, hint) {
                Some(literal) => push_literal(literal, min, out, pieces),
                None => self.push_expr(expr, hint, min, out, pieces),
            },
            Shown::Suffixed(value, kind) => {
                let model = self.program.types.model();
                let literal = numbers::suffixed(value, kind, model)
                    .expect("only types that have literals are shown with a suffix");
                push_literal(literal, min, out, pieces);
            }
        }
    }

    fn constant(&self, expr: ExprId, hint: Option<Hint>) -> Option<Literal> {
        let types = &self.program.types;
        let expr = self.program.expr(expr);
        let primary = |text: String| Literal {
            text,
            shape: LiteralShape::Primary,
        };
        match expr.kind {
            ExprKind::Float(bits) => Some(numbers::float(bits)),
            ExprKind::Zero => Some(primary("{0}".to_owned())),
            ExprKind::Int(value) => {
                let own = operands::type_hint(types, expr.ty).filter(|hint| matches!(hint, Hint::Enum(_)));
                match own.or(hint) {
                    Some(Hint::Enum(id)) => {
                        let enumeration = types.enumeration(id);
                        if let Some((name, _)) = enumeration.enumerators.iter().find(|(_, v)| *v == value) {
                            return Some(primary(name.clone()));
                        }
                    }
                    Some(Hint::Char) => {
                        if let Some(text) = numbers::character(value) {
                            return Some(primary(text));
                        }
                    }
                    None => {}
                }
                let kind = operands::literal_kind(types, expr.ty);
                Some(numbers::plain(value, kind, types.model()))
            }
            _ => None,
        }
    }

    fn push_expr(&self, id: ExprId, hint: Option<Hint>, min: u8, out: &mut String, pieces: &mut Vec<Piece>) {
        let program = self.program;
        let expr = program.expr(id);
        match expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero => {
                unreachable!("constants are written before")
            }
            ExprKind::Read(place) => pieces.push(Piece::Place(place, min)),
            ExprKind::AddressOf(place) => self.push_address(place, expr.ty, min, out, pieces),
            ExprKind::Function(function) => out.push_str(self.function_name(function)),
            ExprKind::Label(loc) => out.push_str(&self.label(loc)),
            ExprKind::Unary(op, operand) => self.push_unary(op, operand, min, out, pieces),
            ExprKind::Cast { .. } => unreachable!("casts are taken off before"),
            ExprKind::Binary(op, left, right) => self.push_binary(op, left, right, min, out, pieces),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let (then, otherwise) = operands::arms(program, expr.ty, then, otherwise);
                let own = operands::type_hint(&program.types, expr.ty).or(hint);
                let parts = vec![
                    Piece::Expr(condition, Context::Truth, None, LOGICAL_OR),
                    Piece::Text(" ? ".to_owned()),
                    Piece::Operand(then, own, LOOSEST),
                    Piece::Text(" : ".to_owned()),
                    Piece::Operand(otherwise, own, CONDITIONAL),
                ];
                bracketed(CONDITIONAL, min, out, pieces, parts);
            }
        }
    }

    fn push_unary(&self, op: UnaryOp, operand: ExprId, min: u8, out: &mut String, pieces: &mut Vec<Piece>) {
        let ty = self.program.expr(operand).ty;
        let (sign, context) = match op {
            UnaryOp::Negate => ("-", Context::Promoted(ty)),
            UnaryOp::BitNot => ("~", Context::Promoted(ty)),
            UnaryOp::Not => ("!", Context::Truth),
            _ => {
                let function = operands::function_of(&self.program.types, op, ty);
                out.push_str(&format!("{function}("));
                pieces.push(Piece::Close);
                pieces.push(Piece::Expr(operand, Context::Exact(ty), None, LOOSEST));
                return;
            }
        };
        // `- -x` must not become `--x`.
        let shown = operands::show(self.program, operand, context);
        let starts_with_sign = op == UnaryOp::Negate && self.starts_with_minus(shown);
        let inner = if starts_with_sign { POSTFIX } else { UNARY };
        let parts = vec![Piece::Text(sign.to_owned()), Piece::Operand(shown, None, inner)];
        bracketed(UNARY, min, out, pieces, parts);
    }

    fn starts_with_minus(&self, shown: Shown) -> bool {
        match shown {
            Shown::Plain(expr) => match self.program.expr(expr).kind {
                ExprKind::Unary(UnaryOp::Negate, _) => true,
                _ => self
                    .constant(expr, None)
                    .is_some_and(|literal| literal.text.starts_with('-')),
            },
            Shown::Suffixed(value, _) => value < 0,
            Shown::Cast(..) => false,
        }
    }

    fn push_binary(
        &self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        min: u8,
        out: &mut String,
        pieces: &mut Vec<Piece>,
    ) {
        let program = self.program;
        let Some((sign, binds)) = operator(op) else {
            let function = operands::binary_function(&program.types, op, program.expr(left).ty);
            out.push_str(&format!("{function}("));
            pieces.push(Piece::Close);
            for (at, operand) in [right, left].into_iter().enumerate() {
                let context = Context::Exact(program.expr(operand).ty);
                pieces.push(Piece::Expr(operand, context, None, LOOSEST));
                if at == 0 {
                    pieces.push(Piece::Text(", ".to_owned()));
                }
            }
            return;
        };
        if let (BinaryOp::PointerAdd, ExprKind::Int(value @ ..=-1)) = (op, program.expr(right).kind) {
            let context = Context::Exact(program.expr(left).ty);
            let parts = vec![
                Piece::Expr(left, context, None, binds),
                Piece::Text(format!(" - {}", value.unsigned_abs())),
            ];
            bracketed(binds, min, out, pieces, parts);
            return;
        }
        let operands = operands::of_binary(program, op, left, right);
        let parts = vec![
            Piece::Operand(operands.left, operands.left_hint, binds),
            Piece::Text(format!(" {sign} ")),
            Piece::Operand(operands.right, operands.right_hint, binds + 1),
        ];
        bracketed(binds, min, out, pieces, parts);
    }

    fn push_address(&self, place: PlaceId, ty: TypeId, min: u8, out: &mut String, pieces: &mut Vec<Piece>) {
        let types = &self.program.types;
        let pointee = types.pointee(ty);
        let target = self.program.place(place);
        if pointee == types.element(target.ty) && pointee.is_some() {
            // An array used as a pointer to its first element.
            pieces.push(Piece::Place(place, min));
            return;
        }
        if pointee != Some(target.ty) {
            let cast = format!("({})", self.ty(ty));
            let parts = vec![Piece::Text(format!("{cast}&")), Piece::Place(place, UNARY)];
            bracketed(UNARY, min, out, pieces, parts);
            return;
        }
        match target.kind {
            PlaceKind::Index(array, index) if self.is_zero(index) => pieces.push(Piece::Place(array, min)),
            PlaceKind::Deref(pointer) if self.sum(pointer).is_none() => {
                let context = Context::Exact(self.program.expr(pointer).ty);
                pieces.push(Piece::Expr(pointer, context, None, min));
            }
            _ => {
                let parts = vec![Piece::Text("&".to_owned()), Piece::Place(place, UNARY)];
                bracketed(UNARY, min, out, pieces, parts);
            }
        }
    }

    fn is_zero(&self, expr: ExprId) -> bool {
        self.program.expr(expr).kind == ExprKind::Int(0)
    }

    /// The two sides of a pointer sum, which is dereferenced as `p[i]`.
    fn sum(&self, pointer: ExprId) -> Option<(ExprId, ExprId)> {
        match self.program.expr(pointer).kind {
            ExprKind::Binary(BinaryOp::PointerAdd, base, index) => Some((base, index)),
            _ => None,
        }
    }

    fn push_place(&self, id: PlaceId, min: u8, out: &mut String, pieces: &mut Vec<Piece>) {
        let program = self.program;
        let place = program.place(id);
        match place.kind {
            PlaceKind::Var(var) => out.push_str(self.var_name(var)),
            PlaceKind::Deref(pointer) => {
                let ty = program.expr(pointer).ty;
                if let Some((base, index)) = self.sum(pointer) {
                    pieces.push(Piece::Text("]".to_owned()));
                    pieces.push(Piece::Expr(index, Context::Index, None, LOOSEST));
                    pieces.push(Piece::Text("[".to_owned()));
                    pieces.push(Piece::Expr(base, Context::Exact(ty), None, POSTFIX));
                } else if let Some(target) = self.addressed(pointer) {
                    pieces.push(Piece::Place(target, min));
                } else if let Some(name) = self.named_by(pointer) {
                    out.push_str(name);
                } else {
                    let parts = vec![
                        Piece::Text("*".to_owned()),
                        Piece::Expr(pointer, Context::Exact(ty), None, UNARY),
                    ];
                    bracketed(UNARY, min, out, pieces, parts);
                }
            }
            PlaceKind::Field(base, field) => {
                let name = match program.types.get(program.place(base).ty) {
                    Type::Record(record) => {
                        program.types.record(*record).fields[field as usize].name.as_str()
                    }
                    other => unreachable!("only records have fields, not {other:?}"),
                };
                let name = if name.is_empty() { "<anonymous>" } else { name };
                pieces.push(Piece::Text(name.to_owned()));
                pieces.push(Piece::Member(base));
            }
            PlaceKind::Index(base, index) => {
                pieces.push(Piece::Text("]".to_owned()));
                pieces.push(Piece::Expr(index, Context::Index, None, LOOSEST));
                pieces.push(Piece::Text("[".to_owned()));
                pieces.push(Piece::Place(base, POSTFIX));
            }
        }
    }

    /// The place that `*&place` is.
    fn addressed(&self, pointer: ExprId) -> Option<PlaceId> {
        let expr = self.program.expr(pointer);
        match expr.kind {
            ExprKind::AddressOf(place)
                if self.program.types.pointee(expr.ty) == Some(self.program.place(place).ty) =>
            {
                Some(place)
            }
            _ => None,
        }
    }

    /// What is behind a variable `&x` is called `x`.
    fn named_by(&self, pointer: ExprId) -> Option<&str> {
        let ExprKind::Read(place) = self.program.expr(pointer).kind else {
            return None;
        };
        match self.program.place(place).kind {
            PlaceKind::Var(var) => self.var_name(var).strip_prefix('&'),
            _ => None,
        }
    }

    /// What stands before a field's name, with the `.` or `->`. Anonymous members are not mentioned.
    fn push_member_base(&self, mut base: PlaceId, pieces: &mut Vec<Piece>) {
        loop {
            match self.program.place(base).kind {
                PlaceKind::Field(outer, field) => {
                    let anonymous = match self.program.types.get(self.program.place(outer).ty) {
                        Type::Record(record) => self.program.types.record(*record).fields[field as usize]
                            .name
                            .is_empty(),
                        _ => false,
                    };
                    if !anonymous {
                        break;
                    }
                    base = outer;
                }
                PlaceKind::Deref(pointer) if self.named_by(pointer).is_some() => break,
                PlaceKind::Deref(pointer) if self.sum(pointer).is_none() => match self.addressed(pointer) {
                    Some(place) => base = place,
                    None => {
                        let context = Context::Exact(self.program.expr(pointer).ty);
                        pieces.push(Piece::Text("->".to_owned()));
                        pieces.push(Piece::Expr(pointer, context, None, POSTFIX));
                        return;
                    }
                },
                _ => break,
            }
        }
        pieces.push(Piece::Text(".".to_owned()));
        pieces.push(Piece::Place(base, POSTFIX));
    }

    fn label(&self, loc: LocId) -> String {
        match self.program.locs[loc].labels.first() {
            Some(label) => format!("&&{}", label.name),
            None => format!("&&{loc}"),
        }
    }
}

/// Queues the parts, in brackets if an operator that binds `binds` tightly stands where `min` is needed.
fn bracketed(binds: u8, min: u8, out: &mut String, pieces: &mut Vec<Piece>, parts: Vec<Piece>) {
    if binds < min {
        out.push('(');
        pieces.push(Piece::Close);
    }
    pieces.extend(parts.into_iter().rev());
}

fn push_literal(literal: Literal, min: u8, out: &mut String, pieces: &mut Vec<Piece>) {
    let binds = match literal.shape {
        LiteralShape::Primary => POSTFIX,
        LiteralShape::Unary => UNARY,
        LiteralShape::Sum => ADDITIVE,
        LiteralShape::Wide => BIT_OR,
    };
    bracketed(binds, min, out, pieces, vec![Piece::Text(literal.text)]);
}

fn operator(op: BinaryOp) -> Option<(&'static str, u8)> {
    Some(match op {
        BinaryOp::Add | BinaryOp::PointerAdd => ("+", ADDITIVE),
        BinaryOp::Sub | BinaryOp::PointerDiff => ("-", ADDITIVE),
        BinaryOp::Mul => ("*", MULTIPLICATIVE),
        BinaryOp::Div => ("/", MULTIPLICATIVE),
        BinaryOp::Rem => ("%", MULTIPLICATIVE),
        BinaryOp::BitAnd => ("&", BIT_AND),
        BinaryOp::BitOr => ("|", BIT_OR),
        BinaryOp::BitXor => ("^", BIT_XOR),
        BinaryOp::Shl => ("<<", SHIFT),
        BinaryOp::Shr => (">>", SHIFT),
        BinaryOp::Eq => ("==", EQUALITY),
        BinaryOp::Ne => ("!=", EQUALITY),
        BinaryOp::Lt => ("<", RELATIONAL),
        BinaryOp::Le => ("<=", RELATIONAL),
        BinaryOp::Gt => (">", RELATIONAL),
        BinaryOp::Ge => (">=", RELATIONAL),
        BinaryOp::LogicalAnd => ("&&", LOGICAL_AND),
        BinaryOp::LogicalOr => ("||", LOGICAL_OR),
        BinaryOp::Unordered | BinaryOp::LessGreater | BinaryOp::CopySign => return None,
    })
}
