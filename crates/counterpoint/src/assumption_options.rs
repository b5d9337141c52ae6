//! The options that say what is taken for granted about everything outside of the program, and the same in words: whoever
//! reads an answer is told what it rests on.

use std::ops::RangeInclusive;

use clap::{Args, ValueEnum};
use points_to::{ObjectKind, PointsTo};
use program::{Assumptions, Callee, Edge, EdgeId, EdgeKind, External, FuncId, Id, Program};
use property::Woven;

#[derive(Args, Debug)]
pub struct AssumptionOptions {
    /// What functions without a body may do besides returning anything: write what their arguments lead to and call what they
    /// are given (arguments), nothing (pure), or also write all that left the program before (everything)
    /// [default: arguments; pure with a property file]
    #[arg(long, value_name = "WHAT", value_enum, help_heading = "What is assumed")]
    external: Option<Outside>,

    /// Pointers from outside, also as numbers, lead to memory of their own: they alias neither each other nor what left the program
    /// [default with a property file]
    #[arg(long, help_heading = "What is assumed")]
    assume_separate: bool,

    /// There is always memory left [default with a property file]
    #[arg(long, help_heading = "What is assumed")]
    malloc_never_fails: bool,

    /// A run may go on where its behaviour is undefined: no proof rests on that it ends at a null pointer or a division by zero
    /// [default with a property file]
    #[arg(long, help_heading = "What is assumed")]
    undefined_goes_on: bool,

    /// With a property file: allocation may fail, pointers from outside may alias, and a run ends at a null pointer
    #[arg(
        long,
        conflicts_with_all = ["assume_separate", "malloc_never_fails", "undefined_goes_on"],
        help_heading = "What is assumed"
    )]
    assume_nothing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Outside {
    Arguments,
    Pure,
    Everything,
}

impl AssumptionOptions {
    /// Property files come from the verification competition, whose tasks are written for its conventions.
    pub fn assumptions(&self, has_property_file: bool, entry: &str) -> Assumptions {
        let usual = match has_property_file && !self.assume_nothing {
            true => Assumptions::COMPETITION,
            false => Assumptions::NONE,
        };
        let external = self.external.map(|outside| match outside {
            Outside::Arguments => External::Arguments,
            Outside::Pure => External::Pure,
            Outside::Everything => External::Everything,
        });
        Assumptions {
            external: external.unwrap_or(usual.external),
            separate: usual.separate || self.assume_separate,
            allocation_succeeds: usual.allocation_succeeds || self.malloc_never_fails,
            // Whoever calls another function than `main` can name the variables of its file.
            globals_are_private: entry == "main",
            undefined_ends: usual.undefined_ends && !self.undefined_goes_on,
        }
    }
}

/// Each thing that an answer rests on.
pub fn describe(woven: &Woven, points_to: &PointsTo) -> Vec<String> {
    let program = &woven.program;
    let mut assumed = Vec::new();
    let does = match program.assumptions.external {
        External::Arguments => {
            "returns anything, may write what its arguments lead to, calls only functions passed to it"
        }
        External::Pure => "returns anything and does nothing else",
        External::Everything => {
            "returns anything, may write all that left the program, calls only functions passed to it"
        }
    };
    let (mut allocates, mut chooses_locale) = (false, false);
    for function in called(program, points_to) {
        let name = &program.functions[function].name;
        let row = library::of(name).function;
        allocates |= row.allocates();
        chooses_locale |= row.name == "setlocale";
        // With a dollar sign it is a choice of one of the others.
        if row.is_unknown() && !is_error(woven, function) && !name.contains('$') {
            assumed.push(format!("{name} (no body): {does}"));
        }
    }
    if program.stranger.is_some() && calls_strangers(program, points_to) {
        assumed.push(format!(
            "functions that pointers lead to and that are not known: {does}"
        ));
    }
    if program.stranger.is_some() && leaves_functions_out(program, points_to) {
        assumed.push(
            "calls through pointers pass as many arguments as the functions take that they lead to"
                .to_owned(),
        );
    }
    if allocates && program.assumptions.allocation_succeeds {
        assumed.push("allocation never fails".to_owned());
    }
    if chooses_locale {
        assumed.push("whatever `setlocale` is told, the locale is C's".to_owned());
    }
    if program.assumptions.separate && has_outside_pointers(woven, points_to) {
        assumed.push("pointers from outside lead to memory of their own".to_owned());
    }
    if has_devices(program, points_to) {
        let ranges: Vec<String> = program.hardware.iter().map(addresses).collect();
        assumed.push(format!(
            "devices at {}: reading gives anything, writing changes no memory of the program",
            ranges.join(", ")
        ));
    }
    assumed
}

/// Whether anything that may run reads from or writes to a device.
fn has_devices(program: &Program, points_to: &PointsTo) -> bool {
    let mut functions = program
        .devices
        .iter()
        .map(|&edge| program.locs[program.edges[edge].from].function);
    functions.any(|function| points_to.is_reached(function))
}

fn addresses(range: &RangeInclusive<u64>) -> String {
    match range.start() == range.end() {
        true => format!("{:#x}", range.start()),
        false => format!("{:#x}-{:#x}", range.start(), range.end()),
    }
}

/// The functions of the program that no call leads to from its start.
pub fn not_called(woven: &Woven, points_to: &PointsTo) -> Vec<String> {
    let functions = woven.program.functions.iter();
    functions
        .filter(|&(id, function)| function.body.is_some() && !points_to.is_reached(id))
        .map(|(_, function)| function.name.clone())
        .collect()
}

/// Whether to call the function is the error that is looked for.
fn is_error(woven: &Woven, function: FuncId) -> bool {
    woven.errors.iter().any(|site| {
        let kind = &woven.program.edges[site.edge].kind;
        matches!(kind, EdgeKind::Call { callee: Callee::Direct(callee), .. } if *callee == function)
    })
}

/// The functions without a body that are called by name, in the order of their numbers.
fn called(program: &Program, points_to: &PointsTo) -> Vec<FuncId> {
    let mut called = vec![false; program.functions.len()];
    for (id, function) in program.functions.iter() {
        let Some(body) = function.body.as_ref().filter(|_| points_to.is_reached(id)) else {
            continue;
        };
        for &edge in body.locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
            if let EdgeKind::Call {
                callee: Callee::Direct(callee),
                ..
            } = program.edges[edge].kind
            {
                called[callee.index()] |= program.functions[callee].body.is_none();
            }
        }
    }
    let functions = program.functions.ids();
    functions.filter(|function| called[function.index()]).collect()
}

/// Whether a pointer comes from outside.
fn has_outside_pointers(woven: &Woven, points_to: &PointsTo) -> bool {
    points_to
        .objects()
        .any(|(_, kind)| matches!(kind, points_to::ObjectKind::Input(input, _) if !is_own(woven, input)))
}

/// What `main` is given, and what the library has, is no matter of assumptions.
fn is_own(woven: &Woven, input: points_to::Input) -> bool {
    match input {
        points_to::Input::Param(_) => woven.program.functions[woven.entry].name == "main",
        points_to::Input::Library(_) | points_to::Input::Deeper => true,
        points_to::Input::Call(edge) => match woven.program.edges[edge].kind {
            EdgeKind::Call {
                callee: Callee::Direct(callee),
                ..
            } => !library::of(&woven.program.functions[callee].name)
                .function
                .is_unknown(),
            _ => false,
        },
        points_to::Input::Global(_) | points_to::Input::Assembly(_) => false,
    }
}

/// Whether a pointer that is called through may, as far as is known of memory, hold the address of a function that takes more arguments.
fn leaves_functions_out(program: &Program, points_to: &PointsTo) -> bool {
    let may = |(edge, data): (EdgeId, &Edge)| {
        let EdgeKind::Call {
            callee: Callee::Indirect(pointer),
            ..
        } = data.kind
        else {
            return false;
        };
        let called = points_to.call_targets(program, edge).functions;
        let is_left_out = |object: ObjectKind| match object {
            ObjectKind::Function(function) => !called.contains(&function),
            _ => false,
        };
        let mut pointees = points_to.pointees(program, pointer).into_iter();
        points_to.is_reached(program.locs[data.from].function)
            && pointees.any(|pointee| is_left_out(points_to.object(pointee.object)))
    };
    program.edges.iter().any(may)
}

/// Whether a call through a pointer may lead to no function of the program.
fn calls_strangers(program: &Program, points_to: &PointsTo) -> bool {
    let may = |(edge, data): (EdgeId, &Edge)| {
        points_to.is_reached(program.locs[data.from].function) && points_to.call_targets(program, edge).other
    };
    program.edges.iter().any(may)
}
