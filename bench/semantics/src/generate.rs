//! Random C programs that are defined for nearly all inputs: pointers are valid, divisors mostly not zero, everything is
//! given a value before it is read. What they compute is of no interest; that they use much of the language is.

use logic::random::Random;

use crate::types::{self, Record, Ty};

/// A variable that statements can see.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub name: String,
    pub ty: Ty,
    pub writable: bool,
    /// Whether its address may be kept: its life is not shorter than that of what may hold it.
    pub addressable: bool,
    pub global: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub params: Vec<Ty>,
    pub result: Ty,
}

pub(crate) struct Generator {
    pub random: Random,
    pub records: Vec<Record>,
    pub globals: Vec<Var>,
    pub locals: Vec<Var>,
    pub functions: Vec<Function>,
    pub in_main: bool,
    /// How many calls may still be written: a call can cost as much as the function it calls.
    pub calls_left: usize,
    /// Whether an index is being written: indices inside indices are constants.
    pub indexing: bool,
    pub names: usize,
    pub text: String,
    pub indent: usize,
    /// Whether there are only scalars, whose addresses nobody takes.
    pub scalars: bool,
}

const NONDET: [(&str, &str); 13] = [
    ("int", "int"),
    ("unsigned", "uint"),
    ("char", "char"),
    ("signed char", "schar"),
    ("unsigned char", "uchar"),
    ("short", "short"),
    ("unsigned short", "ushort"),
    ("long", "long"),
    ("unsigned long", "ulong"),
    ("long long", "longlong"),
    ("unsigned long long", "ulonglong"),
    ("_Bool", "bool"),
    ("float", "float"),
];

/// The text of a random program.
pub fn program(seed: u64) -> String {
    written(seed, false)
}

/// The text of a random program in which nothing is in memory.
pub fn scalar_program(seed: u64) -> String {
    written(seed, true)
}

fn written(seed: u64, scalars: bool) -> String {
    let mut random = Random::new(seed);
    let records = types::random_records(&mut random);
    let mut generator = Generator {
        random,
        records,
        globals: Vec::new(),
        locals: Vec::new(),
        functions: Vec::new(),
        in_main: false,
        calls_left: 0,
        indexing: false,
        names: 0,
        text: String::new(),
        indent: 0,
        scalars,
    };
    generator.whole();
    generator.text
}

impl Generator {
    fn whole(&mut self) {
        for (ty, name) in NONDET {
            self.line(format!("extern {ty} __VERIFIER_nondet_{name}(void);"));
        }
        self.line("extern double __VERIFIER_nondet_double(void);");
        self.line("extern void __VERIFIER_assume(int);");
        self.line("extern void *malloc(__SIZE_TYPE__);");
        self.line("extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);");
        self.line("extern void *memcpy(void *, const void *, __SIZE_TYPE__);");
        self.line("extern void *memmove(void *, const void *, __SIZE_TYPE__);");
        self.line("extern void *memset(void *, int, __SIZE_TYPE__);");
        let definitions = types::definitions(&self.records);
        self.text.push_str(&definitions);
        for _ in 0..2 + self.random.below(5) {
            self.global();
        }
        for _ in 0..self.random.below(3) {
            self.function();
        }
        self.main();
    }

    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    pub(crate) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    pub(crate) fn random_type(&mut self) -> Ty {
        match self.random.below(12) {
            _ if self.scalars => types::random_scalar(&mut self.random),
            0 => Ty::Array(
                Box::new(types::random_scalar(&mut self.random)),
                self.random.pick(&[2, 4, 8]),
            ),
            1 => {
                let row = Ty::Array(Box::new(types::random_int(&mut self.random)), 2);
                Ty::Array(Box::new(row), 2)
            }
            2 | 3 => Ty::Record(self.random.below(self.records.len())),
            4 => Ty::Array(Box::new(Ty::Record(self.random.below(self.records.len()))), 2),
            5 | 6 => {
                let to = types::random_scalar(&mut self.random);
                Ty::Pointer(Box::new(to))
            }
            7 => Ty::Pointer(Box::new(Ty::Record(self.random.below(self.records.len())))),
            _ => types::random_scalar(&mut self.random),
        }
    }

    fn global(&mut self) {
        let mut ty = self.random_type();
        // What a global pointer points to must be there first.
        if ty.contains_pointer(&self.records) {
            self.pointees(&ty.clone());
        } else if !self.scalars && self.random.chance(10) {
            ty = Ty::Array(Box::new(Ty::Int("char")), 8);
        }
        let name = self.name("g");
        let first = if self.random.chance(80) || ty.contains_pointer(&self.records) {
            format!(" = {}", self.initialiser(&ty, true))
        } else {
            String::new()
        };
        let declared = ty.declare(&name, &self.records);
        self.line(format!("{declared}{first};"));
        self.globals.push(Var {
            name,
            ty,
            writable: true,
            addressable: true,
            global: true,
        });
    }

    /// Makes globals so that every pointer in the type has something to point to.
    fn pointees(&mut self, ty: &Ty) {
        match ty {
            Ty::Int(_) | Ty::Float(_) => {}
            Ty::Array(element, _) => self.pointees(element),
            Ty::Record(at) => {
                for field in self.records[*at].fields.clone() {
                    self.pointees(&field.ty);
                }
            }
            Ty::Pointer(to) => {
                self.pointees(to);
                let name = self.name("t");
                let first = self.initialiser(to, true);
                let declared = to.declare(&name, &self.records);
                self.line(format!("{declared} = {first};"));
                self.globals.push(Var {
                    name,
                    ty: (**to).clone(),
                    writable: true,
                    addressable: true,
                    global: true,
                });
            }
        }
    }

    /// An initialiser for the type; constant if it is for a static object.
    pub(crate) fn initialiser(&mut self, ty: &Ty, constant: bool) -> String {
        match ty {
            Ty::Int("_Bool") if constant => self.random.below(2).to_string(),
            Ty::Int(_) if constant => self.int_constant(),
            Ty::Float(_) if constant => self.float_constant(),
            Ty::Int(_) => self.int_expr(2),
            Ty::Float(_) => self.float_expr(2),
            Ty::Pointer(to) => {
                let found = if constant {
                    self.static_address(to)
                } else {
                    self.address(to, false)
                };
                found.expect("what it points to was made first")
            }
            Ty::Array(element, length) => {
                let parts: Vec<String> = (0..*length)
                    .map(|_| self.initialiser(element, constant))
                    .collect();
                format!("{{{}}}", parts.join(", "))
            }
            Ty::Record(at) => {
                let record = self.records[*at].clone();
                let given = if record.is_union { 1 } else { record.fields.len() };
                let parts: Vec<String> = record.fields[..given]
                    .iter()
                    .map(|field| self.initialiser(&field.ty, constant))
                    .collect();
                format!("{{{}}}", parts.join(", "))
            }
        }
    }

    /// The address of a global of exactly this type, as a constant.
    fn static_address(&mut self, to: &Ty) -> Option<String> {
        let candidates: Vec<String> = self
            .globals
            .iter()
            .filter_map(|var| match &var.ty {
                ty if ty == to => Some(format!("&{}", var.name)),
                Ty::Array(element, length) if **element == *to => {
                    Some(format!("&{}[{}]", var.name, length - 1))
                }
                _ => None,
            })
            .collect();
        (!candidates.is_empty()).then(|| candidates[self.random.below(candidates.len())].clone())
    }

    fn function(&mut self) {
        let name = self.name("f");
        let result = loop {
            let ty = match self.random.below(4) {
                0 if !self.scalars => Ty::Record(self.random.below(self.records.len())),
                _ => types::random_scalar(&mut self.random),
            };
            if !ty.contains_pointer(&self.records) {
                break ty;
            }
        };
        let mut params = Vec::new();
        for _ in 0..self.random.below(4) {
            params.push(match self.random.below(5) {
                _ if self.scalars => types::random_scalar(&mut self.random),
                0 => Ty::Record(self.random.below(self.records.len())),
                1 => {
                    let to = types::random_scalar(&mut self.random);
                    Ty::Pointer(Box::new(to))
                }
                _ => types::random_scalar(&mut self.random),
            });
        }
        // A caller must find something for every pointer.
        for param in &params {
            self.pointees(param);
        }
        self.locals = params
            .iter()
            .enumerate()
            .map(|(index, ty)| Var {
                name: format!("a{index}"),
                ty: ty.clone(),
                writable: true,
                addressable: true,
                global: false,
            })
            .collect();
        let declared: Vec<String> = self
            .locals
            .iter()
            .map(|var| var.ty.declare(&var.name, &self.records))
            .collect();
        let list = if declared.is_empty() {
            "void".to_owned()
        } else {
            declared.join(", ")
        };
        let head = result.declare(&format!("{name}({list})"), &self.records);
        self.line(format!("static {head} {{"));
        self.indent += 1;
        self.calls_left = 1;
        for _ in 0..self.random.below(3) {
            self.declaration();
        }
        if self.random.chance(20) {
            let ty = types::random_int(&mut self.random);
            self.static_local(ty);
        }
        for _ in 0..1 + self.random.below(4) {
            self.statement(1);
        }
        let value = match &result {
            Ty::Int(_) => self.int_expr(2),
            Ty::Float(_) => self.float_expr(2),
            _ => self.returned_record(&result),
        };
        self.line(format!("return {value};"));
        self.indent -= 1;
        self.line("}");
        self.locals.clear();
        self.functions.push(Function { name, params, result });
    }

    fn static_local(&mut self, ty: Ty) {
        let name = self.name("s");
        let declared = ty.declare(&name, &self.records);
        let first = self.initialiser(&ty, true);
        self.line(format!("static {declared} = {first};"));
        self.locals.push(Var {
            name,
            ty,
            writable: true,
            addressable: true,
            global: false,
        });
    }

    fn returned_record(&mut self, ty: &Ty) -> String {
        match self.place_of(ty, false) {
            Some(place) => place.text,
            None => {
                let name = self.name("r");
                let declared = ty.declare(&name, &self.records);
                let first = self.initialiser(ty, false);
                self.line(format!("{declared} = {first};"));
                name
            }
        }
    }

    fn main(&mut self) {
        self.in_main = true;
        self.line("int main(void) {");
        self.indent += 1;
        self.calls_left = 4;
        for _ in 0..2 + self.random.below(4) {
            self.input();
        }
        for _ in 0..1 + self.random.below(4) {
            self.declaration();
        }
        for _ in 0..4 + self.random.below(10) {
            self.statement(2);
        }
        self.calls_left = 0;
        let value = self.int_expr(3);
        self.line(format!("return {value};"));
        self.indent -= 1;
        self.line("}");
    }

    fn input(&mut self) {
        let (ty, nondet) = if self.random.chance(8) {
            ("double", "double")
        } else {
            self.random.pick(&NONDET)
        };
        let name = self.name("x");
        self.line(format!("{ty} {name} = __VERIFIER_nondet_{nondet}();"));
        let ty = match ty {
            "float" | "double" => Ty::Float(ty),
            _ => Ty::Int(ty),
        };
        self.locals.push(Var {
            name,
            ty,
            writable: true,
            addressable: true,
            global: false,
        });
    }

    /// A local at the function's top level.
    fn declaration(&mut self) {
        let ty = loop {
            let ty = self.random_type();
            if self.can_initialise(&ty) {
                break ty;
            }
        };
        let name = self.name("v");
        let declared = ty.declare(&name, &self.records);
        let value = self.initialiser(&ty, false);
        match ty {
            Ty::Int(_) | Ty::Float(_) | Ty::Pointer(_) if self.random.chance(20) => {
                self.line(format!("{declared};"));
                self.line(format!("{name} = {value};"));
            }
            _ => self.line(format!("{declared} = {value};")),
        }
        self.locals.push(Var {
            name,
            ty,
            writable: true,
            addressable: true,
            global: false,
        });
    }

    /// Whether every pointer in the type finds something to point to.
    fn can_initialise(&mut self, ty: &Ty) -> bool {
        match ty {
            Ty::Int(_) | Ty::Float(_) => true,
            Ty::Pointer(to) => self.static_address(to).is_some(),
            Ty::Array(element, _) => self.can_initialise(element),
            Ty::Record(at) => self.records[*at]
                .fields
                .clone()
                .iter()
                .all(|field| self.can_initialise(&field.ty)),
        }
    }
}
