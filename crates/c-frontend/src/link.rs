//! Names that several files share. An external name is one entity of the program whichever file declares it; two files
//! that both define it are an error, except where C says that definitions merge or give way.

use program::{FuncId, VarId};
use rustc_hash::FxHashMap;

use crate::diagnostic::Location;

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
