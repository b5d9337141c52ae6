//! Plain statements and expressions. Loops have evident bounds, divisors are constants other than 0 and -1, indices are masked, and
//! no expression has two side effects whose order C leaves open.

use crate::generate::Generator;

impl Generator {
    /// Statements in a block of their own; what is declared there ends with it.
    pub(crate) fn block(&mut self, statements: usize) {
        let (ints, pointers, arrays) = (self.ints.len(), self.pointers.len(), self.arrays.len());
        self.indent += 1;
        self.depth += 1;
        for _ in 0..statements {
            self.statement(2);
        }
        self.depth -= 1;
        self.indent -= 1;
        // A function's return statement still sees what its outermost block declared.
        if self.depth > 0 {
            self.ints.truncate(ints);
            self.pointers.truncate(pointers);
            self.arrays.truncate(arrays);
        }
    }

    pub(crate) fn statement(&mut self, deep: usize) {
        match self.random.below(if deep == 0 { 12 } else { 20 }) {
            0..=3 => self.assignment(),
            4 | 5 => self.compound_assignment(),
            6 => self.local(),
            7 => self.array(),
            8 => self.pointer(),
            9 => self.call(),
            10 => self.store_through_pointer(),
            11 => self.array_store(),
            12..=15 => self.branch(deep),
            16 | 17 => self.count(deep),
            18 => self.search(deep),
            _ => self.choice(deep),
        }
    }

    pub(crate) fn target(&mut self) -> Option<String> {
        let writable: Vec<&str> = self
            .ints
            .iter()
            .filter(|int| int.writable)
            .map(|int| int.name.as_str())
            .collect();
        match writable.len() {
            0 => None,
            count => Some(writable[self.random.below(count)].to_owned()),
        }
    }

    pub(crate) fn assignment(&mut self) {
        let value = match self.inputs > 0 && !self.in_loop && self.random.chance(25) {
            true => self.input(),
            false => self.expression(2),
        };
        if let Some(target) = self.target() {
            self.line(format!("{target} = {value};"));
        }
    }

    fn compound_assignment(&mut self) {
        let value = self.expression(1);
        let operator = self.random.pick(&["+=", "-=", "^=", "|=", "&=", "*="]);
        if let Some(target) = self.target() {
            match self.random.below(5) {
                0 => self.line(format!("{target}++;")),
                1 => self.line(format!("--{target};")),
                _ => self.line(format!("{target} {operator} {value};")),
            }
        }
    }

    fn array(&mut self) {
        let name = self.name("a");
        let (first, second) = (self.expression(1), self.constant());
        match self.random.below(3) {
            0 => self.line(format!("int {name}[4] = {{{first}, {second}}};")),
            1 => self.line(format!("int {name}[4] = {{[2] = {first}}};")),
            _ => self.line(format!("static int {name}[4] = {{0, {second}}};")),
        }
        self.arrays.push(name);
    }

    pub(crate) fn array_store(&mut self) {
        let Some(array) = self.any_array() else {
            return self.assignment();
        };
        let index = self.index();
        let value = self.expression(1);
        self.line(format!("{array}[{index}] = {value};"));
    }

    pub(crate) fn any_array(&mut self) -> Option<String> {
        match self.arrays.len() {
            0 => None,
            count => Some(self.arrays[self.random.below(count)].clone()),
        }
    }

    pub(crate) fn index(&mut self) -> String {
        match self.random.below(3) {
            0 => self.random.below(4).to_string(),
            _ => format!("({}) & 3", self.expression(1)),
        }
    }

    /// The address of an `int` that lives at least as long as what is declared here.
    pub(crate) fn address(&mut self) -> Option<String> {
        let mut known: Vec<String> = self
            .ints
            .iter()
            .filter(|int| int.plain && int.writable && int.depth <= self.depth)
            .map(|int| format!("&{}", int.name))
            .collect();
        known.extend(self.arrays.iter().map(|array| format!("&{array}[1]")));
        match known.len() {
            0 => None,
            count => Some(known[self.random.below(count)].clone()),
        }
    }

    fn pointer(&mut self) {
        let (Some(one), Some(other)) = (self.address(), self.address()) else {
            return self.assignment();
        };
        let name = self.name("q");
        match self.random.chance(50) {
            true => self.line(format!("int *{name} = {one};")),
            false => {
                let condition = self.condition(1);
                self.line(format!("int *{name} = {condition} ? {one} : {other};"));
            }
        }
        self.pointers.push(name);
    }

    pub(crate) fn store_through_pointer(&mut self) {
        if self.pointers.is_empty() {
            return self.pointer();
        }
        let at = self.random.below(self.pointers.len());
        let (pointer, value) = (self.pointers[at].clone(), self.expression(1));
        self.line(format!("*{pointer} = {value};"));
    }

    fn call(&mut self) {
        if self.functions.is_empty() || self.in_loop {
            return self.assignment();
        }
        let at = self.random.below(self.functions.len());
        let (function, params) = self.functions[at].clone();
        let arguments: Vec<String> = (0..params).map(|_| self.expression(1)).collect();
        let call = format!("{function}({})", arguments.join(", "));
        let Some(target) = self.target() else { return };
        let other = self.expression(1);
        match self.random.below(4) {
            0 => self.line(format!("if ({other} && {call}) {target} = 1;")),
            1 => self.line(format!("{target} = {other} ? {call} : 2;")),
            _ => self.line(format!("{target} = {call};")),
        }
    }

    fn branch(&mut self, deep: usize) {
        let condition = match self.inputs > 0 && !self.in_loop && self.random.chance(30) {
            true => self.input(),
            false => self.condition(1),
        };
        self.line(format!("if ({condition}) {{"));
        self.nested(deep);
        if self.random.chance(40) {
            self.line("} else {");
            self.nested(deep);
        }
        self.line("}");
    }

    /// One or two statements, a level deeper.
    pub(crate) fn nested(&mut self, deep: usize) {
        let (ints, pointers, arrays) = (self.ints.len(), self.pointers.len(), self.arrays.len());
        self.indent += 1;
        self.depth += 1;
        for _ in 0..1 + self.random.below(2) {
            self.statement(deep - 1);
        }
        if self.random.chance(10) {
            self.probe();
        }
        self.depth -= 1;
        self.indent -= 1;
        self.ints.truncate(ints);
        self.pointers.truncate(pointers);
        self.arrays.truncate(arrays);
    }

    fn count(&mut self, deep: usize) {
        let index = self.name("i");
        let bound = match self.inputs > 0 && !self.in_loop && self.random.chance(40) {
            true => {
                let bound = self.name("n");
                let input = self.input();
                self.line(format!("int {bound} = {input};"));
                self.int(&bound, false, true);
                bound
            }
            false => (1 + self.random.below(4)).to_string(),
        };
        self.line(format!("for (int {index} = 0; {index} < {bound}; {index}++) {{"));
        let was = std::mem::replace(&mut self.in_loop, true);
        let ints = self.ints.len();
        self.int(&index, false, true);
        if self.random.chance(25) {
            let condition = self.condition(1);
            let leave = self.random.pick(&["break", "continue"]);
            self.indented(format!("if ({condition}) {leave};"));
        }
        self.nested(deep);
        self.ints.truncate(ints);
        self.in_loop = was;
        self.line("}");
    }

    /// A loop that counts down and may end early.
    fn search(&mut self, deep: usize) {
        let left = self.name("n");
        let bound = 1 + self.random.below(4);
        let condition = self.condition(1);
        self.line(format!("int {left} = {bound};"));
        self.line(format!("while ({left}-- > 0 && {condition}) {{"));
        let was = std::mem::replace(&mut self.in_loop, true);
        self.nested(deep);
        self.in_loop = was;
        self.line("}");
        self.int(&left, false, true);
    }

    fn choice(&mut self, deep: usize) {
        let value = self.expression(1);
        self.line(format!("switch (({value}) & 3) {{"));
        for label in ["case 0:", "case 1:", "case 3:", "default:"] {
            if self.random.chance(60) {
                self.line(format!("{label} {{"));
                self.nested(deep);
                self.line("}");
                if self.random.chance(60) {
                    self.indented("break;");
                }
            }
        }
        self.line("}");
    }

    /// A value from outside: one of few.
    pub(crate) fn input(&mut self) -> String {
        self.inputs = self.inputs.saturating_sub(1);
        match self.random.below(5) {
            0 => "__VERIFIER_nondet_bool()".to_owned(),
            1 => "in(4) - 1".to_owned(),
            2 => "in(2) * 255".to_owned(),
            _ => format!("in({})", 2 + self.random.below(3)),
        }
    }

    pub(crate) fn constant(&mut self) -> String {
        let value = self.random.pick(&[
            "0", "1", "1", "2", "3", "4", "5", "7", "10", "-1", "-2", "255", "128", "1000", "70000",
        ]);
        value.to_owned()
    }

    fn leaf(&mut self) -> String {
        match self.random.below(10) {
            0 | 1 => self.constant(),
            2 if !self.pointers.is_empty() => {
                let at = self.random.below(self.pointers.len());
                format!("*{}", self.pointers[at])
            }
            3 if !self.arrays.is_empty() => {
                let at = self.random.below(self.arrays.len());
                format!("{}[{}]", self.arrays[at], self.random.below(4))
            }
            _ if self.ints.is_empty() => self.constant(),
            _ => self.ints[self.random.below(self.ints.len())].name.clone(),
        }
    }

    pub(crate) fn expression(&mut self, deep: usize) -> String {
        if deep == 0 || self.random.chance(35) {
            return self.leaf();
        }
        let one = self.expression(deep - 1);
        let other = self.expression(deep - 1);
        match self.random.below(16) {
            0..=4 => {
                let operator = self.random.pick(&["+", "-", "+", "-", "*"]);
                format!("({one} {operator} {other})")
            }
            5 | 6 => {
                let operator = self.random.pick(&["&", "|", "^"]);
                format!("({one} {operator} {other})")
            }
            7 | 8 => format!("({})", self.condition(deep - 1)),
            9 => format!(
                "({one} {} {})",
                self.random.pick(&["/", "%"]),
                self.random.pick(&["2", "3", "7", "16"])
            ),
            10 => format!(
                "((unsigned){one} {} {})",
                self.random.pick(&["<<", ">>"]),
                self.random.below(5)
            ),
            11 => format!("({one} >> {})", self.random.below(4)),
            12 => format!("({} ? {one} : {other})", self.condition(0)),
            13 => format!(
                "({}){one}",
                self.random
                    .pick(&["char", "unsigned char", "short", "int", "unsigned", "long"])
            ),
            14 => format!("{}({one})", self.random.pick(&["-", "~", "!"])),
            _ => one,
        }
    }

    pub(crate) fn condition(&mut self, deep: usize) -> String {
        let one = self.expression(deep);
        match self.random.below(8) {
            0 => one,
            1 => format!("!({one})"),
            2 if deep > 0 => {
                let (first, second) = (self.condition(deep - 1), self.condition(deep - 1));
                format!("({first} {} {second})", self.random.pick(&["&&", "||"]))
            }
            _ => {
                let other = self.leaf();
                let operator = self.random.pick(&["==", "!=", "<", ">", "<=", ">="]);
                format!("{one} {operator} {other}")
            }
        }
    }
}
