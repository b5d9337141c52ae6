//! Idioms: pieces of programs that each use one part of the language, of the library or of the outside. Each reads what is there and
//! leaves what it computed in variables, so that whatever follows depends on it.

mod control;
mod heap;
mod library;
mod outside;
mod storage;

use crate::generate::Generator;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idiom {
    Record,
    RecordCopy,
    Union,
    BitFields,
    StaticLocal,
    VariableLength,
    Float,
    Bytes,
    Matrix,
    Block,
    List,
    Grow,
    Recursion,
    FunctionPointer,
    VariableArguments,
    JumpOver,
    JumpBack,
    Handler,
    Exit,
    Strings,
    Compare,
    Characters,
    Memory,
    Numbers,
    Callback,
    Tokens,
    External,
    ExternalWrites,
    ExternalPointer,
    Entry,
    Uninitialised,
}

impl Idiom {
    pub(crate) const ALL: [Idiom; 31] = [
        Idiom::Record,
        Idiom::RecordCopy,
        Idiom::Union,
        Idiom::BitFields,
        Idiom::StaticLocal,
        Idiom::VariableLength,
        Idiom::Float,
        Idiom::Bytes,
        Idiom::Matrix,
        Idiom::Block,
        Idiom::List,
        Idiom::Grow,
        Idiom::Recursion,
        Idiom::FunctionPointer,
        Idiom::VariableArguments,
        Idiom::JumpOver,
        Idiom::JumpBack,
        Idiom::Handler,
        Idiom::Exit,
        Idiom::Strings,
        Idiom::Compare,
        Idiom::Characters,
        Idiom::Memory,
        Idiom::Numbers,
        Idiom::Callback,
        Idiom::Tokens,
        Idiom::External,
        Idiom::ExternalWrites,
        Idiom::ExternalPointer,
        Idiom::Entry,
        Idiom::Uninitialised,
    ];

    pub(crate) fn write(self, generator: &mut Generator) {
        match self {
            Idiom::Record => storage::record(generator),
            Idiom::RecordCopy => storage::record_copy(generator),
            Idiom::Union => storage::union(generator),
            Idiom::BitFields => storage::bit_fields(generator),
            Idiom::StaticLocal => storage::static_local(generator),
            Idiom::VariableLength => storage::variable_length(generator),
            Idiom::Float => storage::float(generator),
            Idiom::Bytes => storage::bytes(generator),
            Idiom::Matrix => storage::matrix(generator),
            Idiom::Block => heap::block(generator),
            Idiom::List => heap::list(generator),
            Idiom::Grow => heap::grow(generator),
            Idiom::Recursion => control::recursion(generator),
            Idiom::FunctionPointer => control::function_pointer(generator),
            Idiom::VariableArguments => control::variable_arguments(generator),
            Idiom::JumpOver => control::jump_over(generator),
            Idiom::JumpBack => control::jump_back(generator),
            Idiom::Handler => control::handler(generator),
            Idiom::Exit => control::exit(generator),
            Idiom::Strings => library::strings(generator),
            Idiom::Compare => library::compare(generator),
            Idiom::Characters => library::characters(generator),
            Idiom::Memory => library::memory(generator),
            Idiom::Numbers => library::numbers(generator),
            Idiom::Callback => library::callback(generator),
            Idiom::Tokens => library::tokens(generator),
            Idiom::External => outside::external(generator),
            Idiom::ExternalWrites => outside::external_writes(generator),
            Idiom::ExternalPointer => outside::external_pointer(generator),
            Idiom::Entry => outside::entry(generator),
            Idiom::Uninitialised => outside::uninitialised(generator),
        }
    }
}

impl Generator {
    /// A new variable of type `int` with this value.
    fn result(&mut self, value: &str) {
        let name = self.name("r");
        self.line(format!("int {name} = {value};"));
        self.int(&name, true, true);
    }
}
