//! Addresses as people speak of them: by what they are the address of.

use evidence::LeadsTo;
use program::{Initial, Program, Type, TypeId, VarKind};

/// More characters of a string literal are not shown.
const STRING: usize = 24;

/// The address as C writes it, or in words. `ty` is the pointer's type.
pub fn text(program: &Program, leads_to: LeadsTo, ty: TypeId) -> String {
    let pointee = program.types.pointee(ty);
    match leads_to {
        LeadsTo::Function(function) => program.functions[function].name.clone(),
        LeadsTo::Variable { var, offset } => {
            let data = &program.vars[var];
            match &data.kind {
                VarKind::Global(Initial::Bytes(bytes)) => string(bytes, offset),
                _ if data.name.starts_with('$') => {
                    format!("a temporary of {}", described(program, data.span))
                }
                _ => within(program, &data.name, data.ty, offset, pointee),
            }
        }
        LeadsTo::Block { by, offset, is_freed } => {
            let freed = if is_freed { "freed block" } else { "block" };
            let place = described(program, program.edges[by].span);
            let offset = match offset {
                0 => String::new(),
                offset => format!(" + {offset}"),
            };
            format!("{freed} of {place}{offset}")
        }
    }
}

fn described(program: &Program, span: Option<program::Span>) -> String {
    span.map_or("the start".to_owned(), |span| {
        program.sources.describe_line(&span)
    })
}

fn string(bytes: &[u8], offset: u64) -> String {
    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let text = String::from_utf8_lossy(text);
    let shown: String = text.chars().take(STRING).flat_map(char::escape_default).collect();
    let more = if text.chars().count() > STRING { "…" } else { "" };
    match offset {
        0 => format!("\"{shown}{more}\""),
        offset => format!("\"{shown}{more}\" + {offset}"),
    }
}

/// The part of a variable that is found there, of the type that is looked for; where there is none, the byte.
fn within(program: &Program, name: &str, ty: TypeId, offset: u64, wanted: Option<TypeId>) -> String {
    let types = &program.types;
    let (mut text, mut ty, mut left) = (name.to_owned(), ty, offset);
    loop {
        if left == 0 && Some(ty) == wanted {
            return format!("&{text}");
        }
        match *types.get(ty) {
            Type::Array(element, _) if types.size(element) > 0 => {
                // The array is the address of its first element.
                if left == 0 && Some(element) == wanted {
                    return text;
                }
                text.push_str(&format!("[{}]", left / types.size(element)));
                left %= types.size(element);
                ty = element;
            }
            Type::Record(record) => {
                let fields = &types.record(record).fields;
                let field = fields.iter().find(|field| {
                    let end = field.offset + types.size(field.ty);
                    field.bits.is_none() && (field.offset..end).contains(&left)
                });
                let Some(field) = field.filter(|field| !field.name.is_empty()) else {
                    break;
                };
                text.push_str(&format!(".{}", field.name));
                left -= field.offset;
                ty = field.ty;
            }
            _ => break,
        }
    }
    match (left, offset) {
        (0, 0) => format!("&{name}"),
        (0, _) => format!("&{text}"),
        (left, _) => format!("&{text} + {left} bytes"),
    }
}
