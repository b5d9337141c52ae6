//! How far a campaign is, on standard error: on a terminal a few lines that are written over and over, elsewhere each violation
//! when it is found and one line now and then.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use campaign::{Progress, Watch};

/// How often a plain log gets a line.
const PAUSE: Duration = Duration::from_secs(10);
/// Terminals that do not say how wide they are.
const WIDTH: usize = 80;

pub struct Shown {
    is_terminal: bool,
    /// How many lines are on the terminal.
    lines: usize,
    /// How many violations are in the log.
    violations: usize,
    last: Instant,
}

impl Shown {
    pub fn new() -> Shown {
        Shown {
            is_terminal: std::io::stderr().is_terminal(),
            lines: 0,
            violations: 0,
            last: Instant::now(),
        }
    }

    /// Nothing runs any more.
    pub fn end(&mut self, progress: &Progress) {
        if self.is_terminal {
            write(&self.cleared());
        }
        write(&format!(
            "{} in {}\n",
            progress.line(),
            campaign::in_words(progress.elapsed())
        ));
    }

    /// What takes away the lines that are on the terminal.
    fn cleared(&mut self) -> String {
        let up = match std::mem::take(&mut self.lines) {
            0 => String::new(),
            lines => format!("\x1b[{lines}A"),
        };
        format!("{up}\r\x1b[J")
    }
}

impl Watch for Shown {
    fn answered(&mut self, progress: &Progress) {
        if !self.is_terminal {
            for violation in &progress.violations()[self.violations..] {
                write(&format!("violated: {violation}\n"));
            }
            self.violations = progress.violations().len();
        }
    }

    fn tick(&mut self, progress: &Progress) {
        if self.is_terminal {
            let width = terminal_width();
            let lines = progress.lines(width);
            let text = self.cleared() + &lines.join("\n") + "\n";
            self.lines = lines.len();
            write(&text);
        } else if self.last.elapsed() > PAUSE {
            write(&format!("{}\n", progress.line()));
            self.last = Instant::now();
        }
    }
}

fn terminal_width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    told.or_else(|| {
        let (width, _) = terminal_size::terminal_size_of(std::io::stderr())?;
        Some(usize::from(width.0))
    })
    .unwrap_or(WIDTH)
}

fn write(text: &str) {
    let mut out = std::io::stderr().lock();
    // Nobody looks any more.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
