//! `sprintf` and `snprintf`, where the format is spelled out and plain: each character that they print is one that is written.

use program::{BinaryOp, ExprId, IntKind, Type, UnaryOp, VarId};

use super::writing::{Operand, Overlap, Use, Writing};
use crate::weave::edit::Code;

/// Longer formats are not written out.
const MOST_CHARACTERS: usize = 100;

/// Where characters go, one after the other.
struct Printed {
    to: Operand,
    at: VarId,
    /// As many are written at most, with the zero behind them.
    most: Option<ExprId>,
}

/// A part of a format.
enum Piece<'a> {
    Character(u8),
    Conversion(&'a [u8], u8),
}

/// How many characters a call prints, once that is written out; nothing if the format is not plain.
pub fn print(writing: &mut Writing<'_>, arguments: &[ExprId]) -> Option<ExprId> {
    let limited = match writing.row.name {
        "sprintf" => false,
        "snprintf" => true,
        _ => return None,
    };
    let (format, _) = writing.row.format()?;
    let text = library::literal(&writing.weaver.program, *arguments.get(format)?)?.to_vec();
    let pieces = pieces(&text)?;
    let given = arguments.get(format + 1..)?;
    if !fits(writing, &pieces, given) {
        return None;
    }
    let to = writing.operand(arguments[0]);
    let most = limited.then(|| writing.count(arguments[1]));
    let mut texts = Vec::new();
    let mut kept = Vec::new();
    for (piece, &argument) in conversions(&pieces).zip(given) {
        match piece {
            b's' => {
                let text = writing.operand(argument);
                writing.refuse_null(&text);
                match writing.overlap(&to, &text) {
                    Overlap::Never => {}
                    Overlap::Distance(_) => return None,
                    Overlap::Perhaps => writing.refuse_one_object(&to, &text),
                }
                texts.push(text);
                kept.push(argument);
            }
            _ => kept.push(writing.kept_as_it_is(argument)),
        }
    }
    let size = writing.size();
    let printed = Printed {
        to,
        at: writing.new_var(size, 0),
        most,
    };
    let (mut texts, mut kept) = (texts.into_iter(), kept.into_iter());
    for piece in &pieces {
        let code = match *piece {
            Piece::Character(character) => printed.constant(writing, character),
            Piece::Conversion(_, letter) => {
                let value = kept.next()?;
                match letter {
                    b's' => {
                        let text = texts.next()?;
                        printed.text(writing, &text)
                    }
                    b'c' => {
                        let byte = writing.byte();
                        let value = writing.weaver.program.convert(value, byte);
                        printed.put(writing, value)
                    }
                    _ => printed.number(writing, value, letter),
                }
            }
        };
        writing.code.extend(code);
    }
    printed.end(writing);
    Some(writing.get(printed.at))
}

fn pieces(text: &[u8]) -> Option<Vec<Piece<'_>>> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    let mut conversions = library::formats(text).into_iter();
    while at < text.len() {
        if text[at] != b'%' {
            pieces.push(Piece::Character(text[at]));
            at += 1;
            continue;
        }
        let (modifiers, letter) = conversions.next()?;
        pieces.push(match letter {
            b'%' if modifiers.is_empty() => Piece::Character(b'%'),
            _ => Piece::Conversion(modifiers, letter),
        });
        at += modifiers.len() + 2;
    }
    (pieces.len() <= MOST_CHARACTERS).then_some(pieces)
}

fn conversions<'a>(pieces: &'a [Piece<'_>]) -> impl Iterator<Item = u8> + 'a {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Character(_) => None,
        Piece::Conversion(_, letter) => Some(*letter),
    })
}

/// Whether the conversions are plain ones, and the arguments those that they are for.
fn fits(writing: &Writing<'_>, pieces: &[Piece<'_>], given: &[ExprId]) -> bool {
    let types = &writing.weaver.program.types;
    let mut given = given.iter();
    let mut takes = |modifiers: &[u8], letter: u8| {
        let Some(&argument) = given.next() else {
            return false;
        };
        let ty = writing.weaver.program.expr(argument).ty;
        let shape = types.int_shape(ty).filter(|_| !types.is_pointer(ty));
        let is_int = matches!(
            types.get(ty),
            Type::Int(IntKind::Int | IntKind::UInt) | Type::Enum(_)
        );
        match letter {
            b's' => modifiers.is_empty() && types.is_pointer(ty),
            b'c' => modifiers.is_empty() && is_int,
            b'd' | b'i' | b'u' | b'x' => match modifiers {
                b"" => is_int,
                b"l" => shape.is_some_and(|shape| shape.bits == types.model().pointer_bits()),
                b"ll" => shape.is_some_and(|shape| shape.bits == 64),
                _ => false,
            },
            _ => false,
        }
    };
    pieces.iter().all(|piece| match *piece {
        Piece::Character(_) => true,
        Piece::Conversion(modifiers, letter) => takes(modifiers, letter),
    })
}

impl Printed {
    /// Writes a character where there is still room by what was said, and counts it.
    fn put(&self, writing: &mut Writing<'_>, value: ExprId) -> Vec<Code> {
        let place = writing.at(&self.to, self.at, Use::Write);
        let write = Code::Assign { place, value };
        let write = match self.most {
            None => write,
            Some(most) => {
                let next = writing.moved(self.at, 1);
                Code::If {
                    condition: writing.is(BinaryOp::Lt, next, most),
                    then: vec![write],
                    otherwise: Vec::new(),
                }
            }
        };
        vec![write, writing.step(self.at)]
    }

    fn constant(&self, writing: &mut Writing<'_>, character: u8) -> Vec<Code> {
        let byte = writing.byte();
        let value = writing.weaver.program.int(i128::from(character), byte);
        self.put(writing, value)
    }

    fn text(&self, writing: &mut Writing<'_>, text: &Operand) -> Vec<Code> {
        let (size, byte) = (writing.size(), writing.byte());
        let (read, seen) = (writing.new_var(size, 0), writing.new_var(byte, 0));
        let source = writing.read(text, read, Use::Text);
        let value = writing.get(seen);
        let mut then = self.put(writing, value);
        then.push(writing.step(read));
        let condition = writing.is_set(seen);
        let body = vec![
            writing.set(seen, source),
            Code::If {
                condition,
                then,
                otherwise: Vec::new(),
            },
        ];
        vec![Code::DoWhile { body, condition }]
    }

    /// Digit by digit, from the highest that is not zero.
    fn number(&self, writing: &mut Writing<'_>, value: ExprId, letter: u8) -> Vec<Code> {
        let program = &mut writing.weaver.program;
        let bits = program
            .types
            .int_shape(program.expr(value).ty)
            .map_or(64, |shape| shape.bits);
        let (signed, unsigned) = match bits {
            ..=32 => (IntKind::Int, IntKind::UInt),
            _ => (IntKind::LongLong, IntKind::ULongLong),
        };
        let (signed, unsigned) = (program.types.int(signed), program.types.int(unsigned));
        let magnitude = writing.new_var(unsigned, 0);
        let mut code = vec![writing.set(magnitude, value)];
        if matches!(letter, b'd' | b'i') {
            let program = &mut writing.weaver.program;
            let (value, zero) = (program.convert(value, signed), program.int(0, signed));
            let negative = writing.is(BinaryOp::Lt, value, zero);
            let same = writing.get(magnitude);
            let negated = writing.weaver.program.unary(UnaryOp::Negate, same, unsigned);
            let mut then = vec![writing.set(magnitude, negated)];
            then.extend(self.constant(writing, b'-'));
            code.push(Code::If {
                condition: negative,
                then,
                otherwise: Vec::new(),
            });
        }
        let base: i128 = if letter == b'x' { 16 } else { 10 };
        let mut powers = vec![1_i128];
        while let Some(next) = powers.last().map(|last| last * base)
            && next < 1 << bits.max(32)
        {
            powers.push(next);
        }
        for &power in powers.iter().rev() {
            let digit = self.digit(writing, magnitude, power, base);
            let there = writing.weaver.program.int(power, unsigned);
            let value = writing.get(magnitude);
            match power {
                1 => code.extend(digit),
                _ => code.push(Code::If {
                    condition: writing.is(BinaryOp::Ge, value, there),
                    then: digit,
                    otherwise: Vec::new(),
                }),
            }
        }
        code
    }

    fn digit(&self, writing: &mut Writing<'_>, magnitude: VarId, power: i128, base: i128) -> Vec<Code> {
        let byte = writing.byte();
        let program = &mut writing.weaver.program;
        let ty = program.vars[magnitude].ty;
        let (value, power, base_term) = (
            program.read_var(magnitude),
            program.int(power, ty),
            program.int(base, ty),
        );
        let higher = program.binary(BinaryOp::Div, value, power, ty);
        let digit = program.binary(BinaryOp::Rem, higher, base_term, ty);
        let zero = program.int(i128::from(b'0'), ty);
        let mut character = program.binary(BinaryOp::Add, digit, zero, ty);
        if base > 10 {
            let (ten, letter) = (program.int(10, ty), program.int(i128::from(b'a') - 10, ty));
            let int = program.types.int(IntKind::Int);
            let is_digit = program.binary(BinaryOp::Lt, digit, ten, int);
            let letter = program.binary(BinaryOp::Add, digit, letter, ty);
            character = program.exprs.add(
                program::ExprKind::Conditional {
                    condition: is_digit,
                    then: character,
                    otherwise: letter,
                },
                ty,
            );
        }
        let character = program.convert(character, byte);
        self.put(writing, character)
    }

    /// The zero behind what was printed.
    fn end(&self, writing: &mut Writing<'_>) {
        let byte = writing.byte();
        let zero = writing.weaver.program.int(0, byte);
        let place = writing.at(&self.to, self.at, Use::Write);
        let write = Code::Assign { place, value: zero };
        let Some(most) = self.most else {
            return writing.code.push(write);
        };
        let size = writing.size();
        let last = writing.new_var(size, 0);
        let (none, one) = (
            writing.weaver.program.int(0, size),
            writing.weaver.program.int(1, size),
        );
        let before = writing.weaver.program.binary(BinaryOp::Sub, most, one, size);
        let at = writing.get(self.at);
        let place = writing.at(&self.to, last, Use::Write);
        let cut = vec![writing.set(last, before), Code::Assign { place, value: zero }];
        let all = Code::If {
            condition: writing.is(BinaryOp::Lt, at, most),
            then: vec![write],
            otherwise: cut,
        };
        let condition = writing.is(BinaryOp::Ne, most, none);
        writing.code.push(Code::If {
            condition,
            then: vec![all],
            otherwise: Vec::new(),
        });
    }
}
