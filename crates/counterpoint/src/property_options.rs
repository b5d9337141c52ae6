//! The options that say what to check.

use std::path::PathBuf;
use std::sync::OnceLock;

use clap::{Args, ValueEnum};
use program::{Assumptions, Program};
use property::{
    Check, Ltl, Property, Rule, Undefined, Woven, library_rule, named_property, read_property_file,
};

use report::never_reached;

use crate::assumption_options::AssumptionOptions;
use crate::exit::Status;

/// How the message begins that a program has nothing that the property is about.
pub const NOTHING_TO_CHECK: &str = "there is nothing to check: ";

#[derive(Args, Debug)]
pub struct PropertyOptions {
    /// Check the property in this file (`.prp`, as in the verification competition), or one by its name there: `termination`,
    /// `unreach-call`, `no-overflow`, `valid-memsafety`, `valid-memcleanup`
    #[arg(
        long,
        visible_alias = "spec",
        value_name = "FILE",
        conflicts_with_all = ["rule", "error_function", "error_label", "check"],
        help_heading = "What to check"
    )]
    pub property: Option<PathBuf>,

    /// Check this rule: a name from `counterpoint rules`, or a file
    #[arg(long, value_name = "RULE", help_heading = "What to check")]
    pub rule: Vec<String>,

    /// Check that this function is never called
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    pub error_function: Vec<String>,

    /// Check that this label is never reached
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    pub error_label: Vec<String>,

    /// Check that nothing is undefined in these ways, or (assertions) that no assertion fails
    #[arg(
        long,
        value_name = "KINDS",
        value_enum,
        value_delimiter = ',',
        help_heading = "What to check"
    )]
    pub check: Vec<Kind>,

    /// Check that every run satisfies this temporal formula, such as `G("held" -> F "!held")`
    #[arg(
        long,
        value_name = "FORMULA",
        conflicts_with_all = ["property", "rule", "error_function", "error_label", "check"],
        help_heading = "What to check"
    )]
    pub ltl: Option<String>,

    /// The function that the program starts at [default: main, or what the property file says]
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    pub entry: Option<String>,

    /// What the function that the program starts at is given: what `counterpoint harness` writes, fresh objects and short arrays, or
    /// anything at all (any)
    #[arg(
        long,
        value_name = "WHAT",
        value_enum,
        default_value_t,
        help_heading = "What to check"
    )]
    pub arguments: Arguments,

    /// The file with the program around it that calls it, if there is one.
    #[arg(skip)]
    pub surrounded_by: OnceLock<String>,

    /// List all errors that no run comes to, however many there are
    #[arg(long, help_heading = "What to check")]
    pub list_unreached: bool,

    #[command(flatten)]
    assumed: AssumptionOptions,
}

/// What the function that the program starts at is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Arguments {
    #[default]
    Harness,
    Any,
}

impl PropertyOptions {
    /// What the user asks for; with nothing said, that no assertion fails and no error function is called. Errors are
    /// messages as they are to be printed.
    pub fn load(&self) -> Result<Property, String> {
        let mut property = match &self.property {
            Some(path) => {
                let name = path.display().to_string();
                let text = property_text(path)?;
                read_property_file(&name, &text).map_err(|error| error.to_string())?
            }
            None if self.says_what() => Property {
                checks: self.checks()?,
                ..Property::default()
            },
            None => Property::default(),
        };
        property.around = self.surrounded_by.get().cloned();
        match &self.entry {
            Some(_) if property.around.is_some() => property.entry = "main".to_owned(),
            Some(entry) => property.entry.clone_from(entry),
            None => {}
        }
        Ok(property)
    }

    /// The program with a property in it, which need not be what the user asks for, under what the user assumes.
    pub fn weave_other(&self, program: Program, property: &Property) -> Result<Woven, String> {
        if property.is_termination() || property.ltl().is_some() {
            return Err(
                "error: what runs do for ever is a question for `counterpoint check` only\n".to_owned(),
            );
        }

        self.weave_assuming(program, property)
    }

    /// The program for whoever asks whether its runs end, if that is what the user does; also for whether it overflows.
    pub fn weave_for_ends(&self, program: &Program) -> Option<Result<(Woven, Option<Woven>), Status>> {
        let property = self.load().ok().filter(Property::is_termination)?;
        let woven = self.assumed(program, &property)?;
        Some(woven.map(|woven| (woven, self.weave_for_overflow(program, &property))))
    }

    /// The same program for whoever asks whether its arithmetic overflows.
    pub fn weave_for_overflow(&self, program: &Program, property: &Property) -> Option<Woven> {
        let overflow = Property {
            checks: vec![Check::Undefined(Undefined::Overflow)],
            ..property.clone()
        };
        self.weave_assuming(program.clone(), &overflow).ok()
    }

    /// The program under the assumptions that the user makes.
    pub fn assuming(&self, mut program: Program, property: &Property) -> Program {
        program.assumptions = self.assumptions(property);
        program
    }

    fn assumed(&self, program: &Program, property: &Property) -> Option<Result<Woven, Status>> {
        let woven = self.weave_assuming(program.clone(), property);
        Some(woven.map_err(|message| {
            eprint!("{message}");
            Status::BadInput
        }))
    }

    /// The same of any property, what runs do for ever among them: of that there are no errors in the program.
    pub fn weave_assuming(&self, mut program: Program, property: &Property) -> Result<Woven, String> {
        program.assumptions = self.assumptions(property);
        property::weave(program, property).map_err(|error| error.to_string())
    }

    /// The program with the property in it. What is wrong with the property goes to standard error; which of it no run
    /// comes by, to standard output.
    pub fn weave(&self, program: Program) -> Result<Woven, Status> {
        let woven = self
            .load()
            .and_then(|property| self.weave_other(program, &property))
            .and_then(|woven| match self.nothing_to_check(&woven) {
                Some(message) => Err(message),
                None => Ok(woven),
            });
        let woven = woven.map_err(|message| {
            eprint!("{message}");
            Status::BadInput
        })?;
        let is_said = |property: &str| woven.unreachable.iter().any(|error| error.property == property);
        for missing in woven
            .not_applicable
            .iter()
            .filter(|missing| !is_said(&missing.property))
        {
            eprintln!("warning: {}: {}", missing.property, missing.reason);
        }
        let unreachable = woven.unreachable.iter();
        let unreachable: Vec<String> = unreachable.map(|error| error.describe(&woven.program)).collect();
        for line in never_reached(&unreachable, self.list_unreached) {
            println!("{line}");
        }
        Ok(woven)
    }

    /// Why there is no answer to what was asked: what the user named does not occur in the program, or he named nothing and
    /// nothing was found. A property file is written for many programs, and may name what one of them does not have.
    fn nothing_to_check(&self, woven: &Woven) -> Option<String> {
        if self.property.is_some() {
            return None;
        }
        let place = place(woven);
        if !self.says_what() {
            let is_empty = woven.errors.is_empty() && woven.unreachable.is_empty();
            return is_empty.then(|| {
                format!(
                    "{place}: error: {NOTHING_TO_CHECK}no assertion and no call of an error function such as \
                     `reach_error`\n  = help: say what to check by --check all, --error-function, --error-label, --rule or --property\n"
                )
            });
        }
        // Assertions among other kinds are looked for, not counted on.
        let is_optional = |property: &str| {
            property == "unreach-call" && self.check.len() > 1 && self.error_function.is_empty()
        };
        let missing: Vec<String> = woven
            .not_applicable
            .iter()
            .filter(|missing| !missing.occurs && !is_optional(&missing.property))
            .map(|missing| {
                format!(
                    "{place}: error: {NOTHING_TO_CHECK}{}: {}\n",
                    missing.property, missing.reason
                )
            })
            .collect();
        (!missing.is_empty()).then(|| missing.concat())
    }

    /// What is checked in the words of other tools, in one line; empty if they have none for it. If nothing is said, that is that no
    /// assertion fails and no error function is called, for which there is no line: it is about assertions only, or about
    /// the error function that most programs use.
    pub fn specification(&self, only_assertions: bool) -> String {
        if let Some(path) = &self.property {
            let text = property_text(path).unwrap_or_default();
            let clauses = text
                .lines()
                .map(|line| line.split("//").next().unwrap_or(line).trim());
            let clauses: Vec<&str> = clauses.filter(|clause| !clause.is_empty()).collect();
            return match clauses.as_slice() {
                [one] => (*one).to_owned(),
                _ => String::new(),
            };
        }
        let Ok(property) = self.load() else {
            return String::new();
        };
        // What is around the entry is not of the program.
        let entry = self.entry.as_ref().unwrap_or(&property.entry);
        if !self.says_what() && only_assertions {
            return format!("CHECK( init({entry}()), LTL(G assert) )");
        }
        let always = match property.checks.as_slice() {
            // Failing assertions are among what is checked if nothing is said.
            [Check::ErrorFunctions(names)] if names.iter().any(|name| name == "reach_error") => {
                "! call(reach_error())".to_owned()
            }
            [Check::ErrorFunctions(names)] if names.len() == 1 => format!("! call({}())", names[0]),
            [Check::Ltl(ltl)] => return format!("CHECK( init({entry}()), LTL({}) )", ltl.text.trim()),
            [Check::Termination] => return format!("CHECK( init({entry}()), LTL(F end) )"),
            [Check::ErrorLabel(label)] => format!("! label({label})"),
            [Check::Undefined(Undefined::Overflow)] => "! overflow".to_owned(),
            [
                Check::Undefined(
                    kind @ (Undefined::Deref | Undefined::Free | Undefined::Leak | Undefined::Cleanup),
                ),
            ] => kind.name().to_owned(),
            _ => return String::new(),
        };
        format!("CHECK( init({entry}()), LTL(G {always}) )")
    }

    /// The texts of all rules and property files that are named.
    pub fn texts(&self) -> Result<Vec<String>, String> {
        let mut texts = Vec::new();
        for name in &self.rule {
            texts.push(match library_rule(name) {
                Some(rule) => rule.text.to_owned(),
                None => read(name.as_ref())?,
            });
        }
        if let Some(path) = &self.property {
            texts.push(property_text(path)?);
        }
        Ok(texts)
    }

    /// What is taken for granted about everything outside.
    pub fn assumptions(&self, property: &Property) -> Assumptions {
        self.assumed.assumptions(self.is_file(), &property.entry)
    }

    /// The kinds of undefined behaviour that are not looked for, where the user did not say what is; none of them is ruled out.
    pub fn not_looked_for(&self) -> Option<String> {
        let kinds = Kind::value_variants().iter();
        let kinds = kinds.filter(|kind| matches!(kind.undefined(), [one] if *one != Undefined::Cleanup));
        let names = kinds.filter_map(|kind| Some(kind.to_possible_value()?.get_name().to_owned()));
        let names: Vec<String> = names.collect();
        (!self.says_what()).then(|| format!("not looked for: {}; see --check", names.join(", ")))
    }

    /// Whether a property file says what to check.
    pub fn is_file(&self) -> bool {
        self.property.is_some()
    }

    /// Whether the user said what to check.
    pub fn says_what(&self) -> bool {
        self.property.is_some()
            || self.ltl.is_some()
            || !(self.rule.is_empty()
                && self.error_function.is_empty()
                && self.error_label.is_empty()
                && self.check.is_empty())
    }

    fn checks(&self) -> Result<Vec<Check>, String> {
        let mut checks = Vec::new();
        if let Some(text) = &self.ltl {
            let ltl = Ltl::parse("--ltl", text).map_err(|error| error.to_string())?;
            checks.push(Check::Ltl(Box::new(ltl)));
        }
        let functions = self.error_function.iter();
        checks.extend(functions.map(|name| Check::ErrorFunctions(vec![name.clone()])));
        checks.extend(self.error_label.iter().cloned().map(Check::ErrorLabel));
        for name in &self.rule {
            checks.push(Check::Rule(Box::new(rule(name)?)));
        }
        for kind in &self.check {
            match kind {
                Kind::Assertions => checks.extend(Property::default().checks),
                _ => checks.extend(kind.undefined().iter().copied().map(Check::Undefined)),
            }
        }
        Ok(checks)
    }
}

/// What `--check` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// An assertion fails, or an error function is called
    Assertions,
    /// The result of an operator does not fit its signed type
    Overflow,
    /// A division or remainder by zero
    Division,
    /// A shift by an amount that is negative or too large, or of a negative value to the left
    Shift,
    /// An index past the end of an array whose length its type tells, or a negative one
    Bounds,
    /// An access through a pointer that is null, leads to what is dead, or past the end of an object
    Pointers,
    /// `free` of what no allocation gave, or of what was freed before
    Free,
    /// Allocated memory that no pointer leads to at the end
    Leaks,
    /// Allocated memory that is not freed at the end
    Cleanup,
    /// A read of what was never written
    Uninitialised,
    /// An access at an address that is no multiple of what its type needs
    Alignment,
    /// All of these but assertions and cleanup
    All,
}

impl Kind {
    fn undefined(self) -> &'static [Undefined] {
        match self {
            Kind::Assertions => &[],
            Kind::Overflow => &[Undefined::Overflow],
            Kind::Division => &[Undefined::DivisionByZero],
            Kind::Shift => &[Undefined::Shift],
            Kind::Bounds => &[Undefined::Bounds],
            Kind::Pointers => &[Undefined::Deref],
            Kind::Free => &[Undefined::Free],
            Kind::Leaks => &[Undefined::Leak],
            Kind::Cleanup => &[Undefined::Cleanup],
            Kind::Uninitialised => &[Undefined::Uninitialised],
            Kind::Alignment => &[Undefined::Alignment],
            Kind::All => &[
                Undefined::Overflow,
                Undefined::DivisionByZero,
                Undefined::Shift,
                Undefined::Bounds,
                Undefined::Deref,
                Undefined::Free,
                Undefined::Leak,
                Undefined::Uninitialised,
                Undefined::Alignment,
            ],
        }
    }
}

/// Where the program that is checked starts, for messages about all of it.
fn place(woven: &Woven) -> String {
    let entry = &woven.program.functions[woven.entry];
    match &entry.span {
        Some(span) => woven.program.sources.describe(span),
        None => entry.name.clone(),
    }
}

/// A rule of the library, or from a file.
fn rule(name: &str) -> Result<Rule, String> {
    if let Some(rule) = library_rule(name) {
        return rule.parse().map_err(|error| error.to_string());
    }
    if !name.contains(['/', '.', '\\']) {
        return Err(format!(
            "error: there is no rule `{name}`; `counterpoint rules` lists them, and a file is named with its ending\n"
        ));
    }
    let text = read(name.as_ref())?;
    Rule::parse(name, &text).map_err(|error| error.to_string())
}

/// A property file, or what stands in the one that is usually named so.
fn property_text(path: &std::path::Path) -> Result<String, String> {
    match path.to_str().and_then(named_property) {
        Some(text) if !path.exists() => Ok(text.to_owned()),
        _ => read(path),
    }
}

fn read(path: &std::path::Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("error: {}: {error}\n", path.display()))
}
