//! Normal forms and how they read: what is written on the left becomes what is printed on the right.

use expect_test::{Expect, expect};
use logic::{CPrinter, Op, Piece, PrintHook, Read, Signedness, Sort, SymbolInfo, Term, Terms};

struct Fixture {
    t: Terms,
}

impl Fixture {
    fn new() -> Fixture {
        Fixture { t: Terms::new() }
    }

    fn int(&mut self, name: &str) -> Term {
        self.t.var(name, Sort::BitVec(32), SymbolInfo::signed())
    }

    fn unsigned(&mut self, name: &str) -> Term {
        self.t.var(name, Sort::BitVec(32), SymbolInfo::unsigned())
    }

    fn char(&mut self, name: &str) -> Term {
        self.t.var(name, Sort::BitVec(8), SymbolInfo::signed())
    }

    fn number(&mut self, value: i128) -> Term {
        self.t.int(32, value)
    }
}

fn check(f: &Fixture, term: Term, expected: Expect) {
    expected.assert_eq(&f.t.to_c(term));
}

#[test]
fn bounds_have_one_form_and_its_negation() {
    let mut f = Fixture::new();
    let x = f.int("x");
    let [zero, ten, eleven] = [0, 10, 11].map(|n| f.number(n));
    let at_most = f.t.sle(x, ten);
    let below = f.t.slt(x, eleven);
    assert_eq!(at_most, below);
    let above = f.t.not(below);
    assert_eq!(above, f.t.slt(ten, x));
    assert_eq!(f.t.not(above), below);
    let positive = f.t.slt(zero, x);
    let not_negative = f.t.sle(zero, x);
    let all = f.t.all(&[below, positive, not_negative]);
    check(&f, all, expect!["x < 11 && x > 0 && x >= 0"]);
    let none = f.t.and(below, above);
    assert_eq!(none, f.t.bool(false));
}

#[test]
fn linear_terms_cancel_modulo_the_width() {
    let mut f = Fixture::new();
    let (x, y) = (f.int("x"), f.int("y"));
    let (one, two, three) = (f.number(1), f.number(2), f.number(3));
    let a = f.t.add(x, one);
    let b = f.t.add(a, y);
    let doubled = f.t.mul(b, two);
    check(&f, doubled, expect!["2 * x + 2 * y + 2"]);
    let same = f.t.sub(doubled, doubled);
    assert_eq!(same, f.number(0));
    let left = f.t.add(x, three);
    let right = f.t.add(y, one);
    let equal = f.t.eq(left, right);
    check(&f, equal, expect!["x + 2 == y"]);
    let other_way = f.t.eq(right, left);
    assert_eq!(equal, other_way);
    let tripled = f.t.mul(x, three);
    let is_two = f.t.eq(tripled, two);
    check(&f, is_two, expect!["x == 1431655766"]);
    let even = f.t.mul(x, two);
    assert_eq!(f.t.eq(even, one), f.t.bool(false));
}

#[test]
fn truth_values_as_words_fold_back() {
    let mut f = Fixture::new();
    let (x, y) = (f.int("x"), f.int("y"));
    let less = f.t.slt(x, y);
    let word = f.t.bool_to_word(32, less);
    let again = f.t.is_nonzero(word);
    assert_eq!(again, less);
    let zero = f.number(0);
    let negated = f.t.eq(word, zero);
    check(&f, negated, expect!["y <= x"]);
}

#[test]
fn promoted_characters_compare_as_characters() {
    let mut f = Fixture::new();
    let c = f.char("c");
    let wide = f.t.sign_extend(32, c);
    let space = f.number(32);
    let below = f.t.slt(wide, space);
    check(&f, below, expect!["c < 32"]);
    let large = f.number(1000);
    assert_eq!(f.t.slt(wide, large), f.t.bool(true));
    assert_eq!(f.t.eq(wide, large), f.t.bool(false));
    let one = f.number(1);
    let next = f.t.add(wide, one);
    let cut = f.t.extract(7, 0, next);
    check(&f, cut, expect!["(signed char)(c + 1)"]);
}

#[test]
fn signedness_shows_as_casts() {
    let mut f = Fixture::new();
    let (x, y, u) = (f.int("x"), f.int("y"), f.unsigned("u"));
    let unsigned = f.t.ult(x, y);
    check(&f, unsigned, expect!["(unsigned)x < (unsigned)y"]);
    let mixed = f.t.ult(x, u);
    check(&f, mixed, expect!["(unsigned)x < u"]);
    let signed = f.t.slt(u, x);
    check(&f, signed, expect!["(int)u < x"]);
    let two = f.number(2);
    let half = f.t.udiv(u, two);
    check(&f, half, expect!["u >> 1"]);
    let quotient = f.t.sdiv(u, x);
    check(&f, quotient, expect!["(int)u / x"]);
    let one = f.number(1);
    let sum = f.t.add(y, one);
    let less = f.t.slt(x, sum);
    check(&f, less, expect!["x < y + 1"]);
}

#[test]
fn pieces_of_words_fuse() {
    let mut f = Fixture::new();
    let x = f.int("x");
    let bytes: Vec<Term> = (0..4).map(|i| f.t.extract(8 * i + 7, 8 * i, x)).collect();
    let word = bytes
        .into_iter()
        .reduce(|low, high| f.t.concat(high, low))
        .expect("four bytes");
    assert_eq!(word, x);
    let wide = f.t.sign_extend(64, x);
    let low = f.t.extract(31, 0, wide);
    assert_eq!(low, x);
    let high = f.t.extract(63, 40, wide);
    check(
        &f,
        high,
        expect!["(unsigned _BitInt(24))((unsigned long long)(long long)x >> 40)"],
    );
}

#[test]
fn reads_see_through_decided_stores() {
    let mut f = Fixture::new();
    let sort = Sort::Array {
        index: 32,
        element: logic::ElementSort::BitVec(32),
    };
    let memory = f.t.var("mem", sort, SymbolInfo::signed());
    let (p, q, x) = (f.int("p"), f.int("q"), f.int("x"));
    let four = f.number(4);
    let next = f.t.add(p, four);
    let stored = f.t.store(memory, p, x);
    assert_eq!(f.t.select(stored, p), x);
    let beside = f.t.select(stored, next);
    check(&f, beside, expect!["mem[p + 4]"]);
    let open = f.t.select(stored, q);
    check(&f, open, expect!["store(mem, p, x)[q]"]);
    let told = f.t.select_deciding(stored, q, &|_, _, _| Some(false));
    check(&f, told, expect!["mem[q]"]);
    let back = f.t.select(memory, p);
    assert_eq!(f.t.store(memory, p, back), memory);
    assert_eq!(f.t.store(stored, p, back), memory);
}

struct Fields;

impl PrintHook for Fields {
    fn select(&self, terms: &Terms, _array: Term, index: Term) -> Option<Read> {
        let linear = terms.linear(index);
        let [(pointer, 1)] = linear.monomials[..] else {
            return None;
        };
        let field = if linear.constant == 0 {
            "->first"
        } else {
            "->second"
        };
        Some(Read {
            pieces: vec![Piece::Term(pointer), Piece::Text(field.to_owned())],
            signedness: Signedness::Unsigned,
        })
    }
}

#[test]
fn reads_print_through_the_hook() {
    let mut f = Fixture::new();
    let sort = Sort::Array {
        index: 64,
        element: logic::ElementSort::BitVec(32),
    };
    let memory = f.t.var("mem", sort, SymbolInfo::signed());
    let p =
        f.t.var("p", Sort::BitVec(64), SymbolInfo::pointer("struct pair *"));
    let four = f.t.word(64, 4);
    let at = f.t.add(p, four);
    let read = f.t.select(memory, at);
    let x = f.int("x");
    let less = f.t.slt(read, x);
    let text = CPrinter::new(&f.t).with_hook(&Fields).print(less);
    expect!["(int)p->second < x"].assert_eq(&text);
    let zero = f.t.word(64, 0);
    let null = f.t.eq(p, zero);
    check(&f, null, expect!["p == NULL"]);
    check(&f, at, expect!["(char *)p + 4"]);
}

#[test]
fn scripts_declare_what_they_use() {
    let mut f = Fixture::new();
    let (x, y) = (f.int("x"), f.int("y"));
    let less = f.t.slt(x, y);
    let sum = f.t.add(x, y);
    let bound = f.t.slt(sum, x);
    let script = logic::smtlib_script(&f.t, &[less, bound]);
    expect![[r#"
        (declare-fun |x| () (_ BitVec 32))
        (declare-fun |y| () (_ BitVec 32))
        (assert (bvslt |x| |y|))
        (assert (bvslt (bvadd |x| |y|) |x|))
    "#]]
    .assert_eq(&script);
}

/// Nothing recurses over depth: every operation on a term of 50,000 levels works on the small stack of a test thread.
#[test]
fn deep_terms_need_no_stack() {
    const DEPTH: usize = 50_000;
    let deep = || {
        let mut f = Fixture::new();
        let (x, y) = (f.int("x"), f.int("y"));
        let mut term = x;
        let mut memory = {
            let sort = Sort::Array {
                index: 32,
                element: logic::ElementSort::BitVec(32),
            };
            f.t.var("mem", sort, SymbolInfo::signed())
        };
        let mut formula = f.t.slt(x, y);
        for level in 0..DEPTH {
            term = match level % 4 {
                0 => f.t.bit_xor(term, y),
                1 => f.t.mul(term, x),
                2 => f.t.ite(formula, term, y),
                _ => f.t.sdiv(term, y),
            };
            memory = f.t.store(memory, term, x);
            let atom = f.t.slt(term, x);
            formula = if level % 2 == 0 {
                f.t.and(formula, atom)
            } else {
                f.t.or(formula, atom)
            };
        }
        let read = f.t.select(memory, y);
        let goal = f.t.eq(read, term);
        let all = f.t.and(goal, formula);
        assert!(f.t.size(all) > 2 * DEPTH);
        let symbol = f.t.find_symbol("x").expect("it was made");
        let one = f.number(1);
        let next = f.t.add(x, one);
        let replaced = f.t.substitute(all, &[(symbol, next)]);
        assert_ne!(replaced, all);
        assert_eq!(f.t.simplify(all), all);
        assert!(!f.t.atoms(all).is_empty() && !f.t.conjuncts(all).is_empty());
        let mut assignment = logic::Assignment::new();
        assignment.complete_with_zero = true;
        assert!(f.t.eval(replaced, &assignment).is_ok());
        assert!(!CPrinter::new(&f.t).print(all).is_empty());
        assert!(logic::smtlib_script(&f.t, &[all]).len() > DEPTH);
        assert_eq!(f.t.op(read), Op::Select);
    };
    std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(deep)
        .expect("a thread starts")
        .join()
        .expect("no overflow");
}
