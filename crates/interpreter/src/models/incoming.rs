//! Bytes that come in from outside: what a run is given where a function reads from a file, a socket or a terminal, in the form in
//! which the function delivers it.

use std::collections::BTreeMap;

use super::string::is_space;
use crate::machine::{Machine, OrEnd};
use crate::memory::Bytes;
use program::FuncId;

/// The bytes that matter to whoever gives the inputs, by their offset in a buffer.
pub(super) struct Wanted {
    bytes: BTreeMap<u64, u8>,
}

impl Wanted {
    /// Those of the given writes that lie in the buffer.
    pub fn new(given: &[(u64, Vec<u8>)], buffer: u64, size: u64) -> Wanted {
        let bytes = given.iter().flat_map(|(at, bytes)| {
            let offsets = (0..bytes.len() as u64).map(move |byte| at.wrapping_add(byte).wrapping_sub(buffer));
            offsets.zip(bytes.iter().copied())
        });
        Wanted {
            bytes: bytes.filter(|&(offset, _)| offset < size).collect(),
        }
    }

    /// So many bytes; those that do not matter are zero.
    pub fn bytes(&self, count: u64) -> Vec<u8> {
        let at = |offset: u64| self.bytes.get(&offset).copied().unwrap_or(0);
        (0..count).map(at).collect()
    }

    /// A line, as `fgets` delivers one into a buffer of this size: at least one character, none behind a newline, and a zero.
    /// `None` if there is no such line.
    pub fn line(&self, size: u64) -> Option<Vec<u8>> {
        let room = size.checked_sub(1)?;
        let newline = self.bytes.iter().find(|&(_, &byte)| byte == b'\n');
        let length = match newline {
            Some((&offset, _)) => offset + 1,
            None => {
                let last = self.bytes.iter().rfind(|&(_, &byte)| byte != 0);
                last.map_or(1, |(&offset, _)| offset + 1).min(size)
            }
        };
        let length = match room {
            0 => 0,
            _ => length,
        };
        let ends = self.bytes.get(&length).is_none_or(|&byte| byte == 0);
        if length > room || !ends {
            return None;
        }
        let at = |offset: u64| self.bytes.get(&offset).copied().unwrap_or(b' ');
        Some((0..length).map(at).chain([0]).collect())
    }
}

impl Wanted {
    /// A word, as `%s` delivers one into a buffer of this size: at least one character, no blanks, and a zero.
    pub fn word(&self, size: u64) -> Option<Vec<u8>> {
        let zero = self.bytes.iter().find(|&(_, &byte)| byte == 0);
        let last = self.bytes.keys().next_back();
        let length = match (zero, last) {
            (Some((&zero, _)), _) => zero,
            (None, Some(last)) => last + 1,
            (None, None) => 1,
        };
        let at = |offset: u64| self.bytes.get(&offset).copied().unwrap_or(b'a');
        let word: Vec<u8> = (0..length.min(size)).map(at).collect();
        let fits = length > 0 && length < size && !word.iter().any(|&byte| is_space(byte));
        fits.then(|| word.into_iter().chain([0]).collect())
    }
}

impl Machine<'_> {
    /// What the call writes that is being made, and that it is made.
    pub(super) fn calls_outside(&mut self, function: FuncId) -> Vec<(u64, Vec<u8>)> {
        *self.outside_calls.entry(function).or_default() += 1;
        self.edge.map_or(Vec::new(), |edge| self.inputs.written(edge))
    }

    /// Writes what came in, and keeps it for the record.
    pub(super) fn write_incoming(
        &mut self,
        function: FuncId,
        argument: usize,
        offset: i64,
        address: u64,
        data: Vec<u8>,
    ) -> OrEnd<()> {
        let Some(edge) = self.edge.filter(|_| !data.is_empty()) else {
            return Ok(());
        };
        self.written.push(crate::inputs::Written {
            edge,
            function,
            call: self.outside_calls.get(&function).map_or(0, |calls| calls - 1),
            argument,
            offset,
            bytes: data.clone(),
        });
        self.poke(
            address,
            &Bytes {
                data,
                unwritten: None,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Wanted;

    fn line(bytes: &[(u64, u8)], size: u64) -> Option<Vec<u8>> {
        let given: Vec<(u64, Vec<u8>)> = bytes.iter().map(|&(at, byte)| (1000 + at, vec![byte])).collect();
        Wanted::new(&given, 1000, size).line(size)
    }

    #[test]
    fn lines() {
        assert_eq!(line(&[], 8).as_deref(), Some(&b" \0"[..]));
        assert_eq!(line(&[(0, b'x'), (1, b'y')], 8).as_deref(), Some(&b"xy\0"[..]));
        assert_eq!(line(&[(1, b'y'), (2, 0)], 8).as_deref(), Some(&b" y\0"[..]));
        assert_eq!(line(&[(1, b'\n'), (2, 0)], 8).as_deref(), Some(&b" \n\0"[..]));
        assert_eq!(line(&[(1, 0), (2, b'z')], 8).as_deref(), Some(&b" \0z\0"[..]));
        assert_eq!(line(&[], 1).as_deref(), Some(&b"\0"[..]));
    }

    #[test]
    fn no_such_line() {
        assert_eq!(line(&[(1, b'\n'), (2, b'x')], 8), None);
        assert_eq!(line(&[(7, b'x')], 8), None);
        assert_eq!(line(&[(0, b'x')], 1), None);
        assert_eq!(line(&[], 0), None);
    }

    #[test]
    fn words() {
        let word = |bytes: &[(u64, u8)], size: u64| {
            let given: Vec<(u64, Vec<u8>)> =
                bytes.iter().map(|&(at, byte)| (1000 + at, vec![byte])).collect();
            Wanted::new(&given, 1000, size).word(size)
        };
        assert_eq!(word(&[], 8).as_deref(), Some(&b"a\0"[..]));
        assert_eq!(
            word(&[(1, b'x'), (3, 0), (5, b'y')], 8).as_deref(),
            Some(&b"axa\0"[..])
        );
        assert_eq!(word(&[(0, 0)], 8), None);
        assert_eq!(word(&[(1, b' ')], 8), None);
        assert_eq!(word(&[(7, b'x')], 8), None);
    }

    #[test]
    fn bytes_that_do_not_matter() {
        let given = [(10, vec![1, 2]), (13, vec![4])];
        assert_eq!(Wanted::new(&given, 10, 3).bytes(3), [1, 2, 0]);
        assert_eq!(Wanted::new(&given, 11, 8).bytes(3), [2, 0, 4]);
    }
}
