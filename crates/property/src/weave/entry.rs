//! What a rule does at the start and the end of the program: events of the entry function, inside its body, and what
//! holds of the watched object from the start.

use program::{BinaryOp, EdgeId, EdgeKind, FuncId, IntKind, Type, VarId};

use super::Weaver;
use super::edit::Code;
use super::handler::{Occurrence, RuleVars};
use super::rules::check_arity;
use crate::rule::{EventKind, Rule};
use crate::text_error::TextError;

impl Weaver {
    /// Whoever calls the entry function hands over values of its parameters' types: of a `_Bool` there are two.
    pub fn expect_values_of_parameters(&mut self) {
        let int = self.program.types.int(IntKind::Int);
        let mut expected = Vec::new();
        for param in self.program.functions[self.entry].params.clone() {
            if matches!(self.program.types.get(self.program.vars[param].ty), Type::Bool) {
                let place = self.program.var_place(param);
                let value = self.program.read(place);
                let value = self.program.convert(value, int);
                let one = self.program.int(1, int);
                expected.push(Code::Assume(self.program.binary(BinaryOp::Le, value, one, int)));
            }
        }
        self.insert_at_entry(self.entry, &expected);
    }

    pub fn weave_entry(&mut self, rule: &Rule, vars: &RuleVars) -> Result<(), TextError> {
        let entry = self.entry;
        let name = self.program.functions[entry].name.clone();
        let params = self.program.functions[entry].params.clone();
        let mut at_entry = Vec::new();
        if let Some(watch) = &rule.watch
            && let Some(condition) = &watch.condition
        {
            let nowhere = Occurrence {
                rule,
                vars,
                handler: &rule.handlers[0],
                pattern: None,
                arguments: Vec::new(),
                result: None,
                unused: false,
            };
            at_entry.push(Code::Assume(self.value(&nowhere, condition)?));
        }
        let looks_at_end = rule
            .handlers
            .iter()
            .any(|handler| handler.event == EventKind::End);
        // Where the program calls its own entry function, only the outermost return is the end.
        let depth = (looks_at_end && self.sites.iter().any(|site| site.targets.contains(&entry)))
            .then(|| self.new_global(rule, "depth", IntKind::Int));
        if let Some(depth) = depth {
            at_entry.push(self.add_to(depth, 1));
        }
        for handler in rule
            .handlers
            .iter()
            .filter(|handler| handler.event == EventKind::Entry)
        {
            for pattern in handler.patterns.iter().filter(|pattern| pattern.function == name) {
                check_arity(rule, pattern, params.len())?;
                let arguments = params.iter().map(|&param| Some(self.program.read_var(param)));
                let occurrence = Occurrence {
                    rule,
                    vars,
                    handler,
                    pattern: Some(pattern),
                    arguments: arguments.collect(),
                    result: None,
                    unused: false,
                };
                at_entry.extend(self.handler_code(&occurrence)?);
            }
        }
        for edge in self.returns(entry) {
            let EdgeKind::Return { value } = self.program.edges[edge].kind else {
                unreachable!("a return is a return edge")
            };
            let mut code = Vec::new();
            for handler in rule
                .handlers
                .iter()
                .filter(|handler| handler.event == EventKind::Exit)
            {
                for pattern in handler.patterns.iter().filter(|pattern| pattern.function == name) {
                    check_arity(rule, pattern, params.len())?;
                    code.extend(self.handler_code(&Occurrence {
                        rule,
                        vars,
                        handler,
                        pattern: Some(pattern),
                        arguments: vec![None; params.len()],
                        result: value,
                        unused: false,
                    })?);
                }
            }
            let mut at_end = Vec::new();
            for handler in rule
                .handlers
                .iter()
                .filter(|handler| handler.event == EventKind::End)
            {
                at_end.extend(self.handler_code(&Occurrence {
                    rule,
                    vars,
                    handler,
                    pattern: None,
                    arguments: Vec::new(),
                    result: None,
                    unused: false,
                })?);
            }
            match depth {
                Some(depth) => {
                    code.push(self.add_to(depth, -1));
                    let open = self.program.read_var(depth);
                    code.push(Code::If {
                        condition: open,
                        then: Vec::new(),
                        otherwise: at_end,
                    });
                }
                None => code.extend(at_end),
            }
            self.insert_before(edge, &code);
        }
        self.insert_at_entry(entry, &at_entry);
        Ok(())
    }

    fn returns(&self, function: FuncId) -> Vec<EdgeId> {
        let body = self.program.functions[function].body.as_ref();
        let exit = body.expect("the entry function has a body").exit;
        self.program.locs[exit].incoming.clone()
    }

    /// `var = var + amount`.
    fn add_to(&mut self, var: VarId, amount: i128) -> Code {
        let place = self.program.var_place(var);
        let ty = self.program.vars[var].ty;
        let before = self.program.read(place);
        let amount = self.program.int(amount, ty);
        let value = self.program.binary(program::BinaryOp::Add, before, amount, ty);
        Code::Assign { place, value }
    }
}
