//! Tokens to tree. A first pass over the top level declares globals and procedures, so that bodies may use them before
//! the text defines them; a second pass reads the bodies.

mod expressions;
mod statements;

use std::collections::HashMap;

use crate::check::check;
use crate::dialect::Dialect;
use crate::expr::Expr;
use crate::lexer::{Kind, Lexed, Token, is_keyword, lex};
use crate::problem::Problem;
use crate::tree::{Initial, Position, ProcId, Program, VarId};

/// A program read from text.
#[derive(Clone, Debug)]
pub struct Reading {
    pub program: Program,
    /// The dialect it was read in.
    pub dialect: Dialect,
    /// What a person should know: other readings, parts without meaning.
    pub warnings: Vec<Problem>,
}

/// Reads a program; without a dialect, guesses it.
///
/// The result has passed [`check`]. There is at least one problem in an error, in the order of the text as far as
/// they have positions.
pub fn read(source: &str, dialect: Option<Dialect>) -> Result<Reading, Vec<Problem>> {
    let guessed = dialect.is_none();
    let dialect = dialect.unwrap_or_else(|| Dialect::guess(source));
    let lexed = lex(source, dialect).map_err(|problem| vec![problem])?;
    let mut parser = Parser::new(&lexed, dialect, guessed);
    if let Err(problem) = parser.program() {
        parser.errors.push(problem);
        return Err(parser.errors);
    }
    if parser.errors.is_empty() {
        parser.errors = check(&parser.program).err().unwrap_or_default();
    }
    if !parser.errors.is_empty() {
        parser.errors.sort_by_key(|problem| problem.position);
        return Err(parser.errors);
    }
    Ok(Reading {
        program: parser.program,
        dialect,
        warnings: parser.warnings,
    })
}

/// A syntax error ends the reading; errors about names are collected.
type Parse<T> = Result<T, Problem>;

struct Parser<'t> {
    lexed: &'t Lexed<'t>,
    next: usize,
    dialect: Dialect,
    guessed: bool,
    program: Program,
    globals: HashMap<&'t str, VarId>,
    procedures: HashMap<&'t str, ProcId>,
    /// The names of the procedure being read.
    locals: HashMap<&'t str, VarId>,
    body: Body,
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
    /// Nesting of brackets and of blocks around the current token.
    expression_depth: usize,
    block_depth: usize,
}

/// The procedure being read, and what its statements have added to it so far.
struct Body {
    procedure: ProcId,
    /// How many of its locals have been declared.
    locals: usize,
    enforce: Vec<Expr>,
}

/// One name of a declaration.
struct Declared<'t> {
    name: &'t str,
    position: Position,
    initial: Option<Initial>,
    thread_local: bool,
    note: Option<&'t str>,
}

impl<'t> Parser<'t> {
    fn new(lexed: &'t Lexed<'t>, dialect: Dialect, guessed: bool) -> Parser<'t> {
        Parser {
            lexed,
            next: 0,
            dialect,
            guessed,
            program: Program::default(),
            globals: HashMap::new(),
            procedures: HashMap::new(),
            locals: HashMap::new(),
            body: Body {
                procedure: ProcId(0),
                locals: 0,
                enforce: Vec::new(),
            },
            errors: Vec::new(),
            warnings: Vec::new(),
            expression_depth: 0,
            block_depth: 0,
        }
    }

    fn peek(&self) -> Token<'t> {
        self.lexed.tokens[self.next]
    }

    /// The token after the next one.
    fn peek_second(&self) -> Token<'t> {
        self.lexed.tokens[(self.next + 1).min(self.lexed.tokens.len() - 1)]
    }

    fn advance(&mut self) -> Token<'t> {
        let token = self.peek();
        if token.kind != Kind::EndOfText {
            self.next += 1;
        }
        token
    }

    fn at(&self, text: &str) -> bool {
        self.peek().is(text)
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Parse<Token<'t>> {
        if self.at(text) {
            Ok(self.advance())
        } else {
            Err(self.expected(&format!("`{text}`")))
        }
    }

    fn expected(&self, what: &str) -> Problem {
        Problem::at(
            self.peek().position,
            format!("expected {what}, found {}", self.peek().describe()),
        )
    }

    fn name(&mut self, what: &str) -> Parse<Token<'t>> {
        let token = self.peek();
        if token.kind == Kind::Word && !is_keyword(token.text) {
            Ok(self.advance())
        } else {
            Err(self.expected(what))
        }
    }

    fn error(&mut self, position: Position, message: String) {
        self.errors.push(Problem::at(position, message));
    }

    fn warn(&mut self, position: Position, message: impl Into<String>) {
        self.warnings.push(Problem::at(position, message));
    }

    fn program(&mut self) -> Parse<()> {
        let bodies = self.declare_top_level()?;
        for (procedure, body) in bodies {
            self.next = body;
            self.procedure_body(procedure)?;
        }
        if self.program.procedures.is_empty() {
            return Err(Problem::at(
                self.peek().position,
                "there is no procedure in this program",
            ));
        }
        Ok(())
    }

    /// Declares globals and procedures with their formals; returns where each body starts.
    fn declare_top_level(&mut self) -> Parse<Vec<(ProcId, usize)>> {
        let mut headers = Vec::new();
        // Globals are numbered before everything else wherever they stand, so that the number of a variable does not
        // depend on the order in which the text declares things.
        while self.peek().kind != Kind::EndOfText {
            if self.accept("decl") {
                for declared in self.declaration()? {
                    self.declare_global(&declared);
                }
            } else {
                headers.push(self.next);
                self.skip_procedure()?;
            }
        }
        let end = self.next;
        let mut bodies = Vec::new();
        for header in headers {
            self.next = header;
            bodies.push(self.procedure_header()?);
        }
        self.next = end;
        Ok(bodies)
    }

    fn skip_procedure(&mut self) -> Parse<()> {
        if !(self.at("dfs") || self.at("void") || self.at("bool")) {
            return Err(self.expected("`decl` or a procedure (`void` or `bool`)"));
        }
        let start = self.peek();
        while !self.at("end") {
            if self.peek().kind == Kind::EndOfText {
                return Err(Problem::at(start.position, "this procedure has no `end`"));
            }
            self.advance();
        }
        self.advance();
        Ok(())
    }

    fn declare_global(&mut self, declared: &Declared<'t>) {
        if self.globals.contains_key(declared.name) {
            self.error(
                declared.position,
                format!("the global variable `{}` is declared twice", declared.name),
            );
            return;
        }
        let var = self.program.add_global(declared.name);
        self.globals.insert(declared.name, var);
        self.describe_variable(var, declared);
        self.program.variables[var.index()].initial = declared.initial;
    }

    /// What a declaration says about a variable beside its name.
    fn describe_variable(&mut self, var: VarId, declared: &Declared<'t>) {
        let variable = &mut self.program.variables[var.index()];
        variable.position = Some(declared.position);
        variable.thread_local = declared.thread_local;
        variable.note = declared.note.map(str::to_owned);
    }

    /// The comment behind a declared name, if the name has its line to itself: the predicate it stands for. To be
    /// called when the separator after the name has been read.
    fn note(&self, position: Position, previous: Option<Position>) -> Option<&'t str> {
        let alone = previous.is_none_or(|previous| previous.line < position.line)
            && self.peek().position.line > position.line;
        let comment = self.lexed.comments.get(&position.line)?;
        (alone && !comment.is_empty()).then_some(comment)
    }

    fn procedure_header(&mut self) -> Parse<(ProcId, usize)> {
        let dfs = self.accept("dfs");
        let results = self.result_count()?;
        let name = self.name("the name of a procedure")?;
        let procedure = self.program.add_procedure(name.text, results);
        if self.procedures.insert(name.text, procedure).is_some() {
            self.error(
                name.position,
                format!("the procedure `{}` is defined twice", name.text),
            );
        }
        let slot = &mut self.program.procedures[procedure.index()];
        slot.dfs = dfs;
        slot.position = Some(name.position);
        if dfs {
            self.warn(
                name.position,
                "`dfs` is a hint about search order; it has no meaning here",
            );
        }
        self.expect("(")?;
        if !self.at(")") {
            let mut previous = Some(name.position);
            loop {
                let formal = self.name("a formal parameter")?;
                let more = self.accept(",");
                let var = self.program.add_formal(procedure, formal.text);
                let note = self.note(formal.position, previous);
                let declared = Declared {
                    name: formal.text,
                    position: formal.position,
                    initial: None,
                    thread_local: false,
                    note,
                };
                self.describe_variable(var, &declared);
                previous = Some(formal.position);
                if !more {
                    break;
                }
            }
        }
        self.expect(")")?;
        self.expect("begin")?;
        let body = self.next;
        // Locals follow the formals of their procedure in the numbering; the body is read for statements later.
        while !self.at("end") && self.peek().kind != Kind::EndOfText {
            if self.accept("decl") {
                for declared in self.declaration()? {
                    let var = self.program.add_local(procedure, declared.name);
                    self.describe_variable(var, &declared);
                }
            } else {
                self.advance();
            }
        }
        Ok((procedure, body))
    }

    fn result_count(&mut self) -> Parse<usize> {
        if self.accept("void") {
            return Ok(0);
        }
        self.expect("bool")?;
        if !self.accept("<") {
            return Ok(1);
        }
        let number = self.peek();
        let count = (number.kind == Kind::Number)
            .then(|| number.text.parse().ok())
            .flatten();
        let Some(count @ 0..=65_536) = count else {
            return Err(self.expected("the number of results"));
        };
        self.advance();
        self.expect(">")?;
        Ok(count)
    }

    /// After `decl`: the names up to and including the semicolon.
    fn declaration(&mut self) -> Parse<Vec<Declared<'t>>> {
        // The token before `decl`, which may be on the same line.
        let mut previous = self
            .next
            .checked_sub(2)
            .map(|index| self.lexed.tokens[index].position);
        let thread_local = self.accept("thread_local");
        let mut declared: Vec<Declared> = Vec::new();
        loop {
            let Token {
                text: name, position, ..
            } = self.name("the name of a variable")?;
            let initial = if self.accept(":=") {
                Some(self.initial_value()?)
            } else {
                None
            };
            let more = self.accept(",");
            if !more && !self.at("end") {
                self.expect(";")?;
            }
            let note = self.note(position, previous.replace(position));
            declared.push(Declared {
                name,
                position,
                initial,
                thread_local,
                note,
            });
            if !more {
                return Ok(declared);
            }
        }
    }

    fn initial_value(&mut self) -> Parse<Initial> {
        let initial = match self.peek().text {
            "0" | "F" => Initial::False,
            "1" | "T" => Initial::True,
            "*" => Initial::Any,
            _ => return Err(self.expected("an initial value (0, 1 or *)")),
        };
        self.advance();
        Ok(initial)
    }
}
