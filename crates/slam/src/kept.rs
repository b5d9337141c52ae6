//! Which variables of a Boolean program a procedure leaves alone, whatever it calls. Reachability passes them by: they have no
//! values at entry of their own. What such a variable says is about storage that the function may change all the same, as long
//! as that makes no difference (`a[1] = 3` to `a[0] == 5`): that it is the same as at the entry is worth saying then.

use std::collections::BTreeSet;

use boolean_program::{ProcId, Program, Statement, StatementKind, VarId};

/// For each procedure the globals that neither it nor what it calls assigns.
pub(crate) fn kept_globals(program: &Program) -> Vec<Vec<VarId>> {
    let mut assigned: Vec<BTreeSet<VarId>> = Vec::with_capacity(program.procedures.len());
    let mut calls: Vec<BTreeSet<ProcId>> = Vec::with_capacity(program.procedures.len());
    for procedure in &program.procedures {
        let (mut targets, mut callees) = (BTreeSet::new(), BTreeSet::new());
        collect(&procedure.body, &mut targets, &mut callees);
        assigned.push(targets);
        calls.push(callees);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (caller, callees) in calls.iter().enumerate() {
            for callee in callees {
                let from_callee: Vec<VarId> = assigned[callee.index()].iter().copied().collect();
                let before = assigned[caller].len();
                assigned[caller].extend(from_callee);
                changed |= assigned[caller].len() > before;
            }
        }
    }
    assigned
        .iter()
        .map(|assigned| {
            let globals = program.globals.iter().copied();
            globals.filter(|var| !assigned.contains(var)).collect()
        })
        .collect()
}

fn collect(body: &[Statement], assigned: &mut BTreeSet<VarId>, callees: &mut BTreeSet<ProcId>) {
    let mut pending: Vec<&Statement> = body.iter().collect();
    while let Some(statement) = pending.pop() {
        match &statement.kind {
            StatementKind::Assign { targets, .. } => assigned.extend(targets),
            StatementKind::Dead(vars) => assigned.extend(vars),
            StatementKind::Call {
                procedure, results, ..
            } => {
                assigned.extend(results.iter().flatten());
                callees.insert(*procedure);
            }
            _ => {}
        }
        pending.extend(statement.blocks().into_iter().flatten());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_callees_assign_is_not_kept() {
        let text = "decl a, b, c;\nvoid main() begin f(); end\nvoid f() begin a := T; g(); end\nvoid g() begin b := F; end\n";
        let program = boolean_program::read(text, None)
            .expect("it is a Boolean program")
            .program;
        let names: Vec<Vec<&str>> = kept_globals(&program)
            .iter()
            .map(|vars| {
                vars.iter()
                    .map(|&var| program.variable(var).name.as_str())
                    .collect()
            })
            .collect();
        assert_eq!(names, [vec!["c"], vec!["c"], vec!["a", "c"]]);
    }
}
