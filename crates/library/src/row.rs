//! Reads the notation of the table. A row that does not read is a bug of the table's: it panics, and a test reads all rows.

use program::UnaryOp;

use crate::function::{
    Block, Callback, Copies, Ends, Extent, FloatFunction, Format, Function, Global, Meaning, Parameter,
    Passed, Registers, Returns, Rounding, Stores, When,
};

/// A row, and all names of the function.
pub(crate) fn read(line: &'static str) -> (Vec<&'static str>, Function) {
    let (head, tail) = line.split_once("->").unwrap_or_else(|| bad(line, "an arrow"));
    let mut words = head.split_whitespace();
    let names: Vec<&'static str> = words
        .next()
        .map_or(Vec::new(), |names| names.split(',').collect());
    let name = *names.first().unwrap_or_else(|| bad(line, "a name"));
    let mut clauses = tail.split(';').map(str::trim);
    let result = clauses.next().unwrap_or_else(|| bad(line, "a result"));
    let mut function = match result.strip_prefix("unsupported ") {
        Some(what) => Function {
            unsupported: Some(what.trim()),
            ..Function::plain(name, Returns::ANY)
        },
        None => Function::plain(name, returns(line, result)),
    };
    for word in words {
        match word.strip_prefix("...") {
            Some(rest) => {
                function.rest = parameter(line, rest);
                function.takes_more = true;
            }
            None => function.parameters.push(parameter(line, word)),
        }
    }
    function.sets_errno = matches!(
        function.returns,
        Returns::Input(..) | Returns::Own { .. } | Returns::New { .. } | Returns::Resized { .. }
    );
    for words in clauses {
        clause(line, &mut function, words);
    }
    (names, function)
}

fn bad(line: &str, wanted: &str) -> ! {
    panic!("the library's table: {wanted} is missing or wrong in `{line}`")
}

fn number(line: &str, text: &str) -> usize {
    text.trim().parse().unwrap_or_else(|_| bad(line, "a number"))
}

fn parameter(line: &str, word: &str) -> Parameter {
    let (kinds, extent) = match word.split_once(':') {
        Some((kinds, extent)) => (kinds, self::extent(line, extent)),
        None => (word, Extent::Unknown),
    };
    let mut parameter = Parameter::default();
    for kind in kinds.chars() {
        match kind {
            '.' => {}
            'r' => parameter.reads = Some(extent),
            'w' => parameter.writes = Some(extent),
            'i' => {
                parameter.writes = Some(extent);
                parameter.input = true;
            }
            'f' => parameter.frees = true,
            'k' => parameter.kept = true,
            'n' => parameter.or_null = true,
            't' | 's' => {
                parameter.reads = Some(Extent::String);
                parameter.format = Some(if kind == 't' { Format::Print } else { Format::Scan });
            }
            _ => bad(line, "a parameter"),
        }
    }
    parameter
}

fn extent(line: &str, text: &str) -> Extent {
    match text {
        "s" => Extent::String,
        "o" => Extent::Object,
        "*" => Extent::Unknown,
        _ => match text.split_once('*') {
            Some((a, b)) => Extent::Product(argument(line, a), argument(line, b)),
            None if text.starts_with('#') => Extent::Argument(argument(line, text)),
            None => Extent::Bytes(number(line, text) as u64),
        },
    }
}

fn argument(line: &str, text: &str) -> usize {
    number(
        line,
        text.strip_prefix('#').unwrap_or_else(|| bad(line, "an argument")),
    )
}

fn passed(line: &str, text: &'static str) -> Passed {
    let text = text.trim();
    if text.starts_with("own(") {
        return Passed::Own(parentheses(line, text));
    }
    if text == "new" {
        return Passed::New;
    }
    if let Some(at) = text.strip_prefix("@*") {
        return Passed::IntoStored(number(line, at));
    }
    match text.strip_prefix('@') {
        Some(at) => Passed::Into(number(line, at)),
        None => Passed::Argument(number(line, text)),
    }
}

fn returns(line: &'static str, text: &'static str) -> Returns {
    match text {
        "void" => return Returns::Nothing,
        "=" => return Returns::Computed,
        "." => return Returns::ANY,
        "vararg" => return Returns::VariableArgument,
        _ => {}
    }
    if let Some((low, high)) = text.split_once("..") {
        let bound = |text: &str, default: i128| match text {
            "" => default,
            _ => text.parse().unwrap_or_else(|_| bad(line, "a range")),
        };
        return Returns::Input(bound(low, i128::MIN), bound(high, i128::MAX));
    }
    if let Some((what, size)) = text.split_once(':') {
        let size = extent(line, size);
        let or_null = what.contains('?');
        return match what.split(['?', '(']).next() {
            Some("new") => Returns::New {
                size,
                zeroed: false,
                or_null,
            },
            Some("zero") => Returns::New {
                size,
                zeroed: true,
                or_null,
            },
            Some("resized") => Returns::Resized {
                block: number(line, parentheses(line, what)),
                size,
                or_null,
            },
            _ => bad(line, "a result"),
        };
    }
    let (text, or_null) = match text.strip_suffix('?') {
        Some(text) => (text, true),
        None => (text, false),
    };
    match text.split('(').next() {
        Some(own @ ("own" | "kept")) => Returns::Own {
            memory: parentheses(line, text),
            only_kept: own == "kept",
            or_null,
        },
        _ => Returns::Pointer {
            from: passed(line, text),
            or_null,
        },
    }
}

fn parentheses<'a>(line: &str, text: &'a str) -> &'a str {
    let inner = text.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    inner.map_or_else(|| bad(line, "parentheses"), |(inner, _)| inner)
}

fn callback(line: &str, text: &'static str) -> Callback {
    let Some((function, _)) = text.split_once('(') else {
        return Callback {
            function: number(line, text),
            passed: Vec::new(),
        };
    };
    let arguments = parentheses(line, text);
    let arguments = arguments.split(',').filter(|argument| !argument.is_empty());
    Callback {
        function: number(line, function),
        passed: arguments.map(|argument| passed(line, argument)).collect(),
    }
}

fn meaning(line: &str, text: &str) -> Meaning {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let range = |text: &str| match text.as_bytes() {
        &[low, b'-', high] => (low, high),
        _ => match text
            .split_once('-')
            .map(|(low, high)| (low.parse(), high.parse()))
        {
            Some((Ok(low), Ok(high))) => (low, high),
            _ => bad(line, "a range"),
        },
    };
    match word {
        "copy" => Meaning::Copy,
        "fill" => Meaning::Fill,
        "zero" => Meaning::Zero,
        "assume" => Meaning::Assume,
        "stack" => Meaning::StackMemory,
        "block" => Meaning::Block(match rest {
            "room" => Block::Room,
            "same" => Block::Same,
            "live" => Block::Live,
            "dead" => Block::Dead,
            "freeable" => Block::Freeable,
            "terminated" => Block::Terminated,
            "lost" => Block::Lost,
            "written" => Block::Written,
            "text-written" => Block::TextWritten,
            "write" => Block::Write,
            "fresh" => Block::Fresh,
            "move" => Block::Move,
            "perhaps" => Block::Perhaps,
            "aligned" => Block::Aligned,
            _ => bad(line, "a question about blocks"),
        }),
        "abs" => Meaning::Operator(UnaryOp::Abs),
        "nan" => Meaning::Operator(UnaryOp::IsNan),
        "infinite" => Meaning::Operator(UnaryOp::InfiniteSign),
        "finite" => Meaning::Operator(UnaryOp::IsFinite),
        "normal" => Meaning::Operator(UnaryOp::IsNormal),
        "down" => Meaning::Round(Rounding::Down),
        "up" => Meaning::Round(Rounding::Up),
        "toward-zero" => Meaning::Round(Rounding::TowardZero),
        "away" => Meaning::Round(Rounding::Away),
        "even" => Meaning::Round(Rounding::Even),
        "sign" => Meaning::Operator(UnaryOp::SignBit),
        "least" => Meaning::Float(FloatFunction::Least),
        "greatest" => Meaning::Float(FloatFunction::Greatest),
        "difference" => Meaning::Float(FloatFunction::Difference),
        "copy-sign" => Meaning::Float(FloatFunction::CopySign),
        "float-class" => Meaning::Float(FloatFunction::Class),
        "length" => Meaning::Length,
        "compare" => Meaning::Compare {
            strings: rest == "strings",
        },
        "find" => Meaning::Find {
            strings: rest == "strings",
        },
        "class" => Meaning::Class(rest.split(',').map(range).collect()),
        "case" => {
            let (low, high) = range(rest.split(' ').next().unwrap_or_default());
            let by = rest.split(' ').nth(1).and_then(|by| by.parse().ok());
            Meaning::Case(low, high, by.unwrap_or_else(|| bad(line, "a number")))
        }
        _ => bad(line, "a meaning"),
    }
}

fn clause(line: &'static str, function: &mut Function, words: &'static str) {
    let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
    let two = || {
        rest.trim()
            .split_once(' ')
            .unwrap_or_else(|| bad(line, "two words"))
    };
    match word {
        "errno" => function.sets_errno = true,
        "quiet" => function.sets_errno = false,
        "sure" => {
            function.never_fails = true;
            function.sets_errno = false;
        }
        "none" => function.none_is_null = true,
        "constant" => function.is_constant = true,
        "copies" => {
            let (to, from) = two();
            function.copies = Some(Copies {
                to: number(line, to),
                from: number(line, from),
            });
        }
        "stores" => {
            let (behind, what) = two();
            function.stores.push(Stores {
                behind: number(line, behind),
                what: passed(line, what),
            });
        }
        "deep" => function.deep.push(number(line, rest)),
        "keeps" => {
            let (at, memory) = two();
            function.keeps = Some((number(line, at), memory));
        }
        "own" => function.own.push(rest.trim()),
        "globals" => function.globals.extend(rest.trim().split(',').map(|global| {
            let (name, pointer) = match global.split_once('=') {
                Some((name, pointer)) => (name, Some(passed(line, pointer))),
                None => (global, None),
            };
            Global { name, pointer }
        })),
        "calls" => function.calls.push(callback(line, rest)),
        "registers" => {
            let (when, what) = two();
            let what = what.trim();
            function.registers = Some(Registers {
                when: match when {
                    "exit" => When::Exit,
                    "quick_exit" => When::QuickExit,
                    "signal" => When::Signal,
                    "thread" => When::ThreadExit,
                    "fork" => When::Fork,
                    _ => bad(line, "when"),
                },
                callback: callback(line, what.strip_prefix('*').unwrap_or(what)),
                in_record: what.starts_with('*'),
            });
        }
        "ends" => {
            function.ends = Some(match rest.trim() {
                "abort" => Ends::Abort,
                "exit" => Ends::Exit,
                "quick" => Ends::QuickExit,
                "now" => Ends::Now,
                "error" => Ends::Error,
                "jump" => Ends::Jump,
                "thread" => Ends::Thread,
                "never" => Ends::Undefined,
                _ => bad(line, "an end"),
            });
        }
        "is" => {
            function.meaning = Some(meaning(line, rest.trim()));
            // The stack does not say that it is used up.
            function.sets_errno &= function.meaning != Some(Meaning::StackMemory);
        }
        "may" => function.may_end = true,
        "reserved" => function.reserved = true,
        "builtin" => function.is_builtin = true,
        "most" => function.at_most = Some(argument(line, rest.trim())),
        "chk" => function.checked = rest.split(',').map(|at| number(line, at)).collect(),
        "unsupported" => function.unsupported = Some(rest.trim()),
        _ => bad(line, "a clause"),
    }
}
