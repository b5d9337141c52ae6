//! Random programs over few integers and many names for them: globals, locals, fields, elements, pointers to all of
//! these, parameters and results. Everything is defined for all inputs.

use logic::random::Random;

/// What programs are given; before it stands what a `number` is.
const HEAD: &str = "\
extern number any(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
struct pair { int other; number first; };
number g, h, many[2];
struct pair pair;
number *shared = &g;
/* Where a variable of `main` can be seen from everywhere. */
number *peek;
";

/// The names that code can use for integers and for pointers to them.
struct Scope {
    integers: Vec<String>,
    pointers: Vec<&'static str>,
    /// What a pointer of this scope may be given.
    addresses: Vec<&'static str>,
}

impl Scope {
    fn new(own: &[&str], pointers: &[&'static str], addresses: &[&'static str]) -> Scope {
        let mut integers: Vec<String> = own.iter().map(ToString::to_string).collect();
        let everywhere = ["g", "h", "pair.first", "many[0]", "many[1]", "*shared"];
        integers.extend(everywhere.map(str::to_owned));
        integers.extend(pointers.iter().map(|pointer| format!("*{pointer}")));
        let mut addresses = addresses.to_vec();
        addresses.extend(["&g", "&many[1]", "shared"]);
        Scope {
            integers,
            pointers: pointers.to_vec(),
            addresses,
        }
    }
}

pub struct Generator {
    random: Random,
    text: String,
    indent: usize,
}

/// The text of the program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    // Questions about short words are answered sooner.
    let number = if random.chance(10) { "int" } else { "signed char" };
    let mut generator = Generator {
        random,
        text: format!("typedef {number} number;\n{HEAD}"),
        indent: 0,
    };
    let callees: &[&str] = match generator.random.below(4) {
        0 => {
            generator.recursive();
            &["down"]
        }
        1 => {
            generator.function("near", &[]);
            &["near"]
        }
        2 => {
            generator.function("near", &[]);
            generator.function("far", &["near"]);
            &["far"]
        }
        _ => {
            generator.function("near", &[]);
            generator.function("far", &[]);
            generator.line("number (*chosen)(number, number *) = near;");
            &["chosen"]
        }
    };
    generator.main(callees);
    generator.text
}

impl Generator {
    fn line(&mut self, text: impl AsRef<str>) {
        self.text.extend(std::iter::repeat_n("  ", self.indent));
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    /// Calls itself a few times. Its variables have no addresses: that is not supported.
    fn recursive(&mut self) {
        let scope = Scope::new(&["a", "r"], &["p"], &["p"]);
        self.line("number down(number a, number *p) {");
        self.indent = 1;
        self.line("number r = a;");
        self.statements(&scope, 1, &[], 1);
        self.line("if (a > 0) { if (a < 3) { r = down(a - 1, p); } }");
        self.statements(&scope, 1, &[], 1);
        let value = self.integer(&scope);
        self.line(format!("return {value};"));
        self.indent = 0;
        self.line("}");
    }

    fn function(&mut self, name: &str, callees: &[&str]) {
        let addressed: &[&'static str] = if self.random.chance(30) {
            &["&v", "&a", "p"]
        } else {
            &["p"]
        };
        let scope = Scope::new(&["a", "v"], &["p"], addressed);
        self.line(format!("number {name}(number a, number *p) {{"));
        self.indent = 1;
        let first = self.expression(&Scope::new(&["a"], &["p"], &[]));
        self.line(format!("number v = {first};"));
        let count = 1 + self.random.below(3);
        self.statements(&scope, count, callees, 1);
        if self.random.chance(30) {
            let (condition, value) = (self.condition(&scope), self.integer(&scope));
            self.line(format!("if ({condition}) return {value};"));
        }
        let value = self.expression(&scope);
        self.line(format!("return {value};"));
        self.indent = 0;
        self.line("}");
    }

    fn main(&mut self, callees: &[&str]) {
        let addressed: &[&'static str] = if self.random.chance(50) {
            &["&m", "&x", "q"]
        } else {
            &["&m", "q"]
        };
        let scope = Scope::new(&["x", "y", "m"], &["q"], addressed);
        self.line("int main(void) {");
        self.indent = 1;
        self.line("number x = any(), y = any(), m = 0;");
        let first = self.random.pick(&["&m", "&g", "&many[1]"]);
        self.line(format!("number *q = {first};"));
        self.line("peek = &m;");
        for global in ["g", "h", "pair.first"] {
            self.line(format!("{global} = any();"));
        }
        let count = 1 + self.random.below(3);
        self.statements(&scope, count, callees, 1);
        self.call(&scope, callees);
        self.statements(&scope, 1, callees, 1);
        let condition = self.condition(&scope);
        self.line(format!("if ({condition}) __VERIFIER_error();"));
        self.line("return 0;");
        self.indent = 0;
        self.line("}");
    }

    fn statements(&mut self, scope: &Scope, count: usize, callees: &[&str], depth: usize) {
        for _ in 0..count {
            self.statement(scope, callees, depth);
        }
    }

    fn statement(&mut self, scope: &Scope, callees: &[&str], depth: usize) {
        match self.random.below(12) {
            0 => {
                let to = self.integer(scope);
                self.line(format!("{to} = any();"));
            }
            1 | 2 => {
                let (to, value) = (scope.pointers[0], self.expression(scope));
                self.line(format!("*{to} = {value};"));
            }
            3 => {
                let value = self.address(scope);
                self.line(format!("{} = {value};", scope.pointers[0]));
            }
            4 => {
                let value = self.random.pick(&["&g", "&many[0]"]);
                self.line(format!("shared = {value};"));
            }
            5 => {
                let condition = self.condition(scope);
                self.line(format!("__VERIFIER_assume({condition});"));
            }
            6 | 7 if !callees.is_empty() => self.call(scope, callees),
            8 if depth > 0 => {
                let condition = self.condition(scope);
                self.line(format!("if ({condition}) {{"));
                self.indent += 1;
                self.statement(scope, callees, depth - 1);
                self.indent -= 1;
                self.line("} else {");
                self.indent += 1;
                self.statement(scope, callees, depth - 1);
                self.indent -= 1;
                self.line("}");
            }
            9 => {
                let (index, value) = (self.integer(scope), self.expression(scope));
                self.line(format!("many[{index} & 1] = {value};"));
            }
            _ => {
                let (to, value) = (self.integer(scope), self.expression(scope));
                self.line(format!("{to} = {value};"));
            }
        }
    }

    fn call(&mut self, scope: &Scope, callees: &[&str]) {
        let callee = self.random.pick(callees);
        if callee == "chosen" {
            let target = self.random.pick(&["near", "far"]);
            let condition = self.condition(scope);
            self.line(format!("if ({condition}) {{ chosen = {target}; }}"));
        }
        let (argument, pointer) = (self.expression(scope), self.address(scope));
        let to = if self.random.chance(80) {
            self.integer(scope) + " = "
        } else {
            String::new()
        };
        self.line(format!("{to}{callee}({argument}, {pointer});"));
    }

    fn address(&mut self, scope: &Scope) -> String {
        scope.addresses[self.random.below(scope.addresses.len())].to_owned()
    }

    fn integer(&mut self, scope: &Scope) -> String {
        scope.integers[self.random.below(scope.integers.len())].clone()
    }

    fn expression(&mut self, scope: &Scope) -> String {
        let first = self.integer(scope);
        match self.random.below(6) {
            0 => self.random.pick(&["0", "1", "2", "-1"]).to_owned(),
            1 => format!("{first} + {}", 1 + self.random.below(2)),
            2 => format!("{first} - {}", self.integer(scope)),
            3 => format!("{first} + {}", self.integer(scope)),
            _ => first,
        }
    }

    fn condition(&mut self, scope: &Scope) -> String {
        let left = self.integer(scope);
        let op = self.random.pick(&["<", "<=", "==", "!=", ">"]);
        let right = self.expression(scope);
        format!("{left} {op} {right}")
    }
}
