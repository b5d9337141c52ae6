//! Random places: what a statement may read, write or take the address of.

use crate::generate::Generator;
use crate::types::Ty;

#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub text: String,
    pub ty: Ty,
    pub writable: bool,
    pub bit_field: bool,
    /// Starts at a global.
    pub global: bool,
    /// Goes through a pointer.
    pub through_pointer: bool,
    /// Its address may be kept.
    pub addressable: bool,
}

impl Generator {
    /// A random part of a random variable; `wanted` parts end the way down, scalars always do.
    fn walk(&mut self, wanted: &dyn Fn(&Ty) -> bool) -> Option<Place> {
        let count = self.globals.len() + self.locals.len();
        if count == 0 {
            return None;
        }
        // Locals are as likely as globals, however many there are.
        let local = !self.locals.is_empty() && (self.globals.is_empty() || self.random.chance(60));
        let var = if local {
            self.locals[self.random.below(self.locals.len())].clone()
        } else {
            self.globals[self.random.below(self.globals.len())].clone()
        };
        let mut place = Place {
            text: var.name,
            ty: var.ty,
            writable: var.writable,
            bit_field: false,
            global: var.global,
            through_pointer: false,
            addressable: var.addressable,
        };
        for _ in 0..8 {
            if wanted(&place.ty) && (place.ty.is_scalar() || self.random.chance(60)) {
                return Some(place);
            }
            match place.ty.clone() {
                Ty::Int(_) | Ty::Float(_) => return None,
                Ty::Pointer(to) => {
                    place.through_pointer = true;
                    place.addressable = true;
                    place.writable = true;
                    place.bit_field = false;
                    if let Ty::Record(at) = *to
                        && self.random.chance(80)
                    {
                        let base = format!("{}->", place.text);
                        self.step_into(&mut place, at, base);
                    } else {
                        place.text = if self.random.chance(70) {
                            format!("(*{})", place.text)
                        } else {
                            format!("{}[0]", place.text)
                        };
                        place.ty = *to;
                    }
                }
                Ty::Array(element, length) => {
                    let index = if self.random.chance(50) {
                        self.random.below(length as usize).to_string()
                    } else {
                        self.masked_index(length)
                    };
                    place.text = format!("{}[{index}]", place.text);
                    place.ty = *element;
                }
                Ty::Record(at) => {
                    let base = format!("{}.", place.text);
                    self.step_into(&mut place, at, base);
                }
            }
        }
        None
    }

    fn step_into(&mut self, place: &mut Place, record: usize, base: String) {
        let fields = &self.records[record].fields;
        let field = fields[self.random.below(fields.len())].clone();
        place.text = format!("{base}{}", field.name);
        place.bit_field = field.bits.is_some();
        place.writable &= !field.read_only;
        place.ty = field.ty;
    }

    fn search(&mut self, wanted: &dyn Fn(&Ty) -> bool, fits: impl Fn(&Place) -> bool) -> Option<Place> {
        (0..12).find_map(|_| self.walk(wanted).filter(&fits))
    }

    pub(crate) fn place_of(&mut self, ty: &Ty, written: bool) -> Option<Place> {
        self.search(&|found| found == ty, |place| place.writable || !written)
    }

    pub(crate) fn int_place(&mut self, written: bool) -> Option<Place> {
        self.search(&|ty| matches!(ty, Ty::Int(_)), |place| place.writable || !written)
    }

    pub(crate) fn float_place(&mut self, written: bool) -> Option<Place> {
        self.search(&|ty| matches!(ty, Ty::Float(_)), |place| {
            place.writable || !written
        })
    }

    pub(crate) fn pointer_place(&mut self) -> Option<Place> {
        self.search(&|ty| matches!(ty, Ty::Pointer(_)), |_| true)
    }

    pub(crate) fn record_place(&mut self) -> Option<Place> {
        self.search(&|ty| matches!(ty, Ty::Record(_)), |place| place.writable)
    }

    /// An array of integers, with the type of its elements and its length.
    pub(crate) fn array_place(&mut self) -> Option<(String, Ty, u32)> {
        let is_int_array = |ty: &Ty| matches!(ty, Ty::Array(element, _) if matches!(**element, Ty::Int(_)));
        let place = self.search(&is_int_array, |place| place.addressable)?;
        match place.ty {
            Ty::Array(element, length) => Some((place.text, *element, length)),
            _ => None,
        }
    }

    /// An integer in memory of its own, whose bytes may be looked at.
    pub(crate) fn byte_place(&mut self, written: bool) -> Option<Place> {
        let scalars = self.scalars;
        self.search(&|ty| matches!(ty, Ty::Int(name) if *name != "_Bool"), |place| {
            !scalars && place.addressable && !place.bit_field && (place.writable || !written)
        })
    }

    /// The address of something of exactly this type; of something static if what will hold it may outlive the call.
    pub(crate) fn address(&mut self, to: &Ty, lasting: bool) -> Option<String> {
        let lasting = lasting && !self.in_main;
        let pointer = Ty::Pointer(Box::new(to.clone()));
        for _ in 0..6 {
            if self.random.chance(25)
                && let Some(place) = self.search(&|found| *found == pointer, |place| place.global || !lasting)
            {
                return Some(place.text);
            }
            let fits = |place: &Place| {
                place.addressable && !place.bit_field && (!lasting || place.global) && place.writable
            };
            if let Some(place) = self.search(&|found| found == to, fits) {
                return Some(format!("&{}", place.text));
            }
        }
        self.globals.iter().find_map(|var| match &var.ty {
            ty if ty == to => Some(format!("&{}", var.name)),
            Ty::Array(element, _) if **element == *to => Some(var.name.clone()),
            _ => None,
        })
    }
}
