//! What a compiler's command line says about the meaning of a program. Options that change it are followed, all others are the
//! compiler's business; what changes it in a way that has no meaning here is kept, for the caller to refuse.

use std::path::Path;

use program::DataModel;

use crate::Options;

/// The machine that a compiler's name or options speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// As it is written, such as `arm-none-eabi`.
    pub name: String,
    /// What about it has no meaning here.
    pub unsupported: Option<&'static str>,
}

/// What plain types are on a machine.
struct Kind {
    model: DataModel,
    char_signed: bool,
    unsupported: Option<&'static str>,
}

/// Takes over what a compiler of this name and these options mean; paths are relative to the folder.
pub fn apply(compiler: &str, flags: &[String], directory: &Path, options: &mut Options) {
    let program = compiler.rsplit('/').next().unwrap_or(compiler);
    if let Some((triple, _)) = program.rsplit_once('-') {
        apply_machine(triple, options);
    }
    apply_flags(flags, directory, options);
}

/// Takes over what options mean.
pub fn apply_flags(flags: &[String], directory: &Path, options: &mut Options) {
    let mut rest = flags.iter();
    while let Some(argument) = rest.next() {
        let mut value = |flag: &str| match argument.strip_prefix(flag) {
            Some("") => rest.next().cloned(),
            Some(joined) => Some(joined.to_owned()),
            None => None,
        };
        if let Some(define) = value("-D") {
            options
                .undefines
                .retain(|name| Some(name.as_str()) != define.split('=').next());
            options.defines.push(define);
        } else if let Some(name) = value("-U") {
            options.undefines.push(name);
        } else if let Some(dir) = value("-isystem") {
            options.system_dirs.push(directory.join(dir));
        } else if let Some(dir) = value("-iquote").or_else(|| value("-I")) {
            options.include_dirs.push(directory.join(dir));
        } else if argument == "-include" {
            options
                .preincludes
                .extend(rest.next().map(|file| directory.join(file).display().to_string()));
        } else if let Some(standard) = argument.strip_prefix("-std=") {
            options.standard = standard.to_owned();
        } else if let Some(triple) = argument.strip_prefix("--target=") {
            apply_machine(triple, options);
        } else if argument == "-target" {
            if let Some(triple) = rest.next() {
                apply_machine(triple, options);
            }
        } else {
            apply_flag(argument, options);
        }
    }
}

/// An option that stands alone.
fn apply_flag(flag: &str, options: &mut Options) {
    match flag {
        "-m32" | "-mx32" | "-mabi=ilp32" | "-mabi=ilp32d" | "-mabi=ilp32f" | "-mabi=ilp32e" => {
            options.model = DataModel::Ilp32;
        }
        "-m64" | "-mabi=lp64" | "-mabi=lp64d" | "-mabi=lp64f" => options.model = DataModel::Lp64,
        "-ansi" => options.standard = "c90".to_owned(),
        "-funsigned-char" | "-fno-signed-char" => options.char_signed = false,
        "-fsigned-char" | "-fno-unsigned-char" => options.char_signed = true,
        "-fshort-enums" => options.short_enums = true,
        "-fno-short-enums" => options.short_enums = false,
        _ if CHANGING.iter().any(|start| flag.starts_with(start)) => {
            options.not_followed.push(flag.to_owned())
        }
        _ => {}
    }
}

/// Options that change the meaning of programs in a way that is not followed.
const CHANGING: [&str; 8] = [
    "-fpack-struct",
    "-fshort-wchar",
    "-fshort-double",
    "-mms-bitfields",
    "-mbig-endian",
    "-mint8",
    "-m16",
    "-mabi=n32",
];

fn apply_machine(triple: &str, options: &mut Options) {
    let Some(kind) = kind(triple) else {
        return;
    };
    options.model = kind.model;
    options.char_signed = kind.char_signed;
    // Where there is no operating system, ARM's rules for procedure calls have small enumerations.
    options.short_enums = triple.starts_with("arm") && triple.contains("none") && !triple.contains("linux");
    options.machine = Some(Machine {
        name: triple.to_owned(),
        unsupported: kind.unsupported,
    });
}

/// What is known of a machine by its triple, which compilers have before their own name.
fn kind(triple: &str) -> Option<Kind> {
    use DataModel::{Ilp32, Lp64};
    const BIG: Option<&str> = Some("its words have their high bytes first");
    const SMALL: Option<&str> = Some("its `int` has 16 bits");
    let mut parts = triple.split('-');
    let architecture = parts.next()?;
    let is_windows = parts.any(|part| part.starts_with("mingw") || part.starts_with("windows"));
    let starts = |starts: &[&str]| starts.iter().any(|start| architecture.starts_with(start));
    let (model, char_signed, unsupported) = match architecture {
        "x86_64" | "amd64" if is_windows => (Lp64, true, Some("its `long` has 32 bits, its pointers 64")),
        "x86_64" | "amd64" => (Lp64, true, None),
        "i386" | "i486" | "i586" | "i686" => (Ilp32, true, None),
        "armeb" | "aarch64_be" => (Ilp32, false, BIG),
        "aarch64" | "arm64" => (Lp64, false, None),
        _ if starts(&["arm", "thumb"]) => (Ilp32, false, None),
        _ if starts(&["riscv32", "rv32"]) => (Ilp32, false, None),
        _ if starts(&["riscv64", "rv64"]) => (Lp64, false, None),
        _ if starts(&["loongarch64"]) => (Lp64, true, None),
        "mipsel" => (Ilp32, true, None),
        "mips64el" => (Lp64, true, None),
        "powerpc64le" | "ppc64le" => (Lp64, false, None),
        _ if starts(&["xtensa"]) => (Ilp32, false, None),
        _ if starts(&["avr", "msp430", "pic", "rl78", "m68hc1"]) => (Ilp32, true, SMALL),
        _ if starts(&["mips", "powerpc", "ppc", "sparc", "s390", "m68k", "hppa"]) => (Ilp32, true, BIG),
        _ => return None,
    };
    Some(Kind {
        model,
        char_signed,
        unsupported,
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn applied(command: &str) -> Options {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let mut options = Options::default();
        apply(&words[0], &words[1..], Path::new("build"), &mut options);
        options
    }

    #[test]
    fn options_that_change_meaning_are_taken_over() {
        let options =
            applied("gcc -O2 -DA=1 -U B -Iinc -isystem sys -m32 -std=c99 -fshort-enums -Wall -c f.c");
        assert_eq!(options.defines, ["A=1"]);
        assert_eq!(options.undefines, ["B"]);
        assert_eq!(options.include_dirs, [PathBuf::from("build/inc")]);
        assert_eq!(options.system_dirs, [PathBuf::from("build/sys")]);
        assert_eq!(options.model, DataModel::Ilp32);
        assert_eq!(options.standard, "c99");
        assert!(options.short_enums && options.char_signed);
        assert_eq!(options.not_followed, [""; 0]);
        let packed = applied("gcc -fpack-struct=1 -funsigned-char f.c");
        assert_eq!(packed.not_followed, ["-fpack-struct=1"]);
        assert!(!packed.char_signed);
    }

    #[test]
    fn machines_are_known_by_the_names_of_their_compilers() {
        let said = |command: &str| {
            let options = applied(command);
            let machine = options.machine.as_ref();
            format!(
                "{:?} {} {} {:?}",
                options.model,
                if options.char_signed { "signed" } else { "unsigned" },
                if options.short_enums { "small" } else { "int" },
                machine.map(|machine| (machine.name.as_str(), machine.unsupported.is_some())),
            )
        };
        assert_eq!(said("cc f.c"), "Lp64 signed int None");
        assert_eq!(
            said("/opt/bin/arm-none-eabi-gcc -mcpu=cortex-m4 f.c"),
            "Ilp32 unsigned small Some((\"arm-none-eabi\", false))"
        );
        assert_eq!(
            said("clang --target=riscv64-unknown-elf -funsigned-char f.c"),
            "Lp64 unsigned int Some((\"riscv64-unknown-elf\", false))"
        );
        assert_eq!(said("avr-gcc f.c"), "Ilp32 signed int Some((\"avr\", true))");
        assert_eq!(
            said("x86_64-w64-mingw32-gcc f.c"),
            "Lp64 signed int Some((\"x86_64-w64-mingw32\", true))"
        );
        // A name that is none of a machine's.
        assert_eq!(said("my-gcc f.c"), "Lp64 signed int None");
    }
}
