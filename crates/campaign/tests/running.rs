//! Checks in processes of their own: what becomes of them, what is kept, and who makes which.

mod support;

use campaign::local::Ended;
use campaign::{Store, local};
use expect_test::expect;
use support::Scripted;

#[test]
fn whatever_happens_to_a_check_is_its_own_answer() {
    let scripted = Scripted::new(&[
        ("crash.c", "kill -SEGV $$"),
        ("fail.c", "fails"),
        ("hold.c", "holds"),
        ("killed.c", "kill -KILL $$"),
        ("nothing.c", "echo 'nothing to check' >&2; exit 2"),
        ("panic.c", "exit 101"),
        ("silent.c", "exit 0"),
        ("torn.c", "answer true 3"),
        ("unreadable.c", "echo 'x.c:1:1: error: this is no C' >&2; exit 2"),
        ("unsure.c", "open solver"),
    ]);
    let (table, ended) = scripted.run(&scripted.usual_plan()).expect("a campaign");
    assert_eq!(ended, Ended::Done { changed: 0 });
    expect![[r#"
        program       spin-lock
        crash.c       unknown
        fail.c        FALSE
        hold.c        true
        killed.c      unknown
        nothing.c     -
        panic.c       unknown
        silent.c      unknown
        torn.c        unknown
        unreadable.c  error
        unsure.c      unknown

        10 checks: 1 true, 1 false, 6 unknown, 1 with nothing to check, 1 that cannot be checked
        violated: fail.c: spin-lock: a.c:7: it fails
        error: unreadable.c: spin-lock: x.c:1:1: error: this is no C
        unknown because of: 4 crash, 1 internal, 1 solver
    "#]]
    .assert_eq(&table);
    assert_eq!(scripted.calls().len(), 10);
}

#[test]
fn only_what_changed_is_checked_again() {
    let scripted = Scripted::new(&[("a.c", "holds"), ("b.c", "holds"), ("c.c", "fails")]);
    let plan = scripted.usual_plan();
    let (first, _) = scripted.run(&plan).expect("a campaign");
    let (second, _) = scripted.run(&plan).expect("a campaign");
    assert_eq!(first, second);
    assert_eq!(scripted.calls().len(), 3);
    scripted.write("b.c", "fails");
    let (third, _) = scripted.run(&plan).expect("a campaign");
    expect![[r#"
        program  spin-lock
        a.c      true
        b.c      FALSE
        c.c      FALSE

        3 checks: 1 true, 2 false
        violated: b.c: spin-lock: a.c:7: it fails
        violated: c.c: spin-lock: a.c:7: it fails
    "#]]
    .assert_eq(&third);
    expect![[r#"
        a.c --rule spin-lock --time-limit 60s --memory-limit 2147483648 --jobs 1 --no-progress --no-explain
        b.c --rule spin-lock --time-limit 60s --memory-limit 2147483648 --jobs 1 --no-progress --no-explain
        b.c --rule spin-lock --time-limit 60s --memory-limit 2147483648 --jobs 1 --no-progress --no-explain
        c.c --rule spin-lock --time-limit 60s --memory-limit 2147483648 --jobs 1 --no-progress --no-explain"#]]
    .assert_eq(&scripted.calls().join("\n"));
}

#[test]
fn an_answer_about_a_file_that_changed_meanwhile_is_dropped() {
    let scripted = Scripted::new(&[("a.c", "holds"), ("b.c", "echo 'holds' > \"$file\"; holds")]);
    let plan = scripted.usual_plan();
    let (table, ended) = scripted.run(&plan).expect("a campaign");
    assert_eq!(ended, Ended::Done { changed: 1 });
    expect![[r#"
        program  spin-lock
        a.c      true
        b.c      ...

        2 checks: 1 true, 1 without an answer yet
    "#]]
    .assert_eq(&table);
    let (table, ended) = scripted.run(&plan).expect("a campaign");
    assert_eq!(ended, Ended::Done { changed: 0 });
    assert!(table.ends_with("2 checks: 2 true\n"), "{table}");
}

#[test]
fn who_asks_to_stop_loses_nothing() {
    let scripted = Scripted::new(&[("a.c", "open stopped"), ("b.c", "holds")]);
    let plan = scripted.usual_plan();
    let (_, ended) = scripted.run(&plan).expect("a campaign");
    assert_eq!(
        ended,
        Ended::Stopped,
        "the check was interrupted, so the campaign is"
    );
    scripted.write("a.c", "holds");
    let (table, _) = scripted.run(&plan).expect("a campaign");
    assert!(table.ends_with("2 checks: 2 true\n"), "{table}");
}

#[test]
fn who_ends_a_check_ends_the_campaign() {
    let scripted = Scripted::new(&[("a.c", "kill -TERM $$")]);
    let (table, ended) = scripted.run(&scripted.usual_plan()).expect("a campaign");
    assert_eq!(ended, Ended::Stopped);
    assert!(table.ends_with("1 checks: 1 without an answer yet\n"), "{table}");
}

#[test]
fn two_that_share_a_store_make_each_check_once() {
    let names: Vec<String> = (10..40).map(|number| format!("{number}.c")).collect();
    let programs: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "holds")).collect();
    // The digest is that of the text: programs have to differ.
    let texts: Vec<String> = names.iter().map(|name| format!("holds # {name}")).collect();
    let programs: Vec<(&str, &str)> = programs
        .iter()
        .zip(&texts)
        .map(|((name, _), text)| (*name, text.as_str()))
        .collect();
    let scripted = Scripted::new(&programs);
    let plan = scripted.usual_plan();
    let tables: Vec<String> = std::thread::scope(|scope| {
        let run = || scripted.run(&plan).expect("a campaign").0;
        let both = [scope.spawn(run), scope.spawn(run)];
        both.into_iter()
            .map(|one| one.join().expect("no panic"))
            .collect()
    });
    assert_eq!(tables[0], tables[1]);
    assert!(tables[0].ends_with("30 checks: 30 true\n"), "{}", tables[0]);
    assert_eq!(scripted.calls().len(), 30, "no check was made twice");
}

#[test]
fn as_many_at_a_time_as_fit() {
    let mut limits = campaign::plan::Limits::DEFAULT;
    limits.memory = u64::MAX;
    assert_eq!(local::at_a_time(&limits), 1, "nothing fits, and one has to run");
    limits.jobs = Some(7);
    assert_eq!(local::at_a_time(&limits), 7, "what the user says counts");
}

#[test]
fn a_store_of_the_future_is_refused_and_stays_as_it_is() {
    let scripted = Scripted::new(&[("a.c", "holds")]);
    let plan = scripted.usual_plan();
    scripted.run(&plan).expect("a campaign");
    let change = |sql: &str| {
        let connection = rusqlite::Connection::open(plan.store()).expect("it is a database");
        connection.execute_batch(sql).expect("it can be changed");
    };
    change("PRAGMA user_version = 2");
    let told = |result: Result<Store, campaign::Failure>| match result {
        Ok(_) => "opened".to_owned(),
        Err(failure) => scripted.without_folder(&failure.to_string()),
    };
    expect!["results/store.db: was written by a newer version of this program (format 2, and 1 is known here); nothing was changed"]
        .assert_eq(&told(Store::open(&plan.store())));
    change("PRAGMA user_version = 1");
    scripted.run(&plan).expect("a campaign");
    assert_eq!(scripted.calls().len(), 1, "the answer is still there");
    change("PRAGMA application_id = 5");
    expect!["results/store.db: is a database of another program, not a store of campaigns"]
        .assert_eq(&told(Store::open(&plan.store())));
    scripted.write("text.db", &"this is a text and no database. ".repeat(100));
    expect!["text.db: is not a database, or is damaged"]
        .assert_eq(&told(Store::open(&scripted.path("text.db"))));
}
