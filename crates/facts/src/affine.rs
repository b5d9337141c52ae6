//! Affine relations between machine words, modulo 2^w: exact for addition, subtraction and multiplication by constants, overflow
//! included (Müller-Olm and Seidl, *Analysis of modular arithmetic*).
//!
//! What is known is the submodule that the possible states generate: a state is the vector `(1, x₁, …, xₙ)`. Joins add
//! generators, assignments are linear maps of them, an unknown value is one more generator, and an equation keeps those
//! combinations of generators that satisfy it. The equations that all states satisfy are the vectors orthogonal to all
//! generators. Generators are held in echelon form; because a pivot need not be invertible, its multiples with a zero in
//! the pivot's column are there too, so that a vector is in the module exactly if it can be reduced to zero.

use std::rc::Rc;

/// A linear function of the columns; the first number is the constant.
pub type Vector = Vec<u64>;

/// What a new column is: a linear function of the old ones, or anything.
pub enum New {
    Linear(Vector),
    Anything,
}

/// The states of some columns of one width that are possible; at least one is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    width: u32,
    columns: usize,
    /// By the column of the first number that is not zero, which is a power of two. Shared until it is changed.
    rows: Rc<[Option<Vector>]>,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The number that times the odd `a` is 1.
fn inverse(a: u64) -> u64 {
    let mut x = a;
    for _ in 0..6 {
        x = x.wrapping_mul(2_u64.wrapping_sub(a.wrapping_mul(x)));
    }
    x
}

fn scaled(row: &[u64], factor: u64, width: u32) -> Vector {
    row.iter()
        .map(|&n| n.wrapping_mul(factor) & mask(width))
        .collect()
}

/// `row += factor · other`.
fn add_scaled(row: &mut [u64], other: &[u64], factor: u64, width: u32) {
    for (a, &b) in row.iter_mut().zip(other) {
        *a = a.wrapping_add(b.wrapping_mul(factor)) & mask(width);
    }
}

fn product(a: &[u64], b: &[u64], width: u32) -> u64 {
    let products = a.iter().zip(b).map(|(&a, &b)| a.wrapping_mul(b));
    products.fold(0, u64::wrapping_add) & mask(width)
}

/// The combinations of generators on which the linear function is zero.
fn kernel(generators: &mut Vec<Vector>, function: &[u64], width: u32) {
    let values: Vec<u64> = generators
        .iter()
        .map(|row| product(row, function, width))
        .collect();
    let least = (0..values.len())
        .filter(|&i| values[i] != 0)
        .min_by_key(|&i| values[i].trailing_zeros());
    let Some(chosen) = least else {
        return;
    };
    let zeros = values[chosen].trailing_zeros();
    let unit = inverse(values[chosen] >> zeros);
    let pivot = generators[chosen].clone();
    for (row, &value) in generators.iter_mut().zip(&values) {
        if value != 0 {
            let factor = (value >> zeros).wrapping_mul(unit);
            add_scaled(row, &pivot, factor.wrapping_neg(), width);
        }
    }
    generators[chosen] = match zeros {
        0 => vec![0; pivot.len()],
        _ => scaled(&pivot, 1 << (width - zeros), width),
    };
    generators.retain(|row| row.iter().any(|&n| n != 0));
}

impl Affine {
    /// Nothing is known of the columns.
    pub fn any(width: u32, columns: usize) -> Affine {
        let mut affine = Affine::empty(width, columns);
        for column in 0..=columns {
            let mut row = vec![0; columns + 1];
            row[column] = 1;
            affine.insert(row);
        }
        affine
    }

    fn empty(width: u32, columns: usize) -> Affine {
        Affine {
            width,
            columns,
            rows: vec![None; columns + 1].into(),
        }
    }

    fn generators(&self) -> Vec<Vector> {
        self.rows.iter().flatten().cloned().collect()
    }

    /// Adds a generator; whether it is new.
    fn insert(&mut self, row: Vector) -> bool {
        let width = self.width;
        let mut grown = false;
        let mut waiting = vec![row];
        while let Some(mut row) = waiting.pop() {
            for column in 0..=self.columns {
                if row[column] == 0 {
                    continue;
                }
                let zeros = row[column].trailing_zeros();
                let known = self.rows[column]
                    .as_ref()
                    .map(|known| known[column].trailing_zeros());
                if let Some(known_zeros) = known.filter(|&known| known <= zeros) {
                    let known = self.rows[column].as_ref().expect("it was looked at");
                    let factor = row[column] >> known_zeros;
                    add_scaled(&mut row, known, factor.wrapping_neg(), width);
                    continue;
                }
                let unit = inverse(row[column] >> zeros);
                let pivot = scaled(&row, unit, width);
                if zeros > 0 {
                    waiting.push(scaled(&pivot, 1 << (width - zeros), width));
                }
                waiting.extend(Rc::make_mut(&mut self.rows)[column].replace(pivot));
                grown = true;
                break;
            }
        }
        grown
    }

    /// Joins with another; whether more is possible now.
    pub fn join(&mut self, other: &Affine) -> bool {
        let mut grown = false;
        if self.rows == other.rows {
            return grown;
        }
        for row in other.rows.iter().flatten() {
            grown |= self.insert(row.clone());
        }
        grown
    }

    /// The states in which the linear function is zero; `None` if there are none.
    pub fn meet(&self, function: &[u64]) -> Option<Affine> {
        let mut generators = self.generators();
        kernel(&mut generators, function, self.width);
        let mut met = Affine::empty(self.width, self.columns);
        for row in generators {
            met.insert(row);
        }
        let possible = met.rows[0].as_ref().is_some_and(|row| row[0] == 1);
        possible.then_some(met)
    }

    /// The states of other columns, each told by what it is now.
    pub fn map(&self, columns: &[New]) -> Affine {
        let mut mapped = Affine::empty(self.width, columns.len());
        for row in self.rows.iter().flatten() {
            let mut image = Vec::with_capacity(columns.len() + 1);
            image.push(row[0]);
            image.extend(columns.iter().map(|column| match column {
                New::Linear(function) => product(row, function, self.width),
                New::Anything => 0,
            }));
            mapped.insert(image);
        }
        for (index, column) in columns.iter().enumerate() {
            if matches!(column, New::Anything) {
                let mut row = vec![0; columns.len() + 1];
                row[index + 1] = 1;
                mapped.insert(row);
            }
        }
        mapped
    }

    /// The number that the linear function is in all states.
    pub fn constant(&self, function: &[u64]) -> Option<u64> {
        let first = self.rows[0].as_ref()?;
        let value = product(first, function, self.width);
        let is_constant = |row: &Vector| {
            let expected = value.wrapping_mul(row[0]) & mask(self.width);
            product(row, function, self.width) == expected
        };
        (first[0] == 1 && self.rows.iter().flatten().all(is_constant)).then_some(value)
    }

    /// Linear functions that are zero in all states, such that all others are combinations of them.
    pub fn equations(&self) -> Vec<Vector> {
        let size = self.columns + 1;
        let mut equations: Vec<Vector> = Vec::with_capacity(size);
        for column in 0..size {
            let mut row = vec![0; size];
            row[column] = 1;
            equations.push(row);
        }
        for row in self.rows.iter().flatten() {
            kernel(&mut equations, row, self.width);
        }
        // In echelon form with the constant last: each column is told by those after it.
        let mut echelon = Affine::empty(self.width, self.columns);
        for mut row in equations {
            row.reverse();
            echelon.insert(row);
        }
        let mut kept = echelon.generators();
        let mut index = 0;
        while index < kept.len() {
            let mut others = Affine::empty(self.width, self.columns);
            for (other, row) in kept.iter().enumerate() {
                if other != index {
                    others.insert(row.clone());
                }
            }
            match others.insert(kept[index].clone()) {
                true => index += 1,
                false => {
                    kept.remove(index);
                }
            }
        }
        for row in &mut kept {
            row.reverse();
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(numbers: &[u64]) -> Affine {
        let mut affine = Affine::empty(8, numbers.len());
        let mut row = vec![1];
        row.extend_from_slice(numbers);
        affine.insert(row);
        affine
    }

    #[test]
    fn a_line_through_two_states() {
        let mut affine = state(&[0, 5]);
        assert!(affine.join(&state(&[1, 4])));
        assert_eq!(affine.equations(), [vec![251, 1, 1]]);
        assert!(!affine.join(&state(&[255, 6])), "x + y is 5 modulo 256");
    }

    #[test]
    fn even_numbers() {
        let mut affine = state(&[0]);
        affine.join(&state(&[2]));
        assert_eq!(affine.equations(), [vec![0, 128]]);
        assert!(affine.meet(&[255, 1]).is_none(), "1 is not among them");
        assert!(affine.meet(&[252, 1]).is_some());
    }

    #[test]
    fn assignments_and_unknown_values() {
        let affine = state(&[3, 4]);
        let next = affine.map(&[New::Linear(vec![1, 1, 1]), New::Anything]);
        assert_eq!(next.constant(&[0, 1, 0]), Some(8));
        assert_eq!(next.constant(&[0, 0, 1]), None);
    }

    #[test]
    fn every_state_satisfies_the_equations() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            seed >> 56
        };
        for _ in 0..200 {
            let states: Vec<Vec<u64>> = (0..3)
                .map(|_| (0..3).map(|_| random() << (random() % 3) & 255).collect())
                .collect();
            let mut affine = state(&states[0]);
            affine.join(&state(&states[1]));
            affine.join(&state(&states[2]));
            for numbers in &states {
                let mut row = vec![1];
                row.extend(numbers);
                for equation in affine.equations() {
                    assert_eq!(product(&row, &equation, 8), 0);
                }
            }
            // The equations leave no more states than the generators make.
            let mut back = Affine::any(8, 3);
            for equation in affine.equations() {
                back = back.meet(&equation).expect("there are states");
            }
            assert!(!affine.join(&back));
        }
    }
}
