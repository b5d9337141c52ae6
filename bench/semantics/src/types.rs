//! The types of generated programs.

use logic::random::Random;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Int(&'static str),
    Float(&'static str),
    Pointer(Box<Ty>),
    Array(Box<Ty>, u32),
    /// By its position among the program's records.
    Record(usize),
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub ty: Ty,
    pub bits: Option<u32>,
    /// A float that shares its bytes with integers: what a not-a-number's bits are is nobody's promise.
    pub read_only: bool,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub is_union: bool,
    pub fields: Vec<Field>,
}

pub const INTS: [&str; 14] = [
    "int",
    "unsigned",
    "int",
    "long",
    "unsigned long",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum E",
];

impl Ty {
    pub fn is_scalar(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Float(_) | Ty::Pointer(_))
    }

    pub fn contains_pointer(&self, records: &[Record]) -> bool {
        match self {
            Ty::Int(_) | Ty::Float(_) => false,
            Ty::Pointer(_) => true,
            Ty::Array(element, _) => element.contains_pointer(records),
            Ty::Record(at) => records[*at]
                .fields
                .iter()
                .any(|field| field.ty.contains_pointer(records)),
        }
    }

    /// A declaration of `name` with this type.
    pub fn declare(&self, name: &str, records: &[Record]) -> String {
        match self {
            Ty::Int(words) | Ty::Float(words) => format!("{words} {name}"),
            Ty::Pointer(to) => match **to {
                Ty::Array(..) => to.declare(&format!("(*{name})"), records),
                _ => to.declare(&format!("*{name}"), records),
            },
            Ty::Array(element, length) => element.declare(&format!("{name}[{length}]"), records),
            Ty::Record(at) => {
                let keyword = if records[*at].is_union { "union" } else { "struct" };
                format!("{keyword} S{at} {name}")
            }
        }
    }

    /// The type's name, for casts.
    pub fn name(&self, records: &[Record]) -> String {
        self.declare("", records).trim_end().to_owned()
    }
}

pub fn random_int(random: &mut Random) -> Ty {
    Ty::Int(random.pick(&INTS))
}

pub fn random_scalar(random: &mut Random) -> Ty {
    match random.below(10) {
        0 => Ty::Float("float"),
        1 => Ty::Float("double"),
        _ => random_int(random),
    }
}

/// A few structs and unions; later ones may contain earlier ones.
pub fn random_records(random: &mut Random) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for _ in 0..1 + random.below(3) {
        let record = if random.chance(25) {
            random_union(random)
        } else {
            random_struct(random, &records)
        };
        records.push(record);
    }
    records
}

/// The first member is the widest, so that giving it a value gives every byte one.
fn random_union(random: &mut Random) -> Record {
    let first = Ty::Int(random.pick(&["long long", "unsigned long long"]));
    let mut members = vec![first];
    for _ in 0..1 + random.below(3) {
        members.push(match random.below(5) {
            0 => Ty::Array(Box::new(Ty::Int("unsigned char")), 8),
            1 => Ty::Array(Box::new(Ty::Int("short")), 4),
            2 => Ty::Float(random.pick(&["float", "double"])),
            _ => Ty::Int(random.pick(&["int", "unsigned", "short", "signed char", "long"])),
        });
    }
    let fields = members.into_iter().enumerate().map(|(index, ty)| Field {
        name: format!("m{index}"),
        read_only: matches!(ty, Ty::Float(_)),
        ty,
        bits: None,
    });
    Record {
        is_union: true,
        fields: fields.collect(),
    }
}

fn random_struct(random: &mut Random, records: &[Record]) -> Record {
    let mut parts = Vec::new();
    for _ in 0..1 + random.below(5) {
        let (ty, bits) = match random.below(12) {
            0 | 1 => bit_field(random, 31),
            // Several that share their bytes, so that writing one could harm another.
            2 => {
                let most = random.pick(&[3, 7, 13, 31]);
                for _ in 0..1 + random.below(3) {
                    parts.push(bit_field(random, most));
                }
                bit_field(random, most)
            }
            3 => (
                Ty::Array(Box::new(random_scalar(random)), random.pick(&[2, 4])),
                None,
            ),
            4 => (Ty::Pointer(Box::new(random_scalar(random))), None),
            5 if !records.is_empty() => (Ty::Record(random.below(records.len())), None),
            _ => (random_scalar(random), None),
        };
        parts.push((ty, bits));
    }
    let fields = parts.into_iter().enumerate().map(|(index, (ty, bits))| Field {
        name: format!("m{index}"),
        ty,
        bits,
        read_only: false,
    });
    Record {
        is_union: false,
        fields: fields.collect(),
    }
}

/// A bit-field of at most so many bits, or of as many as its type allows.
fn bit_field(random: &mut Random, most: usize) -> (Ty, Option<u32>) {
    let (ty, widest) = random.pick(&[
        ("int", 31),
        ("unsigned", 31),
        ("unsigned char", 7),
        ("_Bool", 1),
        ("long long", 31),
        ("short", 13),
    ]);
    (Ty::Int(ty), Some(1 + random.below(most.min(widest)) as u32))
}

/// The definitions of the records.
pub fn definitions(records: &[Record]) -> String {
    let mut text = String::from("enum E { EA, EB = 5, EC = -3 };\n");
    for (at, record) in records.iter().enumerate() {
        let keyword = if record.is_union { "union" } else { "struct" };
        text.push_str(&format!("{keyword} S{at} {{\n"));
        for field in &record.fields {
            let bits = field.bits.map_or(String::new(), |width| format!(" : {width}"));
            let declared = field.ty.declare(&field.name, records);
            text.push_str(&format!("  {declared}{bits};\n"));
        }
        text.push_str("};\n");
    }
    text
}
