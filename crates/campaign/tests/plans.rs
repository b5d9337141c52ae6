//! What plans say and what is wrong with them.

mod support;

use expect_test::{Expect, expect};
use support::Scripted;

fn scripted() -> Scripted {
    let scripted = Scripted::new(&[("a.c", "holds"), ("b.c", "holds"), ("both.c", "holds")]);
    scripted.write(
        "task.yml",
        "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: ./props/../unreach-call.prp\n    \
         expected_verdict: false\n  - property_file: no-overflow.prp\noptions:\n  language: C\n  data_model: ILP32\n",
    );
    scripted.write("all.set", "# tasks\n\n*.yml\n");
    scripted.write("files.set", "b*.c # as lists of tasks once were\n");
    scripted
}

/// The arguments of each check of the plan, or what is wrong with it.
fn check(text: &str, expected: Expect) {
    let scripted = scripted();
    let told = match scripted.plan(text) {
        Ok(plan) => {
            let matrix = campaign::Matrix::new(&plan, &scripted, "build").expect("programs are there");
            let cells = matrix.cells.iter();
            cells
                .map(|cell| {
                    let asked = cell
                        .expected
                        .map_or(String::new(), |expected| format!(" [{expected}]"));
                    let arguments = cell.arguments[..cell.arguments.len() - 6].join(" ");
                    format!("{}: {arguments}{asked}\n", matrix.name(cell))
                })
                .collect()
        }
        Err(failure) => format!("{failure}\n"),
    };
    expected.assert_eq(&scripted.without_folder(&told));
}

#[test]
fn programs_times_checks_times_options() {
    check(
        "checks = ['spin-lock', 'overflow']
         [[programs]]
         files = 'FOLDER/*.c'
         exclude = 'FOLDER/bo*'
         arguments = ['-I', 'include']
         [[programs]]
         name = 'linked'
         files = ['FOLDER/both.c', 'FOLDER/a.c']
         [[options]]
         name = 'slam'
         arguments = '--engine=slam'
         [[options]]
         name = 'auto'",
        expect![[r#"
            a.c: spin-lock (slam): a.c -I include --rule spin-lock --engine=slam
            a.c: spin-lock (auto): a.c -I include --rule spin-lock
            a.c: overflow (slam): a.c -I include --check overflow --engine=slam
            a.c: overflow (auto): a.c -I include --check overflow
            b.c: spin-lock (slam): b.c -I include --rule spin-lock --engine=slam
            b.c: spin-lock (auto): b.c -I include --rule spin-lock
            b.c: overflow (slam): b.c -I include --check overflow --engine=slam
            b.c: overflow (auto): b.c -I include --check overflow
            linked: spin-lock (slam): both.c a.c --rule spin-lock --engine=slam
            linked: spin-lock (auto): both.c a.c --rule spin-lock
            linked: overflow (slam): both.c a.c --check overflow --engine=slam
            linked: overflow (auto): both.c a.c --check overflow
        "#]],
    );
}

#[test]
fn tasks_bring_what_they_ask_for() {
    let asked = expect![[r#"
        task: unreach-call: a.c --32 --property unreach-call.prp [false]
        task: no-overflow: a.c --32 --property no-overflow.prp
    "#]];
    check("[[programs]]\nfiles = 'FOLDER/all.set'", asked);
    check(
        "checks = ['overflow']\n[[programs]]\nfiles = 'FOLDER/files.set'",
        expect![[r#"
            b.c: overflow: b.c --check overflow
            both.c: overflow: both.c --check overflow
        "#]],
    );
    check(
        "checks = ['tasks', { name = 'label', arguments = ['--error-label', 'ERROR'] }]
         [[programs]]
         files = ['FOLDER/task.yml', 'FOLDER/b.c']",
        expect![[r#"
            task: label: a.c --32 --error-label ERROR
            task: unreach-call: a.c --32 --property unreach-call.prp [false]
            task: no-overflow: a.c --32 --property no-overflow.prp
            b.c: label: b.c --error-label ERROR
        "#]],
    );
}

#[test]
fn targets_are_programs() {
    check(
        "checks = ['my.rule']\n[[programs]]\ncompile-commands = 'build'\ntargets = 'server'",
        expect![[r#"
            server: my: -p build --target server --rule my.rule
        "#]],
    );
    check(
        "checks = ['overflow']\n[[programs]]\ncompile-commands = 'build'\ntargets = ['servant']",
        expect![[r#"
            build: there is no target `servant`
        "#]],
    );
}

#[test]
fn what_is_wrong_is_said() {
    check(
        "checks = ['spin-lock']",
        expect![[r#"
            the plan names no program
        "#]],
    );
    check(
        "[[programs]]\nfiles = 'FOLDER/*.c'",
        expect![[r#"
            the plan names nothing to check: `checks` takes rules, property files, `assertions`, `overflow` and the like
        "#]],
    );
    check(
        "checks = ['spinlock']\n[[programs]]\nfiles = 'FOLDER/*.c'",
        expect![[r#"
            checks: there is no rule and no kind of check `spinlock`; `counterpoint rules` lists the rules, a file is named with its ending
        "#]],
    );
    check(
        "checks = ['spin-lock']\n[[programs]]\nfiles = 'FOLDER/x/*.c'",
        expect![[r#"
            the pattern `x/*.c` matches no file
        "#]],
    );
    check(
        "checks = ['spin-lock']\n[[programs]]\nfiles = ['FOLDER/a.c', 'FOLDER/c.c']",
        expect![[r#"
            c.c: no such file
        "#]],
    );
    check(
        "checks = ['spin-lock', 'mutex', 'spin-lock']\n[[programs]]\nfiles = 'FOLDER/a.c'",
        expect![[r#"
            checks: `spin-lock` stands there twice
        "#]],
    );
    check(
        "checks = ['tasks']\n[[programs]]\nfiles = 'FOLDER/a.c'",
        expect![[r#"
            checks: `tasks` is for task files (.yml), and there is none
        "#]],
    );
    check(
        "checks = ['mutex']\n[[programs]]\nfiles = 'FOLDER/a.c'\n[[programs]]\nfiles = 'FOLDER/a.c'\narguments = '--32'",
        expect![[r#"
            two different programs are called `a.c`: give one of them another `name`
        "#]],
    );
    check(
        "checks = ['mutex']\n[limits]\ntime = '3 days'\n[[programs]]\nfiles = 'FOLDER/a.c'",
        expect![[r#"
            limits: time: `days` is no unit of time: use ms, s, min or h
        "#]],
    );
    check(
        "check = ['mutex']",
        expect![[r#"
            TOML parse error at line 1, column 1
              |
            1 | check = ['mutex']
              | ^^^^^
            unknown field `check`, expected one of `name`, `results`, `programs`, `checks`, `options`, `limits`, `slurm`
        "#]],
    );
}
