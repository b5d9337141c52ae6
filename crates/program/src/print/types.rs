//! Types in C's declarator syntax.

use crate::{RecordKind, Type, TypeId, Types};

/// A type as a cast would name it: `int (*)[3]`.
pub fn type_name(types: &Types, ty: TypeId) -> String {
    declaration(types, ty, "")
}

/// A declaration of `name` with the type: `int (*name)[3]`.
pub fn declaration(types: &Types, ty: TypeId, name: &str) -> String {
    let mut declarator = name.to_owned();
    let mut ty = ty;
    // A pointer's star binds weaker than the array's or function's suffix it may stand inside of.
    let mut after_star = false;
    loop {
        match types.get(ty) {
            Type::Pointer(to) => {
                declarator.insert(0, '*');
                after_star = true;
                ty = *to;
            }
            Type::Array(element, length) => {
                parenthesise(&mut declarator, after_star);
                let length = length.map_or(String::new(), |length| length.to_string());
                declarator.push_str(&format!("[{length}]"));
                after_star = false;
                ty = *element;
            }
            Type::Function(function) => {
                parenthesise(&mut declarator, after_star);
                let mut params: Vec<String> = function.params.iter().map(|&p| type_name(types, p)).collect();
                if function.variadic && !params.is_empty() {
                    params.push("...".to_owned());
                } else if params.is_empty() && !function.variadic {
                    params.push("void".to_owned());
                }
                declarator.push_str(&format!("({})", params.join(", ")));
                after_star = false;
                ty = function.result;
            }
            base => {
                let base = base_name(types, base);
                return match declarator.is_empty() {
                    true => base,
                    false => format!("{base} {declarator}"),
                };
            }
        }
    }
}

fn parenthesise(declarator: &mut String, needed: bool) {
    if needed {
        *declarator = format!("({declarator})");
    }
}

fn base_name(types: &Types, ty: &Type) -> String {
    match *ty {
        Type::Void => "void".to_owned(),
        Type::Bool => "_Bool".to_owned(),
        Type::Int(kind) => kind.c_name().to_owned(),
        Type::Float(kind) => kind.c_name().to_owned(),
        Type::Record(id) => {
            let record = types.record(id);
            let keyword = match record.kind {
                RecordKind::Struct => "struct",
                RecordKind::Union => "union",
            };
            tag_name(keyword, &record.name, record.tagged)
        }
        Type::Enum(id) => {
            let enumeration = types.enumeration(id);
            tag_name("enum", &enumeration.name, enumeration.tagged)
        }
        Type::Pointer(_) | Type::Array(..) | Type::Function(_) => {
            unreachable!("declarators are taken apart before the base type")
        }
    }
}

/// An untagged type is known by its typedef name alone; a made-up name, which C could not spell, keeps the keyword.
fn tag_name(keyword: &str, name: &str, tagged: bool) -> String {
    let is_identifier = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    match !tagged && is_identifier {
        true => name.to_owned(),
        false => format!("{keyword} {name}"),
    }
}
