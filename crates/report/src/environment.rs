//! A `main` that calls a function with arguments of every kind, as C that people read and edit: where a function of a library or a
//! driver is to be checked, this is the program around it. Integers are inputs, pointers lead to fresh objects,
//! a pointer and a length that belong together are an array, `char` pointers strings, pointers to functions stubs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use program::{
    FloatKind, FuncId, FunctionType, IntKind, Printer, Program, RecordId, RecordKind, Type, TypeId,
};

/// What is written around a function.
pub struct Around<'a> {
    /// The file that defines the function, as the harness includes it.
    pub include: &'a str,
    /// How the result is checked.
    pub command: &'a str,
}

/// A program around a function.
pub struct Harness {
    pub text: String,
    /// What it takes for granted about the function's callers.
    pub assumed: Vec<String>,
}

/// How many elements arrays have, and how many characters strings.
const MOST: usize = 4;
/// How far pointers in structs lead.
const DEPTH: usize = 2;

/// The harness, or why there is none.
pub fn environment(program: &Program, function: FuncId, around: &Around<'_>) -> Result<Harness, String> {
    let called = &program.functions[function];
    let mut made = Environment {
        program,
        inputs: BTreeSet::new(),
        records: BTreeMap::new(),
        stubs: Vec::new(),
        strings: false,
        bytes: false,
        arrays: false,
        objects: false,
    };
    let names: Vec<String> = called
        .params
        .iter()
        .enumerate()
        .map(|(number, &param)| match program.vars[param].name.as_str() {
            name if is_identifier(name) => name.to_owned(),
            _ => format!("argument_{}", number + 1),
        })
        .collect();
    let mut body = String::new();
    let mut params = Vec::new();
    for (&param, name) in called.params.iter().zip(&names) {
        let ty = program.vars[param].ty;
        made.spelled(ty)?;
        // Qualifiers of what a pointer leads to are not known; a pointer to nothing takes them all.
        let declared = match is_deep(program, ty) {
            true => format!("void *{name}"),
            false => declaration(program, ty, name),
        };
        // What a pointer leads to is not lost when `main` ends.
        let lasting = match program.types.is_pointer(ty) {
            true => "static ",
            false => "",
        };
        let _ = writeln!(body, "    {lasting}{declared};");
        params.push(Member {
            ty,
            object: name.clone(),
            name: name.clone(),
        });
    }
    made.members(&mut body, &params, "DEPTH");
    let _ = writeln!(body, "    {}({});", called.name, names.join(", "));
    Ok(Harness {
        text: made.text(&called.name, &body, around),
        assumed: made.assumed(&called.name),
    })
}

/// A parameter, or a field of a struct.
struct Member {
    ty: TypeId,
    /// As C names it.
    object: String,
    name: String,
}

struct Environment<'p> {
    program: &'p Program,
    /// Functions that give inputs, with what they return.
    inputs: BTreeSet<(&'static str, &'static str)>,
    /// What makes any struct of a type: empty while it is written.
    records: BTreeMap<RecordId, String>,
    stubs: Vec<String>,
    strings: bool,
    bytes: bool,
    arrays: bool,
    /// Whether a pointer leads to an object.
    objects: bool,
}

impl Environment<'_> {
    fn assumed(&self, name: &str) -> Vec<String> {
        let mut how = vec![format!(
            "`{name}` is called once, before anything else runs (by any-{name}.c, which `counterpoint harness` writes, to be edited)"
        )];
        if self.objects || self.arrays || self.strings || self.bytes {
            how.push("pointers lead to fresh objects, which are not null".to_owned());
        }
        match (self.strings, self.arrays || self.bytes) {
            (true, true) => how.push(format!(
                "strings have {MOST} characters at most, arrays {MOST} elements"
            )),
            (true, false) => how.push(format!("strings have {MOST} characters at most")),
            (false, true) => how.push(format!("arrays have {MOST} elements at most")),
            (false, false) => {}
        }
        if self.records.keys().any(|&record| self.leads_on(record)) {
            how.push(format!(
                "pointers in structs lead {DEPTH} steps far, then they are null"
            ));
        }
        if !self.stubs.is_empty() {
            how.push("callbacks return anything and do nothing else".to_owned());
        }
        how
    }

    /// Whether a struct has pointers to others.
    fn leads_on(&self, record: RecordId) -> bool {
        let types = &self.program.types;
        let fields = &types.record(record).fields;
        let leads = |ty: TypeId| {
            types
                .pointee(ty)
                .is_some_and(|to| matches!(types.get(to), Type::Record(_)))
        };
        fields.iter().any(|field| leads(field.ty))
    }

    fn text(&self, name: &str, body: &str, around: &Around<'_>) -> String {
        let has_main = self
            .program
            .function_named("main")
            .is_some_and(|main| self.program.functions[main].body.is_some());
        let mut text = format!(
            "/* Calls `{name}` once, with any arguments. It is meant to be edited: what is known about the arguments and the state of the\n   \
             program belongs before the call, as __VERIFIER_assume(condition) or as other code.\n\n     {}\n*/\n",
            around.command
        );
        let include = format!("#include \"{}\"\n", around.include);
        match has_main && name != "main" {
            true => {
                let _ = write!(text, "#define main the_program\n{include}#undef main\n");
            }
            false => text.push_str(&include),
        }
        let _ = write!(
            text,
            "\nenum {{\n    MOST = {MOST}, /* elements of arrays, characters of strings */\n    \
             DEPTH = {DEPTH} /* how far pointers in structs lead */\n}};\n\n\
             extern void *malloc(__SIZE_TYPE__);\nextern void __VERIFIER_assume(int);\n",
        );
        for (name, result) in &self.inputs {
            let _ = writeln!(text, "extern {result} __VERIFIER_nondet_{name}(void);");
        }
        if self.strings {
            text.push_str(
                "\nstatic char *any_string(void) {\n    char *it = malloc(MOST + 1);\n    __VERIFIER_assume(it != 0);\n    \
                 for (int i = 0; i < MOST; i++)\n        it[i] = __VERIFIER_nondet_char();\n    it[MOST] = 0;\n    return it;\n}\n",
            );
        }
        if self.bytes {
            text.push_str(
                "\nstatic void *any_bytes(__SIZE_TYPE__ size) {\n    unsigned char *it = malloc(size);\n    __VERIFIER_assume(it != 0);\n    \
                 for (__SIZE_TYPE__ i = 0; i < size; i++)\n        it[i] = __VERIFIER_nondet_uchar();\n    return it;\n}\n",
            );
        }
        let types = &self.program.types;
        for &record in self.records.keys() {
            let ty = types.find(&Type::Record(record)).expect("a record is a type");
            let _ = write!(
                text,
                "\nstatic void any_{}({}, int depth);",
                tag(self.program, record),
                declaration(self.program, ty, "*it")
            );
        }
        text.push_str(if self.records.is_empty() { "" } else { "\n" });
        for part in self.stubs.iter().chain(self.records.values()) {
            let _ = write!(text, "\n{part}");
        }
        let _ = write!(text, "\nint main(void) {{\n{body}    return 0;\n}}\n");
        text
    }

    /// Whether C has a name for a type that is made here.
    fn spelled(&self, ty: TypeId) -> Result<(), String> {
        let name = type_name(self.program, ty);
        match name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || " _*()[],.".contains(c))
        {
            true => Ok(()),
            false => Err(format!(
                "a parameter has a type without a name, `{name}`: give it one by a typedef"
            )),
        }
    }

    /// Gives parameters, or fields of a struct, any values. A pointer before a length is an array.
    fn members(&mut self, text: &mut String, members: &[Member], depth: &str) {
        let types = &self.program.types;
        let is_array = |number: usize| match types.get(members[number].ty) {
            Type::Pointer(to) => match types.get(*to) {
                Type::Function(_) => false,
                Type::Record(record) => types.record(*record).complete,
                _ => true,
            },
            _ => false,
        };
        let is_length = |number: usize| {
            let member = members.get(number);
            member.is_some_and(|member| {
                matches!(types.get(member.ty), Type::Int(_)) && names_length(&member.name)
            })
        };
        let arrays: Vec<usize> = (0..members.len())
            .filter(|&number| is_array(number) && is_length(number + 1))
            .collect();
        for (number, member) in members.iter().enumerate() {
            if arrays.contains(&number) {
                continue;
            }
            self.any(text, 1, member.ty, &member.object, depth);
            let Some(array) = number.checked_sub(1).filter(|before| arrays.contains(before)) else {
                continue;
            };
            let length = &member.object;
            let least = match self.program.types.int_shape(member.ty) {
                Some(shape) if shape.signed => format!("{length} >= 0 && "),
                _ => String::new(),
            };
            let _ = writeln!(text, "    __VERIFIER_assume({least}{length} <= MOST);");
            self.array(text, &members[array], length, depth);
        }
    }

    /// Gives a pointer an array of any elements.
    fn array(&mut self, text: &mut String, array: &Member, length: &str, depth: &str) {
        let to = self.program.types.pointee(array.ty);
        let to = to.expect("an array is given by a pointer");
        self.arrays = true;
        let object = &array.object;
        if matches!(self.program.types.get(to), Type::Void) {
            self.bytes = true;
            self.inputs.insert(("uchar", "unsigned char"));
            let _ = writeln!(text, "    {object} = any_bytes({length});");
            return;
        }
        if is_deep(self.program, array.ty) {
            let cast = type_name(self.program, array.ty);
            let _ = writeln!(
                text,
                "    {object} = malloc({length} * sizeof *({cast}){object});"
            );
            let _ = writeln!(text, "    __VERIFIER_assume({object} != 0);");
            let _ = writeln!(
                text,
                "    for (__SIZE_TYPE__ i = 0; i < (__SIZE_TYPE__){length}; i++) {{"
            );
            self.any(text, 2, to, &format!("(({cast}){object})[i]"), depth);
            text.push_str("    }\n");
            return;
        }
        let _ = writeln!(text, "    {object} = malloc({length} * sizeof *{object});");
        let _ = writeln!(text, "    __VERIFIER_assume({object} != 0);");
        let _ = writeln!(
            text,
            "    for (__SIZE_TYPE__ i = 0; i < (__SIZE_TYPE__){length}; i++) {{"
        );
        self.any(text, 2, to, &format!("{object}[i]"), depth);
        text.push_str("    }\n");
    }

    /// Gives an object any value.
    fn any(&mut self, text: &mut String, indent: usize, ty: TypeId, object: &str, depth: &str) {
        let types = &self.program.types;
        let blank = "    ".repeat(indent);
        let line = |text: &mut String, line: &str| {
            let _ = writeln!(text, "{blank}{line}");
        };
        match types.get(ty).clone() {
            Type::Void | Type::Function(_) | Type::Array(_, None) => {}
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_) => {
                let value = self.scalar(ty);
                line(text, &format!("{object} = {value};"));
            }
            Type::Array(element, Some(length)) => {
                let index = format!("i{indent}");
                line(
                    text,
                    &format!("for (int {index} = 0; {index} < {length}; {index}++) {{"),
                );
                self.any(text, indent + 1, element, &format!("{object}[{index}]"), depth);
                line(text, "}");
            }
            Type::Record(record) => {
                self.record(record);
                let name = tag(self.program, record);
                line(text, &format!("any_{name}(&{object}, {depth});"));
            }
            Type::Pointer(to) => match types.get(to).clone() {
                Type::Function(function) => {
                    let stub = self.stub(&function);
                    line(text, &format!("{object} = (void *){stub};"));
                }
                Type::Int(IntKind::Char) => {
                    self.strings = true;
                    self.inputs.insert(("char", "char"));
                    line(text, &format!("{object} = any_string();"));
                }
                Type::Void => {
                    self.bytes = true;
                    self.inputs.insert(("uchar", "unsigned char"));
                    line(text, &format!("{object} = any_bytes(MOST);"));
                }
                Type::Record(record) if !types.record(record).complete => {
                    line(
                        text,
                        &format!("{object} = 0; /* what it leads to is not known here */"),
                    );
                }
                Type::Record(record) => {
                    self.objects = true;
                    self.record(record);
                    let name = tag(self.program, record);
                    let mut made = vec![
                        format!("{object} = malloc(sizeof *{object});"),
                        format!("__VERIFIER_assume({object} != 0);"),
                        format!("any_{name}({object}, {depth} - 1);"),
                    ];
                    // The first step is always taken.
                    if depth != "DEPTH" {
                        made.iter_mut().for_each(|made| made.insert_str(0, "    "));
                        made.insert(0, format!("{object} = 0;"));
                        made.insert(1, format!("if ({depth} > 0) {{"));
                        made.push("}".to_owned());
                    }
                    made.iter().for_each(|made| line(text, made));
                }
                Type::Pointer(_) => {
                    self.objects = true;
                    let inner = format!("inner_{indent}");
                    line(text, "{");
                    line(text, &format!("    {};", declaration(self.program, to, &inner)));
                    self.any(text, indent + 1, to, &inner, depth);
                    line(text, &format!("    {object} = malloc(sizeof {inner});"));
                    line(text, &format!("    __VERIFIER_assume({object} != 0);"));
                    let cast = type_name(self.program, ty);
                    line(text, &format!("    *({cast}){object} = {inner};"));
                    line(text, "}");
                }
                Type::Array(..) => {
                    self.objects = true;
                    let inner = format!("inner_{indent}");
                    line(text, "{");
                    line(text, &format!("    {};", declaration(self.program, ty, &inner)));
                    line(text, &format!("    {inner} = malloc(sizeof *{inner});"));
                    line(text, &format!("    __VERIFIER_assume({inner} != 0);"));
                    self.any(text, indent + 1, to, &format!("(*{inner})"), depth);
                    line(text, &format!("    {object} = (void *){inner};"));
                    line(text, "}");
                }
                _ => {
                    self.objects = true;
                    line(text, &format!("{object} = malloc(sizeof *{object});"));
                    line(text, &format!("__VERIFIER_assume({object} != 0);"));
                    self.any(text, indent, to, &format!("(*{object})"), depth);
                }
            },
        }
    }

    /// An input of a scalar type, as C.
    fn scalar(&mut self, ty: TypeId) -> String {
        let (name, result, cast) = match *self.program.types.get(ty) {
            Type::Bool => ("bool", "_Bool", ""),
            Type::Float(FloatKind::Single) => ("float", "float", ""),
            Type::Float(_) => ("double", "double", ""),
            Type::Int(kind) => match kind {
                IntKind::Char | IntKind::SChar => ("char", "char", ""),
                IntKind::UChar => ("uchar", "unsigned char", ""),
                IntKind::Short => ("short", "short", ""),
                IntKind::UShort => ("ushort", "unsigned short", ""),
                IntKind::Int => ("int", "int", ""),
                IntKind::UInt => ("uint", "unsigned int", ""),
                IntKind::Long => ("long", "long", ""),
                IntKind::ULong => ("ulong", "unsigned long", ""),
                IntKind::LongLong | IntKind::Int128 => ("longlong", "long long", ""),
                IntKind::ULongLong | IntKind::UInt128 => ("ulonglong", "unsigned long long", ""),
            },
            Type::Enum(_) => ("int", "int", "cast"),
            _ => unreachable!("only scalars are asked for"),
        };
        self.inputs.insert((name, result));
        match cast {
            "" => format!("__VERIFIER_nondet_{name}()"),
            _ => format!("({})__VERIFIER_nondet_{name}()", type_name(self.program, ty)),
        }
    }

    /// Sees to it that there is a function that makes any struct of a type.
    fn record(&mut self, record: RecordId) {
        if self.records.contains_key(&record) {
            return;
        }
        // One that leads to itself is not written again.
        self.records.insert(record, String::new());
        let types = &self.program.types;
        let ty = types.find(&Type::Record(record)).expect("a record is a type");
        let mut text = format!(
            "static void any_{}({}, int depth) {{\n",
            tag(self.program, record),
            declaration(self.program, ty, "*it")
        );
        let before = text.len();
        self.fields(&mut text, record, "it->");
        if text.len() == before {
            text.push_str("    (void)it;\n");
        }
        text.push_str("}\n");
        self.records.insert(record, text);
    }

    /// Of a union, its first member; a member without a name has its own members in its place.
    fn fields(&mut self, text: &mut String, record: RecordId, within: &str) {
        let data = self.program.types.record(record).clone();
        let count = match data.kind {
            RecordKind::Struct => data.fields.len(),
            RecordKind::Union => 1,
        };
        let mut members = Vec::new();
        for field in data.fields.iter().take(count) {
            match (field.name.as_str(), self.program.types.get(field.ty)) {
                ("", &Type::Record(inner)) => self.fields(text, inner, within),
                ("", _) => {}
                (name, &Type::Record(inner)) if !is_named(self.program, inner) => {
                    self.fields(text, inner, &format!("{within}{name}."));
                }
                (name, _) => members.push(Member {
                    ty: field.ty,
                    object: format!("{within}{name}"),
                    name: name.to_owned(),
                }),
            }
        }
        self.members(text, &members, "depth");
    }

    /// A function that may be called and returns anything.
    fn stub(&mut self, function: &FunctionType) -> String {
        let number = self.stubs.len();
        // It has its number before what it returns has stubs of its own.
        self.stubs.push(String::new());
        let name = format!("any_function_{}", number + 1);
        let types = &self.program.types;
        let params: Vec<String> = function
            .params
            .iter()
            .enumerate()
            .map(|(number, &param)| declaration(self.program, param, &format!("argument_{}", number + 1)))
            .collect();
        let mut params = match params.is_empty() {
            true => "void".to_owned(),
            false => params.join(", "),
        };
        if function.variadic && params != "void" {
            params.push_str(", ...");
        }
        let mut body = String::new();
        for number in 0..function.params.len() {
            let _ = writeln!(body, "    (void)argument_{};", number + 1);
        }
        if !matches!(types.get(function.result), Type::Void) {
            let _ = writeln!(
                body,
                "    {};",
                declaration(self.program, function.result, "result")
            );
            self.any(&mut body, 1, function.result, "result", "0");
            body.push_str("    return result;\n");
        }
        let head = declaration(self.program, function.result, &format!("{name}({params})"));
        self.stubs[number] = format!("static {head} {{\n{body}}}\n");
        name
    }
}

/// Whether it is a pointer to a pointer, an array or a function.
fn is_deep(program: &Program, ty: TypeId) -> bool {
    let to = program.types.pointee(ty).map(|to| program.types.get(to));
    matches!(to, Some(Type::Pointer(_) | Type::Array(..) | Type::Function(_)))
}

fn declaration(program: &Program, ty: TypeId, name: &str) -> String {
    Printer::new(program).declaration(ty, name)
}

fn type_name(program: &Program, ty: TypeId) -> String {
    Printer::new(program).ty(ty)
}

/// A struct's name as part of another name.
fn tag(program: &Program, record: RecordId) -> String {
    let name = &program.types.record(record).name;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(plain).collect()
}

fn is_named(program: &Program, record: RecordId) -> bool {
    is_identifier(&program.types.record(record).name)
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Whether a parameter is called as lengths are.
fn names_length(name: &str) -> bool {
    const WORDS: [&str; 10] = [
        "n", "l", "len", "length", "size", "sz", "count", "num", "nelem", "nmemb",
    ];
    let name = name.to_ascii_lowercase();
    let last = name.rsplit('_').next().unwrap_or(&name);
    WORDS.contains(&last)
        || ["len", "size", "count", "length"]
            .iter()
            .any(|end| last.ends_with(end))
}
