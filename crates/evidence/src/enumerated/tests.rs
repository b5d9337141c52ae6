use super::*;

const WORD: Sort = Sort::BitVec(8);

fn truth(value: bool) -> Option<Value> {
    Some(Value::Bool(value))
}

fn word(bits: u128) -> Option<Value> {
    Some(Value::word(8, bits))
}

fn applied_to(op: Op, sort: Sort, args: &[Option<Value>]) -> Option<Value> {
    applied(op, sort, args.to_vec())
}

#[test]
fn one_argument_may_decide() {
    let both = |op: Op, a: Option<Value>, b: Option<Value>| {
        let one = applied_to(op, Sort::Bool, &[a.clone(), b.clone()]);
        assert_eq!(one, applied_to(op, Sort::Bool, &[b, a]));
        one
    };
    assert_eq!(both(Op::And, truth(false), None), truth(false));
    assert_eq!(both(Op::And, truth(true), None), None);
    assert_eq!(both(Op::And, truth(true), truth(true)), truth(true));
    assert_eq!(both(Op::And, truth(true), truth(false)), truth(false));
    assert_eq!(both(Op::Or, truth(true), None), truth(true));
    assert_eq!(both(Op::Or, truth(false), None), None);
    assert_eq!(both(Op::Or, truth(false), truth(false)), truth(false));
    assert_eq!(both(Op::Or, truth(false), truth(true)), truth(true));
    assert_eq!(applied_to(Op::Not, Sort::Bool, &[None]), None);
    assert_eq!(applied_to(Op::Not, Sort::Bool, &[truth(true)]), truth(false));
}

#[test]
fn nothing_times_whatever_is_nothing() {
    for op in [Op::Mul, Op::BitAnd] {
        assert_eq!(applied_to(op, WORD, &[word(0), None]), word(0));
        assert_eq!(applied_to(op, WORD, &[None, word(0)]), word(0));
        assert_eq!(applied_to(op, WORD, &[word(3), None]), None);
    }
    assert_eq!(applied_to(Op::Mul, WORD, &[word(3), word(5)]), word(15));
    assert_eq!(applied_to(Op::BitAnd, WORD, &[word(3), word(6)]), word(2));
    assert_eq!(applied_to(Op::Add, WORD, &[word(0), None]), None);
    assert_eq!(applied_to(Op::BitOr, WORD, &[word(0), None]), None);
    assert_eq!(applied_to(Op::BitOr, WORD, &[word(0), word(6)]), word(6));
}

#[test]
fn choices() {
    let choice = |condition, then, otherwise| applied_to(Op::Ite, WORD, &[condition, then, otherwise]);
    assert_eq!(choice(truth(true), word(1), None), word(1));
    assert_eq!(choice(truth(false), None, word(2)), word(2));
    assert_eq!(choice(truth(true), None, word(2)), None);
    assert_eq!(choice(truth(false), word(1), None), None);
    assert_eq!(choice(None, word(1), word(2)), None);
    assert_eq!(choice(None, word(1), word(1)), word(1));
    assert_eq!(choice(None, None, None), None);
}
