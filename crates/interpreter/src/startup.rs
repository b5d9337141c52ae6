//! What happens before the first edge: static objects get their first values, the entry function its arguments.

use program::{ExprKind, FuncId, HavocCause, Id, Initial, Program, Type, TypeId, VarId, VarKind};

use crate::code::{Destination, Havoc, Home};
use crate::compile;
use crate::eval::write_register;
use crate::inputs::{Consumed, MOST_ARGUMENTS, ObjectKind, Request, Source};
use crate::machine::{Machine, OrEnd, Register, Value};
use crate::memory::{Area, Bytes, ObjectRef};
use crate::output::Stream;
use crate::report::End;
use crate::scalar::Scalar;

/// The size of glibc's `FILE`; programs only pass its address around.
const FILE_SIZE: u64 = 216;

/// How far the initialisation of a static object is.
#[derive(Clone, Copy, Default)]
struct Progress {
    visited: bool,
    initialised: bool,
}

impl Machine<'_> {
    pub fn create_statics(&mut self) -> OrEnd<()> {
        let program = self.program;
        self.globals = vec![
            Register {
                value: 0,
                written: true,
            };
            self.layout.global_registers.len()
        ];
        for var in self.layout.static_objects.clone() {
            let info = &program.vars[var];
            let align = program.types.align(info.ty).max(info.align);
            let object = self.make_static(program::object_size(program, var), align)?;
            let made = self.memory.object_mut(object);
            made.var = Some(var);
            let base = made.base;
            made.unknown_size =
                is_incomplete(program, info.ty) && info.kind == VarKind::Global(Initial::External);
            let size = made.size;
            self.contents(ObjectKind::Variable(var), base, size);
        }
        let mut progress = vec![Progress::default(); program.vars.len()];
        for var in program.vars.ids() {
            self.initialise_after_needs(var, &mut progress)?;
        }
        Ok(())
    }

    /// Initialises a static object after those whose value its own is a copy of: string and compound literals.
    fn initialise_after_needs(&mut self, var: VarId, progress: &mut [Progress]) -> OrEnd<()> {
        let program = self.program;
        let mut waiting = vec![var];
        while let Some(&var) = waiting.last() {
            let VarKind::Global(initial) = &program.vars[var].kind else {
                waiting.pop();
                continue;
            };
            // A second visit comes after the needs, or there is a cycle, which C does not have.
            let first_visit = !std::mem::replace(&mut progress[var.index()].visited, true);
            let before = waiting.len();
            if first_visit {
                waiting
                    .extend(copied_from(program, initial).filter(|other| !progress[other.index()].visited));
            }
            if waiting.len() == before {
                waiting.pop();
                if !std::mem::replace(&mut progress[var.index()].initialised, true) {
                    self.initialise(var, initial)?;
                }
            }
        }
        Ok(())
    }

    /// A zeroed static object.
    pub fn make_static(&mut self, size: u64, align: u64) -> OrEnd<ObjectRef> {
        match self.memory.allocate(Area::Static, size, align, true) {
            Some(object) => Ok(object),
            None => Err(self.unsupported("static objects that exceed the memory limit".to_owned())),
        }
    }

    fn initialise(&mut self, var: VarId, initial: &Initial) -> OrEnd<()> {
        let program = self.program;
        let info = &program.vars[var];
        match initial {
            Initial::Values(values) => {
                for &(place, value) in values {
                    let (destination, operand) = compile::initial(program, &self.layout, place, value);
                    self.assign_operand(&destination, &operand)?;
                }
            }
            Initial::Bytes(bytes) => {
                if let Home::StaticObject(index) = self.layout.home(var) {
                    let object = self.memory.object_mut(static_object(index));
                    object.data[..bytes.len()].copy_from_slice(bytes);
                }
            }
            Initial::External => return self.initialise_external(var),
        }
        if let Home::StaticObject(index) = self.layout.home(var)
            && info.is_read_only()
        {
            self.memory.object_mut(static_object(index)).read_only = true;
        }
        Ok(())
    }

    fn initialise_external(&mut self, var: VarId) -> OrEnd<()> {
        let program = self.program;
        let info = &program.vars[var];
        let stream = match info.name.as_str() {
            "stdin" => Some(Stream::Input),
            "stdout" => Some(Stream::Output),
            "stderr" => Some(Stream::Error),
            _ => None,
        };
        let home = self.layout.home(var);
        if let Some(stream) = stream
            && let Some(scalar) = Scalar::of(&program.types, info.ty)
        {
            let file = self.make_static(FILE_SIZE, 16)?;
            let address = self.memory.object(file).base;
            self.state.streams.push((address, stream));
            self.write_home(home, scalar, i128::from(address));
            return Ok(());
        }
        if !program_names(&self.layout.named, var) {
            return Ok(());
        }
        match home {
            Home::GlobalRegister(at) => {
                let scalar = Scalar::of(&program.types, info.ty).expect("registers hold scalars");
                let value = self.input(Source::Global(var), info.ty, 0).unwrap_or(0);
                write_register(&mut self.globals, at as usize, scalar, value);
            }
            Home::StaticObject(index) => {
                let bytes = self.input_bytes(Source::Global(var), info.ty);
                let object = self.memory.object_mut(static_object(index));
                object.copy_in(0, &bytes);
            }
            Home::Register(_) | Home::FrameObject(_) => unreachable!("globals are static"),
        }
        Ok(())
    }

    fn write_home(&mut self, home: Home, scalar: Scalar, value: i128) {
        match home {
            Home::GlobalRegister(at) => write_register(&mut self.globals, at as usize, scalar, value),
            Home::StaticObject(index) => self.write_scalar(static_object(index), 0, scalar, value),
            Home::Register(_) | Home::FrameObject(_) => unreachable!("globals are static"),
        }
    }

    /// A value of any type, every scalar of it an input; 0 where nothing is given.
    pub fn input_bytes(&mut self, source: Source, ty: TypeId) -> Bytes {
        let program = self.program;
        let mut data = vec![0; program.types.size(ty) as usize];
        for (ty, offset) in leaves(program, ty) {
            let Some(scalar) = Scalar::of(&program.types, ty) else {
                continue;
            };
            let value = self.input(source, ty, offset).unwrap_or(0);
            let length = scalar.value_bytes() as usize;
            let at = offset as usize;
            data[at..at + length].copy_from_slice(&value.to_le_bytes()[..length]);
        }
        Bytes {
            data,
            unwritten: None,
        }
    }

    /// An input of any type but `void`.
    pub fn input_value(&mut self, source: Source, ty: TypeId) -> Value {
        match Scalar::of(&self.program.types, ty) {
            Some(scalar) => Value::Scalar(self.input(source, ty, 0).unwrap_or(0), scalar),
            None => Value::Bytes(Box::new(self.input_bytes(source, ty))),
        }
    }

    /// A place comes to life without a value, or takes one that the program does not determine.
    pub fn havoc(&mut self, havoc: &Havoc) -> OrEnd<()> {
        let source = match (havoc.cause, havoc.var) {
            (HavocCause::Hardware, Some(var)) => Source::Hardware(var),
            (HavocCause::Assembly | HavocCause::Hardware, var) => Source::Assembly(var),
            (HavocCause::Uninitialised, Some(var)) => Source::Uninitialised(var),
            (HavocCause::Uninitialised, None) => return self.forget(&havoc.destination),
        };
        if havoc.cause != HavocCause::Uninitialised {
            let value = self.input_value(source, havoc.ty);
            return self.assign(&havoc.destination, value);
        }
        if let Some(scalar) = Scalar::of(&self.program.types, havoc.ty) {
            return match self.input(source, havoc.ty, 0) {
                Some(value) => {
                    self.assign(&havoc.destination, Value::Scalar(value, scalar))?;
                    self.mark_given(&havoc.destination)
                }
                None => self.forget(&havoc.destination),
            };
        }
        if havoc.var.is_some_and(|var| self.fills_aggregate(var)) {
            let value = self.input_value(source, havoc.ty);
            self.assign(&havoc.destination, value)?;
            return self.mark_given(&havoc.destination);
        }
        self.forget(&havoc.destination)?;
        if let (Some(var), Destination::Bytes { path, size, .. }) = (havoc.var, &havoc.destination) {
            let (object, offset) = self.resolve(path, *size, true)?;
            if offset == 0 && self.memory.object(object).var == Some(var) {
                self.fill_new(object, ObjectKind::Declared(var));
            }
        }
        Ok(())
    }

    pub fn entry_arguments(&mut self, entry: FuncId) -> OrEnd<Vec<Value>> {
        let program = self.program;
        let function = &program.functions[entry];
        if function.name != "main" {
            return Ok(function
                .params
                .iter()
                .map(|&var| self.input_value(Source::Parameter(var), program.vars[var].ty))
                .collect());
        }
        let scalar_of = |var: VarId| Scalar::of(&program.types, program.vars[var].ty);
        let mut values = Vec::new();
        let arguments = self.arguments(function.params.first().copied());
        for (position, &var) in function.params.iter().enumerate() {
            let Some(scalar) = scalar_of(var) else {
                return Err(self.unsupported("`main` with a parameter that is no scalar".to_owned()));
            };
            let value = match position {
                0 => arguments.len() as i128,
                1 => i128::from(self.argument_vector(&arguments)?),
                2 => i128::from(self.argument_vector(&[])?),
                _ => 0,
            };
            values.push(Value::Scalar(value, scalar));
        }
        Ok(values)
    }

    /// The arguments of `main`: those of the options, or as many as the inputs ask for.
    fn arguments(&mut self, count: Option<VarId>) -> Vec<Vec<u8>> {
        let mut arguments = self.options.arguments.clone();
        let Some(var) = count else {
            return arguments;
        };
        if let Some(count) = self.inputs.argument_count(var) {
            debug_assert!(
                (0..=MOST_ARGUMENTS).contains(&count),
                "inputs keep to what is possible"
            );
            arguments.resize(usize::try_from(count).unwrap_or(0), Vec::new());
            self.consumed.push(Consumed {
                request: Request {
                    source: Source::Parameter(var),
                    ty: self.program.vars[var].ty,
                    offset: 0,
                    edge: None,
                },
                value: count,
            });
        }
        arguments
    }

    /// The address of an array of strings with a null pointer behind it.
    fn argument_vector(&mut self, arguments: &[Vec<u8>]) -> Result<u64, Box<End>> {
        let width = u64::from(self.program.types.model().pointer_bits() / 8);
        let vector = self.make_static(width * (arguments.len() as u64 + 1), 16)?;
        for (index, argument) in arguments.iter().enumerate() {
            let string = self.make_static(argument.len() as u64 + 1, 1)?;
            let object = self.memory.object_mut(string);
            object.data[..argument.len()].copy_from_slice(argument);
            let address = object.base.to_le_bytes();
            let vector = self.memory.object_mut(vector);
            let range = vector.range(width * index as u64, width);
            vector.data[range].copy_from_slice(&address[..width as usize]);
        }
        Ok(self.memory.object(vector).base)
    }
}

fn static_object(index: u32) -> ObjectRef {
    ObjectRef {
        area: Area::Static,
        index,
    }
}

fn program_names(named: &[bool], var: VarId) -> bool {
    named[var.index()]
}

fn is_incomplete(program: &Program, ty: TypeId) -> bool {
    match *program.types.get(ty) {
        Type::Array(_, None) | Type::Void => true,
        Type::Array(element, Some(_)) => is_incomplete(program, element),
        Type::Record(record) => !program.types.record(record).complete,
        _ => false,
    }
}

/// The variables that are read to initialise another.
fn copied_from<'p>(program: &'p Program, initial: &'p Initial) -> impl Iterator<Item = VarId> + 'p {
    let values = match initial {
        Initial::Values(values) => values.as_slice(),
        Initial::Bytes(_) | Initial::External => &[],
    };
    values
        .iter()
        .filter_map(|&(_, value)| match program.expr(value).kind {
            ExprKind::Read(place) => program::base_variable(program, place),
            _ => None,
        })
}

/// The scalars inside a type, with their offsets. Of a union, those of its largest member; bit-fields as the bytes
/// that hold them.
fn leaves(program: &Program, ty: TypeId) -> Vec<(TypeId, u64)> {
    let mut found = Vec::new();
    collect_leaves(program, ty, 0, &mut found);
    found
}

fn collect_leaves(program: &Program, ty: TypeId, offset: u64, found: &mut Vec<(TypeId, u64)>) {
    let types = &program.types;
    match *types.get(ty) {
        Type::Array(element, length) => {
            let size = types.size(element);
            for index in 0..length.unwrap_or(0) {
                collect_leaves(program, element, offset + index * size, found);
            }
        }
        Type::Record(record) => {
            let record = types.record(record);
            let fields: Vec<_> = match record.kind {
                program::RecordKind::Struct => record.fields.iter().collect(),
                program::RecordKind::Union => {
                    let largest = record
                        .fields
                        .iter()
                        .rev()
                        .max_by_key(|field| types.size(field.ty));
                    largest.into_iter().collect()
                }
            };
            for field in fields {
                // Fields that share bytes are asked for by the first of them.
                let at = offset + field.offset;
                let fits = field.offset + types.size(field.ty) <= record.size;
                let free = found.last().is_none_or(|&(ty, last)| last + types.size(ty) <= at);
                if field.bits.is_none() || (fits && free) {
                    collect_leaves(program, field.ty, at, found);
                }
            }
        }
        Type::Void | Type::Function(_) => {}
        _ => found.push((ty, offset)),
    }
}
