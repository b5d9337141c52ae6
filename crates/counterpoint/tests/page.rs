//! `--report`: the page in a real browser. Each test appends a script to the page that uses it as a person would, by keys and clicks,
//! and writes down what it sees; the browser is asked for the page that comes of it.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect;
use support::{Printed, counterpoint, folder};

/// The page about a program.
fn page(name: &str, text: &str, flags: &[&str]) -> PathBuf {
    let folder = folder(name, &[("program.c", text)]);
    let arguments: Vec<&str> = ["check", "program.c", "--report", "page.html"]
        .into_iter()
        .chain(flags.iter().copied())
        .collect();
    let printed = counterpoint(&folder, &arguments);
    let page = folder.join("page.html");
    assert!(page.exists(), "{}", printed.all());
    page
}

/// What a script writes by `say` when it is run at the end of the page, in a window of this width.
fn seen(page: &Path, width: u32, script: &str) -> String {
    let text = std::fs::read_to_string(page).expect("the page was written");
    let (before, after) = text.rsplit_once("</body>").expect("a page has an end");
    let driven = page.with_file_name("driven.html");
    let driver = format!(
        "<pre id=\"seen\"></pre><script>{{\n\
         const say = (...words) => find(\"seen\").append(words.join(\" \") + \"\\n\");\n\
         window.onerror = (message) => say(\"error:\", message);\n\
         const settled = async () => {{ for (let at = 0; at < 5; at++) await null; }};\n\
         const press = (key, on = document.body) => on.dispatchEvent(new KeyboardEvent(\"keydown\", {{ key, bubbles: true, cancelable: true }}));\n\
         const all = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent.trim());\n\
         (async () => {{\n{script}\n}})().catch((error) => say(\"error:\", error));\n}}</script>"
    );
    std::fs::write(&driven, format!("{before}{driver}</body>{after}")).expect("the folder can be written to");
    let profile = page.with_file_name("profile");
    let mut browser = Command::new(browser());
    browser
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ])
        .args([
            "--virtual-time-budget=10000",
            "--run-all-compositor-stages-before-draw",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={width},900"))
        .arg("--dump-dom")
        .arg(format!("file://{}", driven.display()));
    let printed = Printed::of(&mut browser);
    let seen = printed.output.split("<pre id=\"seen\">").nth(1);
    let seen = seen.and_then(|text| text.split("</pre>").next());
    let seen = seen.unwrap_or_else(|| panic!("{}", printed.all()));
    seen.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// Chromium by one of its names.
fn browser() -> &'static str {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    names.into_iter().find(is_there).unwrap_or("chromium")
}

const FAILS: &str = "extern int nondet(void);
extern void reach_error(void);
int last;
static int twice(int x) {
    last = x;
    return 2 * x;
}
int main(void) {
    int unused = 1;
    int n = nondet();
    if (twice(n) == 14)
        reach_error();
    return unused;
}
";

#[test]
fn a_run_is_stepped_through_by_keys_and_mouse() {
    let page = page("stepped", FAILS, &["--engine", "slam"]);
    let script = r##"
        const tell = () => say(find("count").textContent, "|", all(".source .now mark").join(), "|", all("#stack li").join("; "),
            "|", all("#values tr").map((row) => row.replace(/\s+/g, " ")).join("; "), "|", all("#values .changed td:first-child").join());
        say(document.querySelector(".verdict").textContent, "|", document.querySelector("h1").textContent);
        tell();
        for (let at = 0; at < 20 && !find("next").disabled; at++) {
            press(at % 2 ? "j" : "ArrowRight");
            tell();
        }
        find("back").click();
        say("back:", find("count").textContent);
        press("Home");
        say("home:", find("count").textContent, find("back").disabled);
        press("e");
        say("all:", find("count").textContent, find("only").checked);
        press("End");
        say("end:", find("count").textContent, location.hash);
        document.querySelector("#steps .row").click();
        say("clicked:", find("count").textContent);
        find("only").click();
        say("filtered:", find("count").textContent);
        say("inputs:", all("#inputs-items td").join(" "));
        say("remarks:", all("#remarks li").join(" "));
    "##;
    expect![[r#"
        FALSE | call of `reach_error` at program.c:12
        step 1 of 8 | nondet() | main at program.c:10 | unused1 | 
        step 2 of 8 | nondet() | main at program.c:10 | unused1; n7 | n
        step 3 of 8 | twice(n) | main at program.c:11 | unused1; n7 | 
        step 4 of 8 | twice(n) | main at program.c:11 | unused1; n7 | 
        step 5 of 8 | return 2 * x; | twice at program.c:6; main at program.c:11 | x7; last7global | 
        step 6 of 8 | twice(n) | main at program.c:11 | unused1; n7; last7global | 
        step 7 of 8 | twice(n) == 14 | main at program.c:11 | unused1; n7; last7global | 
        step 8 of 8 | reach_error() | main at program.c:12 | unused1; n7; last7global | 
        back: step 7 of 8
        home: step 1 of 8 true
        all: step 2 of 10 false
        end: step 10 of 10 #step=10
        clicked: step 1 of 10
        filtered: step 1 of 8
        inputs: program.c:10 int 7
        remarks: Violated: call of `reach_error`.
    "#]]
    .assert_eq(&seen(&page, 1280, script));
}

#[test]
fn the_test_can_be_copied() {
    let page = page("copied", FAILS, &["--engine", "slam"]);
    let script = r##"
        let copied = "";
        Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { copied = text; } } });
        find("copy").click();
        await settled();
        say(find("copied").textContent, copied === find("test-text").textContent);
        say(copied.split("\n")[0]);
    "##;
    expect![[r#"
        Copied. true
        // Reproduces: call of `reach_error` at program.c:12.
    "#]]
    .assert_eq(&seen(&page, 1280, script));
}

#[test]
fn what_a_proof_rests_on_is_shown() {
    let text = "extern int nondet(void);
extern void reach_error(void);
static int never(void) { return 1; }
int main(void) {
    int held = 0;
    while (nondet()) {
        if (held) reach_error();
        held = 1;
        held = 0;
    }
    return 0;
}
";
    let page = page("proved", text, &["--engine", "slam"]);
    let script = r##"
        say(document.querySelector(".verdict").textContent, "|", document.querySelector("h1").textContent);
        say("holds:", all("#invariants-items li").join("; "));
        say("beside the source:", all(".holds").join("; "));
        say("assumed:", all("#assumptions-items li").join("; "));
        say("not reached:", find("functions-count").textContent, all("#functions-items li").join());
        say("stepper:", document.getElementById("run") !== null, "test:", !find("test").hidden);
        say("rounds:", document.querySelectorAll("#attempts svg circle").length === page.attempts[0].rounds.length,
            document.querySelectorAll("#attempts tbody tr").length === page.attempts[0].rounds.length);
        say("learned:", all("#attempts pre").join("; "));
    "##;
    expect![[r#"
        TRUE | No run violates unreach-call
        holds: program.c:6 in main: held == 0
        beside the source: holds: held == 0
        assumed: nondet (no body): returns anything, may write what its arguments lead to, calls only functions passed to it
        not reached: Not reached from the start: 1 of the program's functions. never
        stepper: false test: false
        rounds: true true
        learned: predicate of main: held == 0
    "#]].assert_eq(&seen(&page, 1280, script));
}

#[test]
fn without_an_answer_there_is_the_reason_and_what_may_be_a_run() {
    let text = "#include <time.h>
extern void reach_error(void);
int main(void) {
    time_t start = 0;
    struct tm *day = localtime(&start);
    if (day && day->tm_hour == 3)
        reach_error();
    return 0;
}
";
    let page = page("possible", text, &["--engine", "slam"]);
    let script = r##"
        say(document.querySelector(".verdict").textContent, "|", document.querySelector("h1").textContent.slice(0, 10));
        say(find("run-title").textContent, "|", find("only").disabled);
        press("End");
        say(all(".source .now mark").join(), "|", all("#remarks li").join("; "));
    "##;
    expect![[r#"
        UNKNOWN | No answer:
        A possible run, not confirmed | true
        reach_error() | It would violate: call of `reach_error`.
    "#]]
    .assert_eq(&seen(&page, 1280, script));
}

#[test]
fn a_long_run_is_drawn_only_where_it_is_seen() {
    let text = "extern int nondet(void);
extern void reach_error(void);
int main(void) {
    unsigned n = nondet(), sum = 0;
    for (unsigned i = 0; i < 4000; i++)
        sum += i & n;
    if (sum + n > 3)
        reach_error();
    return 0;
}
";
    let page = page("long", text, &["--engine", "sampling"]);
    let script = r##"
        press("e");
        press("e");
        if (find("only").checked) press("e");
        const count = run.shown().length;
        const drawn_rows = () => document.querySelectorAll("#steps .row").length;
        say("many:", count > 10000, "few:", drawn_rows() < 60);
        press("End");
        say("last:", find("count").textContent === `step ${count} of ${count}`, drawn_rows() < 60,
            document.querySelector("#steps [aria-selected=true]").textContent.trim().endsWith("reach_error()"));
        find("steps").scrollTop = 0;
        // A frame later the browser would tell it so.
        find("steps").dispatchEvent(new Event("scroll"));
        say("first row:", document.querySelector("#steps .row .number").textContent);
        run.go(5000);
        const selected = document.querySelector("#steps [aria-selected=true]");
        const box = selected.getBoundingClientRect(), list = find("steps").getBoundingClientRect();
        say("in view:", box.top >= list.top && box.bottom <= list.bottom, selected.getAttribute("aria-posinset"));
    "##;
    expect![[r#"
        many: true few: true
        last: true true true
        first row: 1
        in view: true 5001
    "#]]
    .assert_eq(&seen(&page, 1280, script));
}

#[test]
fn narrow_windows_and_both_themes_are_readable() {
    let page = page("narrow", FAILS, &["--engine", "slam"]);
    let script = r##"
        // A browser's window is not as narrow as a telephone's; the page can be made so.
        document.documentElement.style.width = "400px";
        const within = ".list, .scroll, pre, svg, .skip";
        const wide = [...document.querySelectorAll("body *")]
            .filter((element) => !element.closest(within) && element.getBoundingClientRect().right > 400);
        say("wider than 400:", wide.map((element) => element.id || element.tagName).join());
        const brightness = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number).reduce((sum, part) => sum + part) / 3;
        for (let at = 0; at < 2; at++) {
            find("theme").click();
            const { color, backgroundColor } = getComputedStyle(document.body);
            say(find("theme").textContent, brightness(backgroundColor) > brightness(color) ? "dark on bright" : "bright on dark",
                Math.abs(brightness(backgroundColor) - brightness(color)) > 150);
        }
        say("landmarks:", ["header", "main", "footer"].every((name) => document.querySelectorAll(name).length === 1));
        say("sections without a name:", [...document.querySelectorAll("section")]
            .filter((section) => !find(section.getAttribute("aria-labelledby"))?.textContent).length);
        say("controls without a name:", [...document.querySelectorAll("button, input, select")]
            .filter((control) => !(control.textContent.trim() || control.getAttribute("aria-label") || control.closest("label"))).length);
        say("from elsewhere:", document.querySelectorAll("[src], link, [href^=http]").length);
    "##;
    expect![[r#"
        wider than 400: 
        Theme: light dark on bright true
        Theme: dark bright on dark true
        landmarks: true
        sections without a name: 0
        controls without a name: 0
        from elsewhere: 0
    "#]]
    .assert_eq(&seen(&page, 400, script));
}

#[test]
fn text_of_the_program_is_no_markup() {
    let text = "extern int nondet(void);
extern void reach_error(void);
/* </script><script>document.title = 'taken'</script> \u{e9}\u{1f600} {verdict} */
int main(void) {
    int a = nondet(); /* \u{e9} */ if (a < 3) reach_error();
    return 0;
}
";
    let page = page("markup", text, &["--engine", "slam"]);
    let script = r##"
        press("End");
        say(document.title, "|", all(".source .now mark").join());
        say(all(".source .row")[2]);
    "##;
    expect![[r#"
        FALSE: program.c | reach_error()
        3/* </script><script>document.title = 'taken'</script> é😀 {verdict} */
    "#]]
    .assert_eq(&seen(&page, 1280, script));
}
