//! Whether a function that a program declares can be the library's of its name. Few names belong to the library whatever they
//! are declared as: a program may have a `panic`, `error` or `index` of its own in a file that is not there.

use program::{Program, Type, TypeId};

use crate::function::{Extent, Function, Parameter, Returns};
use crate::known;

/// Whether a function of this name and type is not the library's, as its declaration shows. Where it could be, it is.
pub fn is_another(program: &Program, name: &str, ty: TypeId) -> bool {
    // Names that begin so belong to the compiler and its library.
    let Some(row) = known(name)
        .filter(|_| !name.starts_with('_'))
        .map(|known| known.function)
    else {
        return false;
    };
    let Type::Function(declared) = program.types.get(ty) else {
        return false;
    };
    // What has no meaning anyhow gets none by this, and a declaration without parameters says nothing.
    let says_nothing = declared.params.is_empty() && declared.variadic;
    if says_nothing || row.reserved || row.unsupported.is_some() || row.registers.is_some() {
        return false;
    }
    let given = declared.params.len();
    let too_many = given > row.parameters.len() && !row.takes_more;
    let is_needed = |parameter: &Parameter| *parameter != Parameter::default();
    let too_few = !declared.variadic && row.parameters.iter().skip(given).any(is_needed);
    let mut parameters = declared.params.iter().enumerate();
    too_many
        || too_few
        || parameters.any(|(at, &ty)| !fits(program, row, row.parameter(at), ty))
        || !gives(program, row, declared.result)
}

/// Whether an argument of this type can be what the function works on.
fn fits(program: &Program, row: &Function, parameter: Parameter, ty: TypeId) -> bool {
    let types = &program.types;
    if parameter == Parameter::default() {
        // A function of numbers.
        return !(row.only_returns() && row.returns == Returns::Computed && types.is_pointer(ty));
    }
    let Some(pointee) = types.pointee(ty) else {
        return false;
    };
    let is_wide = row.name.contains("wprintf") || row.name.contains("wscanf");
    let is_text = [parameter.reads, parameter.writes].contains(&Some(Extent::String));
    !is_text || is_wide || !types.is_scalar(pointee) || types.size(pointee) == 1
}

/// Whether a result of this type can be what the function gives.
fn gives(program: &Program, row: &Function, result: TypeId) -> bool {
    let types = &program.types;
    match row.returns {
        Returns::Pointer { .. } | Returns::New { .. } | Returns::Resized { .. } | Returns::Own { .. } => {
            types.is_scalar(result)
        }
        Returns::Computed => !matches!(types.get(result), Type::Void),
        Returns::Nothing | Returns::Input(..) | Returns::VariableArgument => true,
    }
}
