//! Names that several files share. An external name is one entity of the program whichever file declares it; two files
//! that both define it are an error, except where C says that definitions merge or give way.

use program::{Callee, EdgeKind, FuncId, Initial, Note, Program, VarId, VarKind};
use rustc_hash::FxHashMap;

use crate::lower::refuse_calls;
use crate::refuse::{Refused, refuse};
use diagnostics::Location;

/// How binding a definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// `inline` without an external definition, or `weak`: gives way to a definition elsewhere.
    Weak,
    /// A file-scope object without an initialiser.
    Tentative,
    Strong,
}

#[derive(Clone, Debug)]
struct Definition {
    strength: Strength,
    location: Option<Location>,
}

/// What has become of external names so far.
#[derive(Default)]
pub(crate) struct Linker {
    functions: FxHashMap<String, FuncId>,
    globals: FxHashMap<String, VarId>,
    definitions: FxHashMap<String, Definition>,
    /// Functions that run before `main`, with their priority.
    constructors: Vec<(u32, FuncId)>,
    /// A function that runs after `main`.
    destructor: Option<FuncId>,
    /// Names that need not be defined: their addresses are null then.
    weak: Vec<Refused>,
    refused: Vec<(Refused, String)>,
}

/// Whether a definition takes effect.
pub(crate) enum Claim {
    /// It is the definition from now on.
    Granted,
    /// An earlier one stands.
    Ignored,
    /// Both are strong; the earlier one is there.
    Duplicate(Option<Location>),
}

impl Linker {
    pub fn function(&self, name: &str) -> Option<FuncId> {
        self.functions.get(name).copied()
    }

    pub fn add_function(&mut self, name: &str, id: FuncId) {
        self.functions.insert(name.to_owned(), id);
    }

    pub fn global(&self, name: &str) -> Option<VarId> {
        self.globals.get(name).copied()
    }

    pub fn add_global(&mut self, name: &str, id: VarId) {
        self.globals.insert(name.to_owned(), id);
    }

    pub fn add_constructor(&mut self, priority: u32, id: FuncId) {
        self.constructors.push((priority, id));
    }

    pub fn add_destructor(&mut self, id: FuncId) {
        self.destructor.get_or_insert(id);
    }

    /// Notes that the name need not be defined.
    pub fn add_weak(&mut self, name: Refused) {
        if !self.weak.contains(&name) {
            self.weak.push(name);
        }
    }

    /// Makes whatever mentions it unsupported.
    pub fn refuse(&mut self, what: Refused, description: String) {
        self.refused.push((what, description));
    }

    /// Whether somebody else defines a weak name is not known: its address may be null or not.
    fn refuse_undefined(&mut self, program: &mut Program) {
        for &weak in &self.weak {
            let undefined = match weak {
                Refused::AddressOf(function) => {
                    let function = &program.functions[function];
                    function.body.is_none().then_some(&function.name)
                }
                Refused::AddressOfObject(var) | Refused::Object(var) => {
                    let var = &program.vars[var];
                    (var.kind == VarKind::Global(Initial::External)).then_some(&var.name)
                }
            };
            if let Some(name) = undefined {
                let description = format!("the address of `{name}`, which is weak and defined nowhere");
                self.refused.push((weak, description));
            }
        }
        refuse(program, &self.refused);
    }

    /// Has `main` call the constructors first, in the order of their priorities. Destructors are beyond what an edge can
    /// say: a program with one starts with an unsupported edge.
    pub fn finish(mut self, program: &mut Program) {
        self.refuse_undefined(program);
        refuse_namesakes(program);
        let Some(main) = self.function("main") else { return };
        let Some(body) = &program.functions[main].body else {
            return;
        };
        if self.constructors.is_empty() && self.destructor.is_none() {
            return;
        }
        self.constructors.sort_by_key(|&(priority, _)| priority);
        let mut kinds: Vec<(FuncId, EdgeKind)> = self
            .constructors
            .iter()
            .map(|&(_, id)| {
                (
                    id,
                    EdgeKind::Call {
                        result: None,
                        callee: Callee::Direct(id),
                        arguments: Vec::new(),
                    },
                )
            })
            .collect();
        if let Some(id) = self.destructor {
            let what = "a function that runs after `main`".to_owned();
            program.notes.push(Note {
                message: format!("unsupported: {what}"),
                span: program.functions[id].span,
            });
            kinds.push((id, EdgeKind::Unsupported { what }));
        }
        let mut entry = body.entry;
        for (id, kind) in kinds.into_iter().rev() {
            let before = program.add_loc(main);
            let span = program.functions[id].span;
            program.add_edge(before, entry, kind, span);
            if let Some(body) = &mut program.functions[main].body {
                body.locs.insert(0, before);
                body.entry = before;
            }
            entry = before;
        }
    }

    pub fn claim(&mut self, name: &str, strength: Strength, location: Option<Location>) -> Claim {
        match self.definitions.get(name) {
            Some(old) if old.strength == Strength::Strong && strength == Strength::Strong => {
                Claim::Duplicate(old.location.clone())
            }
            Some(old) if old.strength >= strength => Claim::Ignored,
            _ => {
                self.definitions
                    .insert(name.to_owned(), Definition { strength, location });
                Claim::Granted
            }
        }
    }
}

/// A function that is declared otherwise than the library's of its name, and defined nowhere: all that reads the table takes it
/// for the library's, so that its calls have no meaning.
fn refuse_namesakes(program: &mut Program) {
    let namesakes: Vec<FuncId> = program
        .functions
        .iter()
        .filter(|(_, function)| {
            let is_open = function.body.is_none() && !function.is_static;
            is_open && library::is_another(program, &function.name, function.ty)
        })
        .map(|(id, _)| id)
        .collect();
    for function in namesakes {
        let name = &program.functions[function].name;
        let what = format!(
            "a call of `{name}`, which is declared otherwise than the library's function of that name"
        );
        refuse_calls(program, function, &what);
    }
}
