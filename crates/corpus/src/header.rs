//! The first lines of a file: which commands are run, with which flags, and by which engines.

use crate::test::Mistake;

/// The command that a file is given to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Check,
    Run,
}

impl Command {
    pub fn name(self) -> &'static str {
        match self {
            Command::Check => "check",
            Command::Run => "run",
        }
    }
}

/// One line `// check: FLAGS`, or `// check NAME: FLAGS` where a file has several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub command: Command,
    pub name: Option<String>,
    pub flags: Vec<String>,
}

impl Run {
    /// The flags for the data models that it is run with: both, unless the file names one.
    pub fn models(&self) -> &'static [&'static str] {
        match self.flags.iter().any(|flag| flag == "--32" || flag == "--64") {
            true => &[""],
            false => &["--32", "--64"],
        }
    }
}

#[derive(Debug, Default)]
pub struct Header {
    pub runs: Vec<Run>,
    /// The engines that the file is for; `None`: all.
    pub engines: Option<Vec<String>>,
    /// How many lines it has.
    pub lines: usize,
}

/// Whether a line looks like one of a header.
pub fn is_header(line: &str) -> bool {
    let Some(comment) = line.trim().strip_prefix("//") else {
        return false;
    };
    let Some((words, _)) = comment.split_once(':') else {
        return false;
    };
    let mut words = words.split_whitespace();
    let known = matches!(words.next(), Some("check" | "run" | "engines"));
    known && words.count() <= 1
}

pub fn parse(text: &str) -> Result<Header, Mistake> {
    let mut header = Header::default();
    for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        let Some(comment) = line.strip_prefix("//").filter(|_| is_header(line)) else {
            break;
        };
        let (words, rest) = comment.split_once(':').expect("a line of a header has a colon");
        let mut words = words.split_whitespace();
        let (command, name) = (words.next().unwrap_or_default(), words.next());
        header.lines = number;
        let values = words_of(rest);
        let command = match command {
            "check" => Command::Check,
            "run" => Command::Run,
            _ => {
                if header.engines.replace(values).is_some() || name.is_some() {
                    return Err(Mistake::new(number, "one line `// engines: NAMES` is enough"));
                }
                continue;
            }
        };
        let name = name.map(str::to_owned);
        if header.runs.iter().any(|run| run.name == name) {
            return Err(Mistake::new(
                number,
                "each of several runs needs a name of its own",
            ));
        }
        header.runs.push(Run {
            command,
            name,
            flags: values,
        });
    }
    match header.runs.is_empty() {
        true => Err(Mistake::new(
            1,
            "the first line is `// check: FLAGS` or `// run: FLAGS`",
        )),
        false => Ok(header),
    }
}

/// Words between blanks; one that begins with a single quote ends with the next.
fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}
