//! Random C programs with few runs: what they ask for is chosen from a handful of values, so that all of their runs can be had by
//! execution. They are defined for nearly all choices; those that are not are found by the compiler's sanitizers and left out.
//!
//! A program is a few globals, helper functions and a `main`, made of plain statements and of *idioms*: small pieces that use one
//! part of the language or of the library the way people do. Every program uses some of the idioms and not others, so that
//! programs stay small and idioms meet each other.

use logic::random::Random;

use crate::idioms::Idiom;

/// A random program, as text with two meanings: compiled with `RUN` defined, choices are the driver's and probes tell it what they
/// see; otherwise choices are inputs, and probes are whatever the question about them is.
#[derive(Clone, Debug)]
pub struct Program {
    pub body: String,
    /// The function that a check starts at, if that is not `main`.
    pub entry: Option<&'static str>,
    /// Whether runs beyond those that the driver shows are possible: then nothing follows from not having seen a value.
    pub open: bool,
    pub probes: usize,
}

/// An integer variable that statements can see.
#[derive(Clone, Debug)]
pub(crate) struct Int {
    pub name: String,
    pub writable: bool,
    /// The depth of the block that it lives in; pointers lead to nothing that dies before them.
    pub depth: usize,
    /// Whether it is a plain `int`, which an `int *` may point to.
    pub plain: bool,
}

pub(crate) struct Generator {
    pub random: Random,
    pub idioms: Vec<Idiom>,
    pub ints: Vec<Int>,
    /// Arrays of `int` with four elements, visible everywhere in the function.
    pub arrays: Vec<String>,
    /// Pointers to `int` that always lead somewhere.
    pub pointers: Vec<String>,
    pub functions: Vec<(String, usize)>,
    /// Text before all functions: types, globals, functions that idioms need.
    pub top: String,
    pub text: String,
    pub indent: usize,
    pub depth: usize,
    pub names: usize,
    pub probes: usize,
    /// How many inputs may still be asked for.
    pub inputs: usize,
    pub in_loop: bool,
    pub entry: Option<&'static str>,
    pub open: bool,
    pub once: Vec<&'static str>,
}

/// The most probes in a program; the driver has as many places for what they see.
pub(crate) const PROBES: usize = 3;

const TYPES: [&str; 11] = [
    "int",
    "int",
    "int",
    "unsigned",
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "long",
    "unsigned long",
    "_Bool",
];

/// The program of a number: always the same.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99));
    let count = 1 + random.below(4);
    let idioms = (0..count).map(|_| random.pick(&Idiom::ALL)).collect();
    let mut generator = Generator {
        random,
        idioms,
        ints: Vec::new(),
        arrays: Vec::new(),
        pointers: Vec::new(),
        functions: Vec::new(),
        top: String::new(),
        text: String::new(),
        indent: 0,
        depth: 0,
        names: 0,
        probes: 0,
        inputs: 0,
        in_loop: false,
        entry: None,
        open: false,
        once: Vec::new(),
    };
    generator.whole();
    Program {
        body: format!("{}{}", generator.top, generator.text),
        entry: generator.entry,
        open: generator.open,
        probes: generator.probes,
    }
}

impl Generator {
    fn whole(&mut self) {
        for _ in 0..1 + self.random.below(3) {
            self.global();
        }
        for _ in 0..self.random.below(3) {
            self.function();
        }
        self.main();
    }

    fn global(&mut self) {
        let name = self.name("g");
        if self.random.chance(20) {
            let init = match self.random.below(3) {
                0 => String::new(),
                1 => " = {1, 2, 3, 4}".to_owned(),
                _ => format!(" = {{{}}}", self.constant()),
            };
            self.top.push_str(&format!("static int {name}[4]{init};\n"));
            self.arrays.push(name);
            return;
        }
        let ty = self.random.pick(&TYPES);
        let init = match self.random.chance(60) {
            true => format!(" = {}", self.constant()),
            false => String::new(),
        };
        self.top.push_str(&format!("static {ty} {name}{init};\n"));
        self.ints.push(Int {
            name,
            writable: true,
            depth: 0,
            plain: ty == "int",
        });
    }

    /// A helper function; calls go to functions that are written before, so that they end.
    fn function(&mut self) {
        let name = self.name("f");
        let params = self.random.below(3);
        let (ints, arrays, pointers) = (self.ints.len(), self.arrays.len(), self.pointers.len());
        let mut written = Vec::new();
        for _ in 0..params {
            let param = self.name("p");
            written.push(format!("int {param}"));
            self.int(&param, true, true);
        }
        let list = if written.is_empty() {
            "void".to_owned()
        } else {
            written.join(", ")
        };
        self.line(format!("static int {name}({list}) {{"));
        self.inputs = 1;
        let statements = 1 + self.random.below(3);
        self.block(statements);
        let result = self.expression(2);
        self.indented(format!("return {result};"));
        self.line("}");
        self.ints.truncate(ints);
        self.arrays.truncate(arrays);
        self.pointers.truncate(pointers);
        self.functions.push((name, params));
    }

    fn main(&mut self) {
        self.line("int main(void) {");
        self.inputs = 2 + self.random.below(2);
        self.indent += 1;
        self.depth += 1;
        for _ in 0..1 + self.random.below(3) {
            self.local();
        }
        for idiom in self.idioms.clone() {
            if self.random.chance(70) {
                self.statement(2);
            }
            idiom.write(self);
            if self.random.chance(30) {
                self.probe();
            }
        }
        for _ in 0..self.random.below(4) {
            self.statement(3);
        }
        self.last_probe();
        self.line("return 0;");
        self.indent -= 1;
        self.depth -= 1;
        self.line("}");
    }

    pub(crate) fn local(&mut self) {
        let name = self.name("x");
        let ty = self.random.pick(&TYPES);
        let value = match self.inputs > 0 && self.random.chance(50) {
            true => self.input(),
            false => self.expression(1),
        };
        self.line(format!("{ty} {name} = {value};"));
        self.int(&name, true, ty == "int");
    }

    pub(crate) fn int(&mut self, name: &str, writable: bool, plain: bool) {
        self.ints.push(Int {
            name: name.to_owned(),
            writable,
            depth: self.depth,
            plain,
        });
    }

    /// Asks about something that has a value here.
    pub(crate) fn probe(&mut self) {
        if self.probes + 1 < PROBES {
            let value = self.expression(1);
            self.probe_of(&value);
        }
    }

    pub(crate) fn probe_of(&mut self, value: &str) {
        if self.probes < PROBES {
            self.line(format!("PROBE{}({value});", self.probes));
            self.probes += 1;
        }
    }

    /// The question at the end depends on all that was computed.
    fn last_probe(&mut self) {
        let mut terms: Vec<String> = self.ints.iter().map(|int| int.name.clone()).collect();
        terms.extend(self.arrays.iter().map(|array| format!("{array}[1]")));
        let keep = 1 + self.random.below(3.min(terms.len()));
        while terms.len() > keep {
            // What was made last depends on most.
            let at = self.random.below(terms.len()).min(self.random.below(terms.len()));
            terms.remove(at);
        }
        let value = terms.join(" + ");
        self.probe_of(&value);
    }

    pub(crate) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    pub(crate) fn indented(&mut self, text: impl AsRef<str>) {
        self.indent += 1;
        self.line(text);
        self.indent -= 1;
    }

    /// Text that stands before all functions, once.
    pub(crate) fn top_once(&mut self, key: &'static str, text: &str) {
        if !self.once.contains(&key) {
            self.once.push(key);
            self.top.push_str(text);
        }
    }
}
