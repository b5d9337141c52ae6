//! The parser's positions as the program's spans. Files are copied into the program when first mentioned.

use program::{FileId, SourceMap, Span};
use rucc_diag as rucc;
use rustc_hash::FxHashMap;

use crate::unit::Unit;

#[derive(Default)]
pub(crate) struct SpanMap {
    files: FxHashMap<rucc::FileId, FileId>,
    /// Names that only `#line` markers mention.
    names: FxHashMap<String, FileId>,
}

impl SpanMap {
    pub fn lower(&mut self, span: rucc::Span, unit: &Unit, sources: &mut SourceMap) -> Option<Span> {
        if span.is_dummy() {
            return None;
        }
        let span = unit.sources.outside(span);
        let start = unit.sources.lookup(span.lo)?;
        // A span that ends in another file came out of an include in its middle; it ends where it starts.
        let end = unit
            .sources
            .lookup(span.hi)
            .filter(|end| end.file == start.file)
            .unwrap_or(start);
        let file = self.file(start.file, unit, sources);
        let presumed = unit.sources.presumed(span.lo);
        let physical = &unit.sources.file(start.file).name;
        let origin = match presumed {
            Some(p) if p.line != start.line || p.name != physical => {
                Some((self.name(p.name, sources), p.line))
            }
            _ => None,
        };
        Some(Span {
            file,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            origin,
        })
    }

    fn file(&mut self, id: rucc::FileId, unit: &Unit, sources: &mut SourceMap) -> FileId {
        *self.files.entry(id).or_insert_with(|| {
            let file = unit.sources.file(id);
            sources.add(
                file.name.clone(),
                String::from_utf8_lossy(file.bytes()).into_owned(),
            )
        })
    }

    fn name(&mut self, name: &str, sources: &mut SourceMap) -> FileId {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let id = sources.add(name.to_owned(), String::new());
        self.names.insert(name.to_owned(), id);
        id
    }
}
