//! The memory of the running program: objects with addresses in the flat address space of the data model, little
//! endian, kept apart by gaps so that an overrun hits nothing. Pointers are plain integers; every access is checked
//! against the objects that live.
//!
//! Addresses of freed heap objects, and of locals of functions that returned, are not given out again until the
//! address space runs short, so that stale pointers are found.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use program::{DataModel, VarId};

/// Where an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    Static,
    Heap,
    Stack,
    /// Memory that is none of the program's: pages, made as they are touched.
    Environment,
}

/// Names an object: its area and its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObjectRef {
    pub area: Area,
    pub index: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub base: u64,
    pub size: u64,
    pub data: Vec<u8>,
    /// One byte for each byte of data, nonzero where the program does not say what it holds ([`NOTHING`], [`GIVEN`], [`OPEN`]); `None`
    /// when it does everywhere.
    pub unwritten: Option<Vec<u8>>,
    /// False once freed.
    pub alive: bool,
    pub read_only: bool,
    /// An external object of incomplete type: how far it reaches is not known.
    pub unknown_size: bool,
    /// The variable it is, or none for allocated memory.
    pub var: Option<VarId>,
}

/// The mark of a byte that nobody has written.
pub(crate) const NOTHING: u8 = 1;
/// The mark of a byte that the program has not written either, but for which the inputs have a value.
pub(crate) const GIVEN: u8 = 2;
/// The mark of padding in a record that was assigned: it holds something, and nobody says what.
pub(crate) const OPEN: u8 = 3;

impl Object {
    pub fn range(&self, offset: u64, size: u64) -> std::ops::Range<usize> {
        offset as usize..(offset + size) as usize
    }

    pub fn is_written(&self, offset: u64, size: u64) -> bool {
        match &self.unwritten {
            None => true,
            Some(mask) => mask[self.range(offset, size)].iter().all(|&b| b != NOTHING),
        }
    }

    /// Whether the program has not written all of it, even if the inputs have.
    pub fn holds_unwritten(&self, offset: u64, size: u64) -> bool {
        let mut marks = self.unwritten.iter();
        marks.any(|mask| {
            mask[self.range(offset, size)]
                .iter()
                .any(|&b| b == NOTHING || b == GIVEN)
        })
    }

    /// Whether some of it is padding of a record that was assigned.
    pub fn is_open(&self, offset: u64, size: u64) -> bool {
        let mut marks = self.unwritten.iter();
        marks.any(|mask| mask[self.range(offset, size)].contains(&OPEN))
    }

    /// Says of padding, in a record at the offset that was assigned, that it may hold anything.
    pub fn open_padding(&mut self, offset: u64, padding: &[std::ops::Range<u64>]) {
        let length = self.data.len();
        for part in padding {
            let range = self.range(offset + part.start, part.end - part.start);
            self.unwritten.get_or_insert_with(|| vec![0; length])[range].fill(OPEN);
        }
    }

    /// Keeps what is there as what the inputs gave.
    pub fn mark_given(&mut self, offset: u64, size: u64) {
        let range = self.range(offset, size);
        let length = self.data.len();
        self.unwritten.get_or_insert_with(|| vec![0; length])[range].fill(GIVEN);
    }

    pub fn mark_written(&mut self, offset: u64, size: u64) {
        let range = self.range(offset, size);
        if let Some(mask) = &mut self.unwritten {
            mask[range].fill(0);
        }
    }

    /// A member was stored; of the padding behind it, what nobody wrote holds something from then on.
    #[inline]
    pub fn mark_member_written(&mut self, offset: u64, size: u64, with_padding: u64) {
        let end = with_padding.min(self.size - offset);
        let (member, padding) = (self.range(offset, size), self.range(offset + size, end - size));
        if let Some(mask) = &mut self.unwritten {
            mask[member].fill(0);
            let marks = mask[padding].iter_mut();
            marks.filter(|mark| **mark != 0).for_each(|mark| *mark = OPEN);
        }
    }

    pub fn forget(&mut self) {
        match &mut self.unwritten {
            Some(mask) => mask.fill(NOTHING),
            None => self.unwritten = Some(vec![NOTHING; self.data.len()]),
        }
    }

    /// The bytes of a range, with their marks.
    pub fn copy_out(&self, offset: u64, size: u64) -> Bytes {
        let range = self.range(offset, size);
        let unwritten = self
            .unwritten
            .as_ref()
            .map(|mask| mask[range.clone()].to_vec())
            .filter(|mask| mask.iter().any(|&b| b != 0));
        Bytes {
            data: self.data[range].to_vec(),
            unwritten,
        }
    }

    pub fn copy_in(&mut self, offset: u64, bytes: &Bytes) {
        let range = self.range(offset, bytes.data.len() as u64);
        self.data[range.clone()].copy_from_slice(&bytes.data);
        match (&mut self.unwritten, &bytes.unwritten) {
            (Some(mask), Some(marks)) => mask[range].copy_from_slice(marks),
            (Some(mask), None) => mask[range].fill(0),
            (None, Some(marks)) => {
                let mut mask = vec![0; self.data.len()];
                mask[range].copy_from_slice(marks);
                self.unwritten = Some(mask);
            }
            (None, None) => {}
        }
    }
}

/// The value of a record or array: its bytes and which of them were never written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bytes {
    pub data: Vec<u8>,
    pub unwritten: Option<Vec<u8>>,
}

impl Bytes {
    /// Whether some of them have no value.
    pub fn hold_nothing(&self) -> bool {
        let mut marks = self.unwritten.iter().flatten();
        marks.any(|&mark| mark == NOTHING)
    }

    /// Whether some of them are padding of a record that was assigned.
    pub fn are_open(&self) -> bool {
        let mut marks = self.unwritten.iter().flatten();
        marks.any(|&mark| mark == OPEN)
    }
}

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Into an object, or right behind its end, at this offset.
    Object(ObjectRef, u64),
    /// Into an object that was freed.
    Freed(ObjectRef, u64),
    /// Where locals of returned functions were.
    DeadStack,
    Nothing,
}

#[derive(Clone, Debug)]
struct Region {
    start: u64,
    end: u64,
    /// Where the next object goes: above here, or below here.
    next: u64,
    /// Objects follow each other from the end to the start.
    downwards: bool,
    /// Ascending by address, or descending.
    objects: Vec<Object>,
    /// The object found last.
    last: u32,
    /// Where no object may lie, ascending.
    taken: Vec<RangeInclusive<u64>>,
}

impl Region {
    fn new(start: u64, end: u64, downwards: bool) -> Region {
        Region {
            taken: Vec::new(),
            start,
            end,
            next: if downwards { end } else { start },
            downwards,
            objects: Vec::new(),
            last: 0,
        }
    }

    fn holds(&self, address: u64) -> bool {
        (self.start..self.end).contains(&address)
    }

    fn find(&mut self, address: u64) -> Option<(u32, u64)> {
        if let Some(object) = self.objects.get(self.last as usize) {
            let offset = address.wrapping_sub(object.base);
            if offset <= object.size {
                return Some((self.last, offset));
            }
        }
        let index = match self.downwards {
            true => self.objects.partition_point(|object| object.base > address),
            false => self
                .objects
                .partition_point(|object| object.base <= address)
                .checked_sub(1)?,
        };
        let object = self.objects.get(index)?;
        let offset = address - object.base;
        if offset > object.size {
            return None;
        }
        self.last = index as u32;
        Some((index as u32, offset))
    }

    /// Room for an object: its address, and what `next` is then.
    fn room(&self, size: u64, gap: u64, align: u64) -> Option<(u64, u64)> {
        let mut from = self.next;
        loop {
            let (base, next) = self.room_from(from, size, gap, align)?;
            let meets = |range: &&RangeInclusive<u64>| *range.start() <= base + size && base <= *range.end();
            match self.taken.iter().find(meets) {
                Some(range) if self.downwards => from = *range.start(),
                Some(range) => from = range.end().checked_add(1)?,
                None => return Some((base, next)),
            }
        }
    }

    fn room_from(&self, from: u64, size: u64, gap: u64, align: u64) -> Option<(u64, u64)> {
        let distance = align.max(16).next_power_of_two();
        if self.downwards {
            let highest = from.checked_sub(size)?.checked_sub(gap)?;
            // What need not be at an even address is not.
            let base = highest - highest % distance + u64::from(align == 1);
            return (base >= self.start + distance).then_some((base, base - 1));
        }
        let base = from.checked_next_multiple_of(distance)?;
        let next = base.checked_add(size)?.checked_add(gap)?;
        (next <= self.end).then_some((base, next))
    }

    /// Whether an address is among those that were given to objects, or closer to them than this.
    fn is_near(&self, address: u64, distance: u64) -> bool {
        match self.downwards {
            true => (self.next.saturating_sub(distance)..=self.end).contains(&address),
            false => (self.start..=self.next.saturating_add(distance)).contains(&address),
        }
    }

    /// Lets the addresses from this object on be used again, if many were used since.
    fn recycle(&mut self, base: u64, size: u64, quarantine: u64) {
        let (used, again) = match self.downwards {
            true => ((base + size).saturating_sub(self.next), base + size),
            false => (self.next - base, base),
        };
        if used > quarantine {
            self.next = again;
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Memory {
    statics: Region,
    heap: Region,
    stack: Region,
    environment: Region,
    /// The environment's objects by the addresses of their pages.
    pages: BTreeMap<u64, u32>,
    /// Storage of dead stack objects, to be used again.
    spare: Vec<Vec<u8>>,
    largest_gap: u64,
    /// Bytes of data in live objects, and how many there may be.
    in_use: u64,
    limit: u64,
    /// How much stack address space is left unused before it is used again.
    quarantine: u64,
}

/// Addresses of functions and labels: 16 bytes apart, below all objects.
const FUNCTIONS: u64 = 0x0001_0000;
const LABELS: u64 = 0x0800_0000;
const OBJECTS_32: u64 = 0x1000_0000;
/// The size of the environment's pages.
const PAGE: u64 = 0x1_0000;

pub(crate) fn function_address(index: usize) -> u64 {
    FUNCTIONS + 16 * index as u64
}

pub(crate) fn function_at(address: u64) -> Option<usize> {
    ((FUNCTIONS..LABELS).contains(&address) && address.is_multiple_of(16))
        .then(|| ((address - FUNCTIONS) / 16) as usize)
}

/// Labels share what is left below the objects; more than 8 million of them would be needed to fill it.
pub(crate) fn label_address(index: usize) -> u64 {
    LABELS + 16 * (index as u64 % ((OBJECTS_32 - LABELS) / 16))
}

impl Memory {
    /// Static objects lie below allocated ones and those below local ones, each above the one before; or, turned, all the other way
    /// round.
    pub fn new(model: DataModel, limit: u64, turned: bool) -> Memory {
        let (low, middle, high, end, gap) = match model {
            DataModel::Ilp32 => (OBJECTS_32, 0x4000_0000, 0xa000_0000, 0xfff0_0000, 64),
            DataModel::Lp64 => (
                0x5555_0000_0000,
                0x6000_0000_0000,
                0x7000_0000_0000,
                0x7fff_0000_0000,
                4096,
            ),
        };
        let (low, middle, high) = (low..middle, middle..high, high..end);
        let (statics, heap, stack) = match turned {
            true => (high, middle, low),
            false => (low, middle, high),
        };
        let region = |range: std::ops::Range<u64>| Region::new(range.start, range.end, turned);
        Memory {
            quarantine: (stack.end - stack.start) / 4,
            statics: region(statics),
            heap: region(heap),
            stack: region(stack),
            environment: Region::new(0, 0, false),
            pages: BTreeMap::new(),
            spare: Vec::new(),
            largest_gap: gap,
            in_use: 0,
            limit,
        }
    }

    /// No object is to lie at these addresses.
    pub fn keep_clear_of(&mut self, ranges: &[RangeInclusive<u64>]) {
        for region in [&mut self.statics, &mut self.heap, &mut self.stack] {
            region.taken = ranges.to_vec();
        }
    }

    fn region(&self, area: Area) -> &Region {
        match area {
            Area::Static => &self.statics,
            Area::Heap => &self.heap,
            Area::Stack => &self.stack,
            Area::Environment => &self.environment,
        }
    }

    fn region_mut(&mut self, area: Area) -> &mut Region {
        match area {
            Area::Static => &mut self.statics,
            Area::Heap => &mut self.heap,
            Area::Stack => &mut self.stack,
            Area::Environment => &mut self.environment,
        }
    }

    #[inline]
    pub fn object(&self, object: ObjectRef) -> &Object {
        &self.region(object.area).objects[object.index as usize]
    }

    #[inline]
    pub fn object_mut(&mut self, object: ObjectRef) -> &mut Object {
        &mut self.region_mut(object.area).objects[object.index as usize]
    }

    /// The live objects of an area.
    pub fn living(&self, area: Area) -> impl Iterator<Item = &Object> {
        self.region(area).objects.iter().filter(|object| object.alive)
    }

    pub fn stack_height(&self) -> usize {
        self.stack.objects.len()
    }

    /// Makes an object; `None` if there is no room. Zeroed objects count as written.
    pub fn allocate(&mut self, area: Area, size: u64, align: u64, zeroed: bool) -> Option<ObjectRef> {
        if size > self.limit.saturating_sub(self.in_use) {
            return None;
        }
        let gap = size.clamp(16, self.largest_gap);
        let at = self.region(area).room(size, gap, align);
        let (index, base) = match at {
            Some((base, next)) => {
                let region = self.region_mut(area);
                region.next = next;
                (region.objects.len(), base)
            }
            None if area == Area::Heap && !self.heap.downwards => {
                self.heap_hole(size, align.max(16).next_power_of_two())?
            }
            None => return None,
        };
        let mut data = self.spare.pop().unwrap_or_default();
        data.clear();
        data.resize(size as usize, 0);
        let unwritten = if zeroed {
            None
        } else {
            let mut mask = self.spare.pop().unwrap_or_default();
            mask.clear();
            mask.resize(size as usize, NOTHING);
            Some(mask)
        };
        let object = Object {
            base,
            size,
            data,
            unwritten,
            alive: true,
            read_only: false,
            unknown_size: false,
            var: None,
        };
        self.in_use += size;
        let region = self.region_mut(area);
        region.objects.insert(index, object);
        region.last = index as u32;
        Some(ObjectRef {
            area,
            index: index as u32,
        })
    }

    /// Room among live heap objects, once all addresses were given out: freed ones are forgotten.
    fn heap_hole(&mut self, size: u64, align: u64) -> Option<(usize, u64)> {
        self.heap.objects.retain(|object| object.alive);
        self.heap.last = 0;
        let mut base = self.heap.start;
        for (index, object) in self.heap.objects.iter().enumerate() {
            if base + size + 16 <= object.base {
                return Some((index, base));
            }
            base = (object.base + object.size + 16).next_multiple_of(align);
        }
        (base + size <= self.heap.end).then_some((self.heap.objects.len(), base))
    }

    /// Kills the objects above a height of the stack.
    pub fn pop_stack(&mut self, height: usize) {
        if self.stack.objects.len() == height {
            return;
        }
        let (base, size) = (self.stack.objects[height].base, self.stack.objects[height].size);
        while self.stack.objects.len() > height {
            let Some(object) = self.stack.objects.pop() else {
                break;
            };
            self.in_use -= object.size;
            if self.spare.len() < 64 && object.size <= 4096 {
                self.spare.push(object.data);
                self.spare.extend(object.unwritten);
            }
        }
        self.stack.last = 0;
        self.stack.recycle(base, size, self.quarantine);
    }

    /// Frees a heap object. Its address stays taken.
    pub fn free(&mut self, object: ObjectRef) {
        let freed = self.object_mut(object);
        freed.alive = false;
        freed.data = Vec::new();
        freed.unwritten = None;
        let size = freed.size;
        self.in_use -= size;
    }

    /// Makes the page of the environment that an address lies in; `None` if that is too close to the program's objects,
    /// or to null, or if there is no room.
    pub fn make_page(&mut self, address: u64) -> Option<ObjectRef> {
        let near = |region: &Region| region.is_near(address, PAGE);
        let taken = address < OBJECTS_32 || [&self.statics, &self.heap, &self.stack].into_iter().any(near);
        if taken || PAGE > self.limit.saturating_sub(self.in_use) {
            return None;
        }
        let base = address - address % PAGE;
        let index = self.environment.objects.len() as u32;
        self.environment.objects.push(Object {
            base,
            size: PAGE,
            data: vec![0; PAGE as usize],
            unwritten: Some(vec![NOTHING; PAGE as usize]),
            alive: true,
            read_only: false,
            unknown_size: false,
            var: None,
        });
        self.pages.insert(base, index);
        self.in_use += PAGE;
        Some(ObjectRef {
            area: Area::Environment,
            index,
        })
    }

    fn find_page(&self, address: u64) -> Found {
        let offset = address % PAGE;
        match self.pages.get(&(address - offset)) {
            Some(&index) => {
                let area = Area::Environment;
                Found::Object(ObjectRef { area, index }, offset)
            }
            None => Found::Nothing,
        }
    }

    /// What an address leads to.
    pub fn find(&mut self, address: u64) -> Found {
        let area = if self.stack.holds(address) {
            Area::Stack
        } else if self.heap.holds(address) {
            Area::Heap
        } else if self.statics.holds(address) {
            Area::Static
        } else {
            return self.find_page(address);
        };
        match self.region_mut(area).find(address) {
            Some((index, offset)) => {
                let object = ObjectRef { area, index };
                if self.object(object).alive {
                    Found::Object(object, offset)
                } else {
                    Found::Freed(object, offset)
                }
            }
            None if area == Area::Stack && self.stack.is_near(address, 0) => Found::DeadStack,
            None => self.find_page(address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        Memory::new(DataModel::Lp64, 1 << 20, false)
    }

    #[test]
    fn turned_memory_has_everything_the_other_way_round() {
        let mut memory = Memory::new(DataModel::Lp64, 1 << 20, true);
        let mut make = |area, size, align| memory.allocate(area, size, align, false).expect("there is room");
        let (global, other) = (make(Area::Static, 4, 4), make(Area::Static, 4, 4));
        let (block, local, byte) = (
            make(Area::Heap, 10, 16),
            make(Area::Stack, 4, 4),
            make(Area::Stack, 1, 1),
        );
        let base = |object| memory.object(object).base;
        let order = [base(byte), base(local), base(block), base(other), base(global)];
        assert!(order.is_sorted(), "{order:x?}");
        assert_eq!((base(byte) % 2, base(block) % 16), (1, 0));
        for object in [global, other, block, local, byte] {
            let (base, size) = (memory.object(object).base, memory.object(object).size);
            assert_eq!(memory.find(base), Found::Object(object, 0));
            assert_eq!(memory.find(base + size), Found::Object(object, size));
            assert!(matches!(memory.find(base - 1), Found::Nothing | Found::DeadStack));
        }
        memory.pop_stack(1);
        assert_eq!(memory.find(order[0]), Found::DeadStack);
        assert_eq!(memory.find(order[1]), Found::Object(local, 0));
    }

    #[test]
    fn addresses_lead_to_their_objects() {
        let mut memory = memory();
        let a = memory.allocate(Area::Heap, 10, 1, false).unwrap();
        let b = memory.allocate(Area::Heap, 4, 1, false).unwrap();
        let base = memory.object(a).base;
        assert_eq!(memory.find(base + 3), Found::Object(a, 3));
        assert_eq!(memory.find(base + 10), Found::Object(a, 10));
        assert_eq!(memory.find(base + 11), Found::Nothing);
        assert_eq!(memory.find(memory.object(b).base), Found::Object(b, 0));
        assert_eq!(memory.find(0), Found::Nothing);
        assert_eq!(memory.find(u64::MAX), Found::Nothing);
    }

    #[test]
    fn freed_memory_is_remembered_and_not_given_out_again() {
        let mut memory = memory();
        let a = memory.allocate(Area::Heap, 8, 1, false).unwrap();
        let base = memory.object(a).base;
        memory.free(a);
        assert_eq!(memory.find(base), Found::Freed(a, 0));
        let b = memory.allocate(Area::Heap, 8, 1, false).unwrap();
        assert_ne!(memory.object(b).base, base);
    }

    #[test]
    fn pages_of_the_environment_keep_their_distance() {
        let mut memory = memory();
        let heap = memory.allocate(Area::Heap, 8, 1, false).unwrap();
        let base = memory.object(heap).base;
        assert_eq!(memory.make_page(0), None);
        assert_eq!(memory.make_page(base + 64), None);
        let far = 0x5800_0000_4000;
        assert_eq!(memory.find(far), Found::Nothing);
        let page = memory.make_page(far).unwrap();
        assert_eq!(memory.find(far), Found::Object(page, 0x4000));
        assert_eq!(memory.find(far + PAGE), Found::Nothing);
    }

    #[test]
    fn popped_stack_objects_are_dead() {
        let mut memory = memory();
        let a = memory.allocate(Area::Stack, 8, 1, false).unwrap();
        let base = memory.object(a).base;
        memory.pop_stack(0);
        assert_eq!(memory.find(base), Found::DeadStack);
        memory.allocate(Area::Stack, 8, 1, false).unwrap();
        assert_eq!(memory.find(base), Found::DeadStack);
    }

    #[test]
    fn the_limit_holds_and_freeing_gives_room_back() {
        let mut memory = memory();
        assert!(memory.allocate(Area::Heap, 1 << 21, 1, false).is_none());
        let a = memory.allocate(Area::Heap, 1 << 20, 1, false).unwrap();
        assert!(memory.allocate(Area::Heap, 1, 1, false).is_none());
        memory.free(a);
        assert!(memory.allocate(Area::Heap, 1, 1, false).is_some());
    }

    #[test]
    fn no_object_lies_where_none_may() {
        for turned in [false, true] {
            let mut memory = Memory::new(DataModel::Ilp32, 1 << 20, turned);
            memory.keep_clear_of(&[0x4000_0000..=0x5fff_ffff, 0x9fff_0000..=0x9fff_ffff]);
            for _ in 0..8 {
                let object = memory.allocate(Area::Heap, 100, 4, false).expect("there is room");
                let base = memory.object(object).base;
                assert!((0x6000_0000..=0x9fff_0000 - 100).contains(&base), "{base:x}");
            }
        }
    }

    #[test]
    fn a_full_heap_uses_the_addresses_of_freed_objects() {
        let mut memory = Memory::new(DataModel::Ilp32, 1 << 32, false);
        memory.heap.end = memory.heap.start + 4096;
        let first = memory.allocate(Area::Heap, 1024, 1, false).unwrap();
        let kept = memory.allocate(Area::Heap, 1024, 1, false).unwrap();
        let kept_base = memory.object(kept).base;
        memory.free(first);
        let mut reused = 0;
        for _ in 0..8 {
            let Some(object) = memory.allocate(Area::Heap, 512, 1, false) else {
                break;
            };
            reused += u32::from(memory.object(object).base < kept_base);
        }
        assert!(reused >= 1);
        assert!(matches!(memory.find(kept_base), Found::Object(_, 0)));
    }
}
