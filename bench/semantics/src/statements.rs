//! Random statements.

use crate::generate::{Generator, Var};
use crate::places::Place;
use crate::types::{self, Ty};

impl Generator {
    pub(crate) fn statement(&mut self, depth: usize) {
        match self.random.below(22) {
            0..=5 => self.int_assignment(),
            6 => self.float_assignment(),
            7 => self.compound_assignment(),
            8 | 9 => self.pointer_assignment(),
            10 => self.record_assignment(),
            11 => self.bytes_assignment(),
            12 => self.memory_function(),
            13 if self.in_main && !self.scalars => self.allocation(),
            14 => self.call_statement(),
            15 | 16 if depth > 0 => self.branch(depth),
            17 if depth > 0 => self.counted_loop(depth),
            18 if depth > 0 => self.switch(),
            19 if self.functions.len() > 1 => self.call_through_pointer(),
            20 if self.in_main => self.assumption(),
            _ => self.int_assignment(),
        }
    }

    fn int_assignment(&mut self) {
        if let Some(place) = self.int_place(true) {
            let value = self.int_expr(3);
            self.line(format!("{} = {value};", place.text));
        }
    }

    fn float_assignment(&mut self) {
        if let Some(place) = self.float_place(true) {
            let value = self.float_expr(2);
            self.line(format!("{} = {value};", place.text));
        }
    }

    fn compound_assignment(&mut self) {
        let Some(place) = self.int_place(true) else {
            return;
        };
        match self.random.below(7) {
            0 => self.line(format!("{}++;", place.text)),
            1 => self.line(format!("--{};", place.text)),
            2 => {
                let op = self.random.pick(&["/=", "%="]);
                let value = self.int_expr(2);
                let odd = 1 + self.random.below(9);
                self.line(format!("{} {op} ({value} | {odd});", place.text));
            }
            3 => {
                let op = self.random.pick(&[">>=", ">>=", "<<="]);
                let value = self.int_expr(1);
                self.line(format!("{} {op} ({value} & 7);", place.text));
            }
            _ => {
                let op = self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                let value = self.int_expr(2);
                self.line(format!("{} {op} {value};", place.text));
            }
        }
    }

    /// Whether what is put there may outlive this call.
    fn is_lasting(place: &Place) -> bool {
        place.global || place.through_pointer
    }

    fn pointer_assignment(&mut self) {
        let Some(place) = self.pointer_place().filter(|place| place.writable) else {
            return;
        };
        let Ty::Pointer(to) = &place.ty else {
            return;
        };
        let lasting = Self::is_lasting(&place);
        let (Some(a), Some(b)) = (self.address(to, lasting), self.address(to, lasting)) else {
            return;
        };
        if self.random.chance(50) {
            let condition = self.int_expr(1);
            self.line(format!("{} = {condition} ? {a} : {b};", place.text));
        } else {
            self.line(format!("{} = {a};", place.text));
        }
    }

    fn record_assignment(&mut self) {
        let Some(to) = self.record_place() else {
            return;
        };
        let lasting = Self::is_lasting(&to) && !self.in_main;
        if lasting && to.ty.contains_pointer(&self.records) {
            return;
        }
        let ty = to.ty.clone();
        let from = match self.call_of(|result| *result == ty) {
            Some(call) => call,
            None => match self.place_of(&ty, false) {
                Some(place) => place.text,
                None => return,
            },
        };
        self.line(format!("{} = {from};", to.text));
    }

    fn bytes_assignment(&mut self) {
        let Some(place) = self.byte_place(true) else {
            return;
        };
        let value = self.int_expr(2);
        match self.random.below(4) {
            0 => {
                let name = place.ty.name(&self.records);
                self.line(format!("*({name} *)(void *)&{} = {value};", place.text));
            }
            3 => {
                let name = place.ty.name(&self.records);
                self.line(format!("*({name} *)(__UINTPTR_TYPE__)&{} = {value};", place.text));
            }
            1 => self.line(format!(
                "((unsigned char *)&{0})[sizeof {0} - 1] = {value};",
                place.text
            )),
            _ => self.line(format!("*(char *)&{} = {value};", place.text)),
        }
    }

    fn memory_function(&mut self) {
        let Some(to) = self.record_place().filter(|place| {
            place.addressable && !place.bit_field && !place.ty.contains_pointer(&self.records)
        }) else {
            return;
        };
        match self.random.below(3) {
            0 => self.line(format!("memset(&{0}, 0, sizeof {0});", to.text)),
            other => {
                let name = if other == 1 { "memcpy" } else { "memmove" };
                if let Some(from) = self
                    .place_of(&to.ty, false)
                    .filter(|from| from.addressable && from.text != to.text)
                {
                    self.line(format!("{name}(&{0}, &{1}, sizeof {0});", to.text, from.text));
                }
            }
        }
    }

    fn allocation(&mut self) {
        let ty = match self.random.below(3) {
            0 => Ty::Record(self.random.below(self.records.len())),
            _ => types::random_scalar(&mut self.random),
        };
        if ty.contains_pointer(&self.records) || self.indent > 1 {
            return;
        }
        let name = self.name("h");
        let written = ty.name(&self.records);
        if self.random.chance(50) {
            self.line(format!("{written} *{name} = calloc(2, sizeof({written}));"));
        } else {
            self.line(format!("{written} *{name} = malloc(sizeof({written}));"));
            let value = match &ty {
                Ty::Int(_) => self.int_expr(2),
                Ty::Float(_) => self.float_expr(2),
                _ => match self.place_of(&ty, false) {
                    Some(place) => place.text,
                    None => format!("({written}){}", self.initialiser(&ty, false)),
                },
            };
            self.line(format!("*{name} = {value};"));
        }
        self.locals.push(Var {
            name,
            ty: Ty::Pointer(Box::new(ty)),
            writable: true,
            addressable: true,
            global: false,
        });
    }

    fn call_statement(&mut self) {
        if let Some(call) = self.call_of(|_| true) {
            self.line(format!("{call};"));
        }
    }

    fn call_through_pointer(&mut self) {
        let at = self.random.below(self.functions.len());
        let function = self.functions[at].clone();
        let others: Vec<String> = self
            .functions
            .iter()
            .filter(|other| other.params == function.params && other.result == function.result)
            .map(|other| other.name.clone())
            .collect();
        let Some(call) = self.call_of(|ty| *ty == function.result) else {
            return;
        };
        let Some((called, arguments)) = call.split_once('(') else {
            return;
        };
        let Some(callee) = self.functions.iter().find(|f| f.name == called).cloned() else {
            return;
        };
        let params: Vec<String> = callee.params.iter().map(|ty| ty.name(&self.records)).collect();
        let list = if params.is_empty() {
            "void".to_owned()
        } else {
            params.join(", ")
        };
        let name = self.name("fp");
        let declared = callee
            .result
            .declare(&format!("(*{name})({list})"), &self.records);
        let target = match others.iter().find(|other| **other != callee.name) {
            Some(other) if callee.params == function.params => {
                format!("{} ? {called} : {other}", self.int_expr(1))
            }
            _ => called.to_owned(),
        };
        self.line(format!("{{ {declared} = {target}; {name}({arguments}; }}"));
    }

    fn assumption(&mut self) {
        if let Some(place) = self.int_place(false) {
            let constant = 40 + self.random.below(60);
            self.line(format!("__VERIFIER_assume({} != {constant});", place.text));
        }
    }

    /// Statements in braces; what they declare ends with them.
    fn block(&mut self, depth: usize, most: usize) {
        self.indent += 1;
        let visible = self.locals.len();
        if self.random.chance(25) {
            let ty = types::random_scalar(&mut self.random);
            let name = self.name("b");
            let declared = ty.declare(&name, &self.records);
            let value = self.initialiser(&ty, false);
            self.line(format!("{declared} = {value};"));
            self.locals.push(Var {
                name,
                ty,
                writable: true,
                addressable: false,
                global: false,
            });
        }
        for _ in 0..1 + self.random.below(most) {
            self.statement(depth);
        }
        self.locals.truncate(visible);
        self.indent -= 1;
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.int_expr(2);
        self.line(format!("if ({condition}) {{"));
        self.block(depth - 1, 3);
        if self.random.chance(60) {
            self.line("} else {");
            self.block(depth - 1, 3);
        }
        self.line("}");
    }

    fn counted_loop(&mut self, depth: usize) {
        let counter = self.name("i");
        let bound = 1 + self.random.below(3);
        self.line(format!(
            "for (int {counter} = 0; {counter} < {bound}; {counter}++) {{"
        ));
        self.locals.push(Var {
            name: counter,
            ty: Ty::Int("int"),
            writable: false,
            addressable: false,
            global: false,
        });
        // The body runs several times, and so do the calls in it.
        let calls = std::mem::replace(&mut self.calls_left, 0);
        self.block(depth - 1, 2);
        self.calls_left = calls;
        self.locals.pop();
        self.line("}");
    }

    fn switch(&mut self) {
        let value = self.int_expr(2);
        self.line(format!("switch (({value}) & 3) {{"));
        for case in 0..1 + self.random.below(3) {
            self.line(format!("case {case}: {{"));
            self.block(0, 2);
            self.line("}");
            if self.random.chance(60) {
                self.line("break;");
            }
        }
        self.line("default: ;");
        self.line("}");
    }
}
