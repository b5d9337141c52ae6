//! The inputs of a run as a counterexample gives them.
//!
//! Pointers among them are addresses in the layout that the counterexample was found with. The run has its own; as
//! objects come to life, [`Giver`] learns where they are, and gives pointers to them as the run's addresses.

use interpreter::{Inputs, MOST_ARGUMENTS, NewObject, ObjectKind, Request, Source};
use program::{EdgeId, Program, VarId, VarKind};
use rustc_hash::FxHashMap;
use verdict::{Content, Given, Needed, Object};

/// Answers requests for variables by name, the others in the order of the recorded values, each to the edge it was
/// recorded for.
pub(crate) struct Giver<'a> {
    program: &'a Program,
    given: &'a Given,
    next_value: usize,
    next_born: usize,
    next_written: usize,
    /// Where the run has the objects.
    addresses: FxHashMap<Object, u64>,
}

impl<'a> Giver<'a> {
    pub fn new(program: &'a Program, given: &'a Given) -> Giver<'a> {
        Giver {
            program,
            given,
            next_value: 0,
            next_born: 0,
            next_written: 0,
            addresses: FxHashMap::default(),
        }
    }

    fn recorded(&mut self, request: &Request) -> Option<i128> {
        let values = &self.given.values;
        if let Source::Global(var) | Source::Parameter(var) = request.source {
            let needed = Needed::Before(var, request.offset);
            let found = values.iter().find(|input| input.needed == needed);
            return found
                .map(|found| found.value)
                .or_else(|| self.in_variable(var, request));
        }
        let needed = Needed::At(request.edge?);
        let mut rest = values[self.next_value..]
            .iter()
            .enumerate()
            .filter(|(_, input)| matches!(input.needed, Needed::At(_)));
        // A variable that the path never read has no recorded value; an input that has one is next in line.
        let found = match request.source {
            Source::Uninitialised(_) => rest.next().filter(|(_, input)| input.needed == needed),
            _ => rest.find(|(_, input)| input.needed == needed),
        };
        let (position, input) = found?;
        self.next_value += position + 1;
        Some(input.value)
    }

    /// A scalar of an undefined global in memory.
    fn in_variable(&self, var: VarId, request: &Request) -> Option<i128> {
        let (_, contents) = self
            .given
            .memory
            .variables
            .iter()
            .find(|(other, _)| *other == var)?;
        let end = request.offset + self.program.types.size(request.ty).min(16);
        let mut value = [0; 16];
        let mut any = false;
        for content in contents {
            for (at, &byte) in (content.at..).zip(&content.bytes) {
                if (request.offset..end).contains(&at) {
                    value[(at - request.offset) as usize] = byte;
                    any = true;
                }
            }
        }
        any.then(|| i128::from_le_bytes(value))
    }

    /// The run's address for one of the layout.
    fn translate(&self, address: u64, functions: bool) -> Option<u64> {
        let layout = &self.given.memory.layout;
        let after = layout.partition_point(|placed| placed.address <= address);
        let placed = &layout[after.checked_sub(1)?];
        let offset = address - placed.address;
        // A pointer may point right behind an object.
        if offset > placed.size {
            return None;
        }
        match placed.object {
            Object::Function(function) => {
                (functions && offset == 0).then(|| interpreter::function_address(function))
            }
            object => Some(self.addresses.get(&object)? + offset),
        }
    }

    /// Bytes as wide as a pointer that are an address of the layout are taken for a pointer.
    fn translated(&self, content: &Content, base: u64) -> (u64, Vec<u8>) {
        let mut bytes = content.bytes.clone();
        let width = (self.program.types.model().pointer_bits() / 8) as usize;
        if bytes.len() == width {
            let mut word = [0; 8];
            word[..width].copy_from_slice(&bytes);
            if let Some(address) = self.translate(u64::from_le_bytes(word), false) {
                bytes.copy_from_slice(&address.to_le_bytes()[..width]);
            }
        }
        (content.at - base, bytes)
    }
}

impl Inputs for Giver<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        let value = self.recorded(request)?;
        let is_placed = match request.source {
            Source::Global(var) => self.given.placed.contains(&var),
            _ => false,
        };
        let types = &self.program.types;
        let bits = types.model().pointer_bits();
        // A number as wide as a pointer that lies in an object was meant to.
        let may_be_address = types.is_pointer(request.ty)
            || types
                .int_shape(request.ty)
                .is_some_and(|shape| shape.bits == bits);
        if may_be_address && !is_placed {
            let mask = u64::MAX >> (64 - bits);
            if let Some(address) = self.translate(value as u64 & mask, true) {
                return Some(i128::from(address));
            }
        }
        Some(value)
    }

    fn argument_count(&mut self, parameter: VarId) -> Option<i128> {
        let needed = Needed::Before(parameter, 0);
        let found = self.given.values.iter().find(|input| input.needed == needed);
        let count = found.map(|found| found.value);
        count.filter(|count| (0..=MOST_ARGUMENTS).contains(count))
    }

    fn has_environment(&mut self, address: u64) -> bool {
        self.given
            .memory
            .environment
            .iter()
            .any(|range| range.contains(&address))
    }

    fn contents(&mut self, object: &NewObject) -> Vec<(u64, Vec<u8>)> {
        let memory = &self.given.memory;
        let (contents, base) = match object.kind {
            ObjectKind::Variable(var) => {
                self.addresses.insert(Object::Variable(var), object.address);
                let found = memory.variables.iter().find(|(other, _)| *other == var);
                (found.map_or(&[][..], |(_, contents)| contents), 0)
            }
            ObjectKind::Declared(_) | ObjectKind::Allocated => {
                let rest = &memory.born[self.next_born..];
                let Some(position) = rest.iter().position(|born| Some(born.edge) == object.edge) else {
                    return Vec::new();
                };
                let number = self.next_born + position;
                self.next_born = number + 1;
                self.addresses.insert(Object::Born(number), object.address);
                (&memory.born[number].contents[..], 0)
            }
            ObjectKind::Environment => {
                let all = &memory.environment_contents;
                let first = all.partition_point(|content| content.at < object.address);
                let end = object.address.saturating_add(object.size);
                let after = all.partition_point(|content| content.at < end);
                (&all[first..after], object.address)
            }
        };
        contents
            .iter()
            .map(|content| self.translated(content, base))
            .collect()
    }

    fn written(&mut self, edge: EdgeId) -> Vec<(u64, Vec<u8>)> {
        let rest = &self.given.memory.written[self.next_written..];
        let Some(position) = rest.iter().position(|written| written.edge == edge) else {
            return Vec::new();
        };
        self.next_written += position + 1;
        rest[position]
            .contents
            .iter()
            .filter_map(|content| {
                let (_, bytes) = self.translated(content, 0);
                Some((self.translate(content.at, false)?, bytes))
            })
            .collect()
    }
}

/// The same inputs for a program whose new memory is zero: what variables without a value and allocations hold is not an input that anybody
/// could give to a compiled program.
pub(crate) struct Zeroed<'a>(pub Giver<'a>);

/// Larger objects are left without a value: who reads all of one is not looked at for longer than that.
const MOST_ZEROED: u64 = 1 << 20;

impl Inputs for Zeroed<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        // What was recorded is passed over.
        let value = self.0.value(request);
        match request.source {
            Source::Uninitialised(_) => Some(0),
            _ => value,
        }
    }

    fn argument_count(&mut self, parameter: VarId) -> Option<i128> {
        self.0.argument_count(parameter)
    }

    fn has_environment(&mut self, address: u64) -> bool {
        self.0.has_environment(address)
    }

    fn contents(&mut self, object: &NewObject) -> Vec<(u64, Vec<u8>)> {
        let contents = self.0.contents(object);
        let is_new = match object.kind {
            ObjectKind::Declared(_) | ObjectKind::Allocated => true,
            ObjectKind::Variable(var) => {
                matches!(self.0.program.vars[var].kind, VarKind::Local | VarKind::Temporary)
            }
            ObjectKind::Environment => false,
        };
        match is_new {
            true if object.size <= MOST_ZEROED => vec![(0, vec![0; object.size as usize])],
            true => Vec::new(),
            false => contents,
        }
    }

    fn written(&mut self, edge: EdgeId) -> Vec<(u64, Vec<u8>)> {
        self.0.written(edge)
    }
}
