//! Text and DOT forms, call graphs and loops of small programs built by hand.

#![allow(clippy::unwrap_used)]

mod support;

use expect_test::{Expect, expect};
use program::*;
use support::{Build, add_function};

/// `for (i = start; i op limit; i = i + step) ;`, or with the test last.
struct Counting {
    start: i128,
    op: BinaryOp,
    limit: i128,
    step: i128,
    kind: IntKind,
    test_first: bool,
}

impl Counting {
    fn new(start: i128, op: BinaryOp, limit: i128, step: i128) -> Counting {
        Counting {
            start,
            op,
            limit,
            step,
            kind: IntKind::Int,
            test_first: true,
        }
    }

    fn build(&self) -> (Build, VarId) {
        let mut b = Build::new(DataModel::Lp64);
        let (int, ty) = (b.int_ty(), b.ty(self.kind));
        let i = b.var("i", ty);
        let read = b.p.read_var(i);
        let promoted = b.p.convert(read, int);
        let (start, limit, step) = (
            b.p.int(self.start, ty),
            b.p.int(self.limit, int),
            b.p.int(self.step, int),
        );
        let condition = b.compare(self.op, promoted, limit);
        let sum = b.binary(BinaryOp::Add, promoted, step);
        let sum = b.p.convert(sum, ty);
        let (entry, head, middle, done) = (b.entry(), b.loc(), b.loc(), b.loc());
        b.assign(entry, head, i, start);
        if self.test_first {
            b.assume(head, middle, condition, true);
            b.assume(head, done, condition, false);
            b.assign(middle, head, i, sum);
        } else {
            b.assign(head, middle, i, sum);
            b.assume(middle, head, condition, true);
            b.assume(middle, done, condition, false);
        }
        b.ret(done);
        (b, i)
    }

    fn bound(&self) -> Option<u64> {
        let (b, _) = self.build();
        bound(&b)
    }
}

/// The bound of the only loop.
fn bound(b: &Build) -> Option<u64> {
    let loops = Loops::new(&b.p, b.f);
    let (id, _) = loops.iter().next().unwrap();
    assert_eq!(loops.iter().count(), 1);
    iteration_bound(&b.p, &loops, id, &AddressTaken::new(&b.p))
}

#[test]
fn text_form_of_a_function() {
    let (mut b, _) = Counting::new(0, BinaryOp::Lt, 10, 1).build();
    let done = b.p.functions[b.f].body.as_ref().unwrap().locs[4];
    b.p.locs[done].labels.push(Label {
        name: "ERROR".to_owned(),
        span: None,
        statement: None,
    });
    expect![[r#"
        int f(void) {
          int i;
        L0:
          i = 0 -> L1
        L1:
          assume i < 10 -> L2
          assume !(i < 10) -> L3
        L2:
          i = i + 1 -> L1
        L3 ERROR:
          return -> exit
        }
    "#]]
    .assert_eq(&program_text(&b.p, TextOptions::default()));
}

#[test]
fn text_form_of_globals_calls_and_sources() {
    let mut b = Build::new(DataModel::Lp64);
    let int = b.int_ty();
    let pair = b.record(RecordKind::Struct, "pair", &[("first", int), ("second", int)]);
    let global = |b: &mut Build, name: &str, ty, initial| {
        b.p.vars.push(Var {
            name: name.to_owned(),
            ty,
            kind: VarKind::Global(initial),
            function: None,
            span: None,
            is_const: false,
            align: 0,
        })
    };
    let n = global(&mut b, "n", int, Initial::Values(vec![]));
    let place = b.p.var_place(n);
    let three = b.p.int(3, int);
    b.p.vars[n].kind = VarKind::Global(Initial::Values(vec![(place, three)]));
    let x = global(&mut b, "x", pair, Initial::Values(vec![]));
    let place = b.p.var_place(x);
    let second = b.p.field(place, 1);
    b.p.vars[x].kind = VarKind::Global(Initial::Values(vec![(second, three)]));
    global(&mut b, "outside", int, Initial::External);
    let char = b.ty(IntKind::Char);
    let chars = b.p.types.array(char, Some(4));
    global(&mut b, "\"a\\\"b\"", chars, Initial::Bytes(b"a\"b\0".to_vec()));
    let local = b.var("n", int);
    let result = b.p.var_place(local);
    let file =
        b.p.sources
            .add("some/folder/main.c".to_owned(), "int f(void);\n".to_owned());
    let span = Span {
        file,
        line: 3,
        column: 5,
        end_line: 3,
        end_column: 8,
        origin: None,
    };
    let (entry, next) = (b.entry(), b.loc());
    let call = EdgeKind::Call {
        result: Some(result),
        callee: Callee::Direct(b.f),
        arguments: vec![three],
    };
    b.p.add_edge(entry, next, call, Some(span));
    let last = b.loc();
    let what = "setjmp \"here\"".to_owned();
    b.p.add_edge(next, last, EdgeKind::Unsupported { what }, None);
    expect![[r#"
        int n = 3
        struct pair x
          x.second = 3
        extern int outside
        char "a\"b"[4] = bytes "a\"b\000"

        int f(void) {
          int n#2;
        L0:
          n#2 = f(3) -> L1  // main.c:3:5
        L1:
          unsupported: setjmp "here" -> L2
        L2:
        }
    "#]]
    .assert_eq(&program_text(&b.p, TextOptions { spans: true }));
    expect![[r#"
        digraph program {
          node [shape=box, fontname="monospace"];
          edge [fontname="monospace"];
          subgraph "cluster_0" {
            label="int f(void)";
            "0.L0" [label="L0", style=bold];
            "0.exit" [label="exit", peripheries=2];
            "0.L1" [label="L1"];
            "0.L2" [label="L2"];
            "0.L0" -> "0.L1" [label="n#2 = f(3)", color=blue];
            "0.L1" -> "0.L2" [label="unsupported: setjmp \"here\"", color=red, fontcolor=red];
          }
        }
    "#]]
    .assert_eq(&function_dot(&b.p, b.f));
    assert_eq!(program_dot(&b.p), function_dot(&b.p, b.f));
}

#[test]
fn call_graph_with_pointers_and_recursion() {
    let mut b = Build::new(DataModel::Lp64);
    let (g, h, other) = (
        add_function(&mut b.p, "g"),
        add_function(&mut b.p, "h"),
        add_function(&mut b.p, "other"),
    );
    let int = b.int_ty();
    let unary = b.p.types.intern(Type::Function(FunctionType {
        result: int,
        params: vec![int],
        variadic: false,
    }));
    b.p.functions[other].ty = unary;
    let pointer = {
        let ty = b.p.functions[h].ty;
        b.p.types.pointer(ty)
    };
    let unary_pointer = b.p.types.pointer(unary);
    let fp = b.var("fp", pointer);
    let (take_h, take_other) = (
        b.p.exprs.add(ExprKind::Function(h), pointer),
        b.p.exprs.add(ExprKind::Function(other), unary_pointer),
    );
    let casted = b.cast(take_other, pointer);
    let [l1, l2, l3, l4] = [0; 4].map(|_| b.loc());
    let entry = b.entry();
    b.assign(entry, l1, fp, take_h);
    b.assign(l1, l2, fp, casted);
    let read = b.p.read_var(fp);
    let call = |callee| EdgeKind::Call {
        result: None,
        callee,
        arguments: vec![],
    };
    let indirect = b.p.add_edge(l2, l3, call(Callee::Indirect(read)), None);
    b.p.add_edge(l3, l4, call(Callee::Direct(g)), None);
    let entry_of = |p: &Program, f: FuncId| p.functions[f].body.as_ref().unwrap().entry;
    let exit_of = |p: &Program, f: FuncId| p.functions[f].body.as_ref().unwrap().exit;
    let (from, to) = (entry_of(&b.p, g), exit_of(&b.p, g));
    b.p.add_edge(from, to, call(Callee::Direct(b.f)), None);

    assert_eq!(address_taken_functions(&b.p), vec![h, other]);
    let graph = CallGraph::new(&b.p, &TypeResolver::new(&b.p));
    assert_eq!(graph.sites().len(), 3);
    assert_eq!(graph.sites_in(b.f)[0].edge, indirect);
    assert_eq!(graph.sites_in(b.f)[0].targets, vec![h]);
    assert_eq!(graph.callees(b.f), &[g, h]);
    assert_eq!(graph.callers(b.f), &[g]);
    assert_eq!(graph.components(), &[vec![h], vec![b.f, g], vec![other]]);
    assert!(graph.is_recursive(b.f) && graph.is_recursive(g) && !graph.is_recursive(h));
    assert_eq!(graph.reachable_from(b.f), vec![b.f, g, h]);
    assert_eq!(graph.reachable_from(h), vec![h]);
}

#[test]
fn evident_bounds() {
    assert_eq!(Counting::new(0, BinaryOp::Lt, 10, 1).bound(), Some(10));
    assert_eq!(Counting::new(0, BinaryOp::Le, 10, 3).bound(), Some(4));
    assert_eq!(Counting::new(0, BinaryOp::Lt, 10, 3).bound(), Some(4));
    assert_eq!(Counting::new(10, BinaryOp::Gt, 0, -1).bound(), Some(10));
    assert_eq!(Counting::new(10, BinaryOp::Ge, 0, -4).bound(), Some(3));
    assert_eq!(Counting::new(0, BinaryOp::Ne, 12, 4).bound(), Some(3));
    assert_eq!(Counting::new(7, BinaryOp::Eq, 7, 1).bound(), Some(1));
    assert_eq!(Counting::new(20, BinaryOp::Lt, 10, 1).bound(), Some(0));
    let last = Counting {
        test_first: false,
        ..Counting::new(0, BinaryOp::Lt, 10, 1)
    };
    assert_eq!(last.bound(), Some(9));
    let narrow = Counting {
        kind: IntKind::UChar,
        ..Counting::new(0, BinaryOp::Lt, 200, 1)
    };
    assert_eq!(narrow.bound(), Some(200));
}

#[test]
fn no_bound_is_guessed() {
    // Runs away from the limit, jumps over it, or wraps around.
    assert_eq!(Counting::new(0, BinaryOp::Lt, 10, -1).bound(), None);
    assert_eq!(Counting::new(0, BinaryOp::Ne, 10, 3).bound(), None);
    assert_eq!(Counting::new(0, BinaryOp::Lt, 10, 0).bound(), None);
    assert_eq!(Counting::new(0, BinaryOp::Le, i32::MAX.into(), 1).bound(), None);
    let narrow = Counting {
        kind: IntKind::UChar,
        ..Counting::new(0, BinaryOp::Lt, 300, 1)
    };
    assert_eq!(narrow.bound(), None);

    // A pointer may change the counter.
    let (mut b, i) = Counting::new(0, BinaryOp::Lt, 10, 1).build();
    let int = b.int_ty();
    let pointer = b.p.types.pointer(int);
    let p = b.var("p", pointer);
    let place = b.p.var_place(i);
    let address = b.p.exprs.add(ExprKind::AddressOf(place), pointer);
    let (entry, start) = (b.entry(), b.loc());
    b.assign(entry, start, p, address);
    assert_eq!(bound(&b), None);

    // A second write in the loop.
    let (mut b, i) = Counting::new(0, BinaryOp::Lt, 10, 1).build();
    let locs = b.p.functions[b.f].body.as_ref().unwrap().locs.clone();
    let int = b.int_ty();
    let zero = b.p.int(0, int);
    b.assign(locs[3], locs[2], i, zero);
    assert_eq!(bound(&b), None);

    // A way around the step.
    let (mut b, _) = Counting::new(0, BinaryOp::Lt, 10, 1).build();
    let locs = b.p.functions[b.f].body.as_ref().unwrap().locs.clone();
    b.skip(locs[3], locs[2]);
    assert_eq!(bound(&b), None);
}

fn show(b: &Build, expected: Expect) {
    let names = LocNames::new(&b.p, b.f);
    let loops = Loops::new(&b.p, b.f);
    let list = |locs: &[LocId]| locs.iter().map(|&l| names.name(l)).collect::<Vec<_>>().join(" ");
    let mut text = format!("order {}\n", list(loops.flow().reverse_post_order()));
    for (_, l) in loops.iter() {
        text += &format!(
            "loop {} depth {}: {}\n",
            names.name(l.head),
            l.depth,
            list(&l.body)
        );
    }
    for region in loops.irreducible() {
        text += &format!(
            "irreducible {} entered at {}\n",
            list(&region.body),
            list(&region.entries)
        );
    }
    text += &format!("cut points {}\n", list(loops.cut_points()));
    expected.assert_eq(&text);
}

fn graph(edges: &[(usize, usize)]) -> Build {
    let mut b = Build::new(DataModel::Lp64);
    let last = edges.iter().map(|&(from, to)| from.max(to)).max().unwrap();
    let mut locs = vec![b.entry()];
    for _ in 0..last {
        locs.push(b.loc());
    }
    for &(from, to) in edges {
        b.skip(locs[from], locs[to]);
    }
    b
}

#[test]
fn nested_loops() {
    let b = graph(&[(0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 1), (1, 5), (3, 5)]);
    show(
        &b,
        expect![[r#"
            order L0 L1 L2 L3 L4 L5
            loop L1 depth 1: L1 L2 L3 L4
            loop L2 depth 2: L2 L3
            cut points L1 L2
        "#]],
    );
    let flow = Flow::new(&b.p, b.f);
    let locs = &b.p.functions[b.f].body.as_ref().unwrap().locs;
    let at = |n: usize| if n == 0 { locs[0] } else { locs[n + 1] };
    assert!(flow.dominates(at(1), at(5)) && !flow.dominates(at(2), at(5)));
    assert!(flow.dominates(at(2), at(4)) && !flow.dominates(at(3), at(4)));
}

#[test]
fn a_jump_into_a_loop_is_irreducible() {
    let b = graph(&[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
    show(
        &b,
        expect![[r#"
            order L0 L2 L1 L3
            irreducible L2 L1 entered at L2 L1
            cut points L2
        "#]],
    );
    // The knot inside a natural loop.
    let b = graph(&[
        (0, 1),
        (1, 2),
        (1, 3),
        (2, 3),
        (3, 2),
        (3, 4),
        (4, 1),
        (1, 5),
        (4, 4),
    ]);
    show(
        &b,
        expect![[r#"
            order L0 L1 L3 L2 L4 L5
            loop L1 depth 1: L1 L3 L2 L4
            loop L4 depth 2: L4
            irreducible L3 L2 entered at L3 L2
            cut points L1 L3 L4
        "#]],
    );
}

#[test]
fn every_cycle_passes_a_cut_point() {
    // Random graphs: without the edges into cut points nothing is cyclic, and dominance is what path search says.
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    for _ in 0..300 {
        let nodes = 2 + random(9);
        let edges: Vec<(usize, usize)> = (0..nodes * 2).map(|_| (random(nodes), random(nodes))).collect();
        let mut edges = edges;
        edges.push((0, nodes - 1));
        let b = graph(&edges);
        let loops = Loops::new(&b.p, b.f);
        let flow = loops.flow();
        let order = flow.reverse_post_order();
        let reach_without = |start: LocId, without: Option<LocId>, cut: bool| -> Vec<LocId> {
            let mut seen = vec![];
            let mut pending = vec![start];
            while let Some(loc) = pending.pop() {
                for &edge in &b.p.locs[loc].outgoing {
                    let to = b.p.edges[edge].to;
                    let blocked = Some(to) == without || (cut && loops.cut_points().contains(&to));
                    if !blocked && !seen.contains(&to) {
                        seen.push(to);
                        pending.push(to);
                    }
                }
            }
            seen
        };
        for &a in order {
            assert!(
                !reach_without(a, None, true).contains(&a),
                "a cycle without a cut point: {edges:?}"
            );
            for &c in order {
                let by_paths = a == c
                    || a == order[0]
                    || (c != order[0] && !reach_without(order[0], Some(a), false).contains(&c));
                assert_eq!(flow.dominates(a, c), by_paths, "{a} dominates {c} in {edges:?}");
            }
        }
    }
}

#[test]
fn long_functions_do_not_exhaust_the_stack() {
    let count = 100_000;
    let mut edges: Vec<(usize, usize)> = (0..count).map(|n| (n, n + 1)).collect();
    edges.push((count, 1));
    let b = graph(&edges);
    let loops = Loops::new(&b.p, b.f);
    assert_eq!(loops.flow().reverse_post_order().len(), count + 1);
    assert_eq!(loops.iter().next().unwrap().1.body.len(), count);
    let graph = CallGraph::new(&b.p, &TypeResolver::new(&b.p));
    assert_eq!(graph.components().len(), 1);
}
