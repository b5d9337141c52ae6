//! Random expressions as text. Their C types follow from their operands; only integers and floats are told apart, since
//! a float converts to an integer only where it fits.

use crate::generate::{Function, Generator};
use crate::types::{self, Ty};

const CONSTANTS: [&str; 22] = [
    "0",
    "1",
    "(-1)",
    "2",
    "3",
    "5",
    "7",
    "8",
    "31",
    "100",
    "127",
    "128",
    "255",
    "256",
    "(-129)",
    "32767",
    "65536",
    "2147483647",
    "(-2147483647 - 1)",
    "4294967295u",
    "0x123456789abcdefLL",
    "(-9223372036854775807LL - 1)",
];

impl Generator {
    pub(crate) fn int_constant(&mut self) -> String {
        if self.random.chance(60) {
            return self.random.below(12).to_string();
        }
        self.random.pick(&CONSTANTS).to_owned()
    }

    pub(crate) fn float_constant(&mut self) -> String {
        self.random
            .pick(&[
                "0.0",
                "1.0",
                "-2.5",
                "0.1f",
                "1e10",
                "3.0f",
                "-0.0",
                "1e-3",
                "16777216.0f",
            ])
            .to_owned()
    }

    pub(crate) fn int_expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(12) {
            return self.int_leaf();
        }
        let a = self.int_expr(depth - 1);
        match self.random.below(28) {
            0 => format!("(- {a})"),
            1 => format!("(~{a})"),
            2 => format!("(!{a})"),
            3..=7 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                let b = self.int_expr(depth - 1);
                format!("({a} {op} {b})")
            }
            8 | 9 => {
                let op = self.random.pick(&["<<", ">>"]);
                let b = self.int_expr(depth - 1);
                let mask = self.random.pick(&[7, 15, 31, 31, 63]);
                format!("({a} {op} ({b} & {mask}))")
            }
            10 | 11 => self.division(&a, depth),
            12..=14 => {
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let b = self.int_expr(depth - 1);
                format!("({a} {op} {b})")
            }
            15 => {
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (a, b) = (self.float_expr(depth - 1), self.float_expr(depth - 1));
                format!("({a} {op} {b})")
            }
            16 | 17 => {
                let to = types::random_int(&mut self.random).name(&self.records);
                format!("(({to}){a})")
            }
            18 => {
                let (b, c) = (self.int_expr(depth - 1), self.int_expr(depth - 1));
                format!("({a} ? {b} : {c})")
            }
            19 => {
                let op = self.random.pick(&["&&", "||"]);
                let b = self.int_expr(depth - 1);
                format!("({a} {op} {b})")
            }
            20 => self.call_of(|ty| matches!(ty, Ty::Int(_))).unwrap_or(a),
            21 => self.truncated_float().unwrap_or(a),
            22 => self.pointer_test().unwrap_or(a),
            23 | 24 => self.shift_of_sign(&a, depth),
            25 | 26 => self.unsigned_wrap(&a, depth),
            _ => self.builtin(&a),
        }
    }

    fn division(&mut self, a: &str, depth: usize) -> String {
        let op = self.random.pick(&["/", "%"]);
        let b = self.int_expr(depth - 1);
        match self.random.below(12) {
            0 if self.random.chance(25) => format!("({a} {op} {b})"),
            1..=4 => match self.int_place(false) {
                Some(place) => format!("({0} ? {a} {op} {0} : {b})", place.text),
                None => format!("({a} {op} ({b} | 1))"),
            },
            5..=8 => format!("({a} {op} ({b} | 1))"),
            _ => format!("({a} {op} {})", 1 + self.random.below(20)),
        }
    }

    /// A number whose sign bit is likely set, shifted to the right: what fills the bits above depends on its type.
    fn shift_of_sign(&mut self, a: &str, depth: usize) -> String {
        let b = self.int_expr(depth - 1);
        let (ty, sign, mask) = self.random.pick(&[
            ("int", "(-2147483647 - 1)", 31),
            ("unsigned", "2147483648u", 31),
            ("long long", "(-9223372036854775807LL - 1)", 63),
            ("unsigned long long", "9223372036854775808ull", 63),
            ("signed char", "(-128)", 7),
            ("short", "(-32768)", 15),
            ("unsigned short", "32768", 15),
        ]);
        if self.random.chance(50) {
            format!("((({ty})({a}) | {sign}) >> ({b} & {mask}))")
        } else {
            format!(
                "(({ty})(({a}) - {}) >> ({b} & {mask}))",
                1 + self.random.below(100)
            )
        }
    }

    /// Unsigned arithmetic that likely goes below zero, compared, divided or taken modulo: where the sign decides.
    fn unsigned_wrap(&mut self, a: &str, depth: usize) -> String {
        let b = self.int_expr(depth - 1);
        let ty = self
            .random
            .pick(&["unsigned", "unsigned long", "unsigned long long", "__SIZE_TYPE__"]);
        let op = self.random.pick(&["<", "<=", ">", ">=", "/", "%"]);
        let below = format!("(({ty})({a}) - {})", 1 + self.random.below(20));
        match op {
            "/" | "%" => format!("({below} {op} (({ty})({b}) | {}))", 1 + self.random.below(9)),
            _ if self.random.chance(50) => format!("({below} {op} {b})"),
            _ => format!("({b} {op} {below})"),
        }
    }

    /// An element of an array reached by arithmetic on pointers or on their numbers, or how far apart two are.
    fn element_by_arithmetic(&mut self) -> Option<String> {
        let before = std::mem::replace(&mut self.indexing, true);
        let array = self.array_place();
        self.indexing = before;
        let (array, element, length) = array?;
        let ty = element.name(&self.records);
        let (i, j) = (self.masked_index(length), self.masked_index(length));
        Some(match self.random.below(6) {
            0 => format!("(*({array} + {i}))"),
            1 => format!("(*(&{array}[{}] - {i}))", length - 1),
            2 => format!("(&{array}[{i}] - &{array}[{j}])"),
            3 => {
                let op = self.random.pick(&["<", "<=", ">", "==", "!="]);
                format!("(&{array}[{i}] {op} &{array}[{j}])")
            }
            4 => {
                let i = self.plain_index(length);
                format!("(*({ty} *)((__UINTPTR_TYPE__){array} + {i} * sizeof({ty})))")
            }
            _ => {
                let (i, j) = (self.plain_index(length), self.plain_index(length));
                format!("((__UINTPTR_TYPE__)&{array}[{i}] - (__UINTPTR_TYPE__)&{array}[{j}])")
            }
        })
    }

    /// An index without calls: an address as a number must not end up in a temporary, for its value is nobody's promise.
    fn plain_index(&mut self, length: u32) -> String {
        let before = std::mem::replace(&mut self.indexing, true);
        let place = self.int_place(false);
        self.indexing = before;
        match place {
            Some(place) => format!("({} & {})", place.text, length - 1),
            None => self.random.below(length as usize).to_string(),
        }
    }

    /// An index into an array whose length is a power of two, often by unsigned arithmetic that wraps.
    pub(crate) fn masked_index(&mut self, length: u32) -> String {
        if self.indexing {
            return self.random.below(length as usize).to_string();
        }
        self.indexing = true;
        let index = self.int_expr(1);
        self.indexing = false;
        match self.random.below(3) {
            0 => format!(
                "((unsigned)(({index}) - {}) % {length}u)",
                1 + self.random.below(9)
            ),
            1 => format!("((unsigned char)({index}) % {length})"),
            _ => format!("(({index}) & {})", length - 1),
        }
    }

    fn int_leaf(&mut self) -> String {
        match self.random.below(14) {
            12 => match self.element_by_arithmetic() {
                Some(text) => text,
                None => self.int_constant(),
            },
            13 => match self.byte_place(false) {
                Some(place) => {
                    let name = place.ty.name(&self.records);
                    format!("(*({name} *)(__UINTPTR_TYPE__)&{})", place.text)
                }
                None => self.int_constant(),
            },
            0..=2 => self.int_constant(),
            3 => match self.byte_place(false) {
                Some(place) => format!("((unsigned char *)&{})[0]", place.text),
                None => self.int_constant(),
            },
            _ => match self.int_place(false) {
                Some(place) => place.text,
                None => self.int_constant(),
            },
        }
    }

    /// A float as an integer, where it fits.
    fn truncated_float(&mut self) -> Option<String> {
        let place = self.float_place(false)?.text;
        let to = types::random_int(&mut self.random).name(&self.records);
        Some(format!("({place} >= 0.0 && {place} < 100.0 ? ({to}){place} : 3)"))
    }

    fn pointer_test(&mut self) -> Option<String> {
        let place = self.pointer_place()?;
        let Ty::Pointer(to) = &place.ty else {
            return None;
        };
        Some(match self.random.below(4) {
            0 => format!("({} != 0)", place.text),
            1 => format!("(!{})", place.text),
            _ => {
                let other = self.address(to, false)?;
                let op = self.random.pick(&["==", "!="]);
                format!("({} {op} {other})", place.text)
            }
        })
    }

    fn builtin(&mut self, a: &str) -> String {
        match self.random.below(6) {
            0 => format!("__builtin_popcount({a})"),
            1 => format!("__builtin_clz(({a}) | 1)"),
            2 => format!("__builtin_ctzll(({a}) | 1024)"),
            3 => format!("__builtin_bswap32({a})"),
            4 => format!("__builtin_ffs({a})"),
            _ => format!("__builtin_abs({a})"),
        }
    }

    pub(crate) fn float_expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(25) {
            return match self.float_place(false) {
                Some(place) if self.random.chance(70) => place.text,
                _ => self.float_constant(),
            };
        }
        let a = self.float_expr(depth - 1);
        match self.random.below(10) {
            0..=4 => {
                let op = self.random.pick(&["+", "-", "*", "/"]);
                let b = self.float_expr(depth - 1);
                format!("({a} {op} {b})")
            }
            5 => format!("(- {a})"),
            6 => {
                let to = self.random.pick(&["float", "double"]);
                format!("(({to}){a})")
            }
            7 => {
                let to = self.random.pick(&["float", "double"]);
                let b = self.int_expr(depth - 1);
                format!("(({to}){b})")
            }
            8 => {
                let (c, b) = (self.int_expr(depth - 1), self.float_expr(depth - 1));
                format!("({c} ? {a} : {b})")
            }
            _ => self.call_of(|ty| matches!(ty, Ty::Float(_))).unwrap_or(a),
        }
    }

    /// A call of a function whose result fits.
    pub(crate) fn call_of(&mut self, fits: impl Fn(&Ty) -> bool) -> Option<String> {
        if self.calls_left == 0 {
            return None;
        }
        let candidates: Vec<Function> = self
            .functions
            .iter()
            .filter(|function| fits(&function.result))
            .cloned()
            .collect();
        if candidates.is_empty() {
            return None;
        }
        self.calls_left -= 1;
        let function = candidates[self.random.below(candidates.len())].clone();
        let mut arguments = Vec::new();
        for param in &function.params {
            arguments.push(self.argument(param)?);
        }
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }

    fn argument(&mut self, param: &Ty) -> Option<String> {
        match param {
            Ty::Int(_) => Some(self.int_expr(1)),
            Ty::Float(_) => Some(self.float_expr(1)),
            Ty::Pointer(to) => self.address(to, false),
            Ty::Array(..) => None,
            Ty::Record(_) => self.place_of(param, false).map(|place| place.text),
        }
    }
}
