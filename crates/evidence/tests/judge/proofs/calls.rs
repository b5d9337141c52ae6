//! Calls: results, globals, entry values, recursion, pointers to functions.

use super::proof;

#[test]
fn a_result() {
    proof(
        "
extern int result;
int two(void) { ensures(result == 2); return 2; }
int main(void) {
    int x = 5;
    inv(x == 5);
    int y = two();
    inv(x == 5, y == 2);
    if (x + y != 7) reach_error();
}",
    );
}

#[test]
fn a_result_of_the_argument() {
    proof(
        "
extern int result, old_n;
int next(int n) { ensures(result == old_n + 1); n = n + 1; return n; }
int main(void) {
    int x = 5;
    inv(x == 5);
    x = next(x);
    inv(x == 6);
    if (x != 6) reach_error();
}",
    );
}

#[test]
fn an_argument_that_keeps_its_value() {
    proof(
        "
extern int result;
int next(int n) { ensures(result == n + 1); return n + 1; }
int main(void) {
    int x = 5;
    inv(x == 5);
    x = next(x);
    inv(x == 6);
    if (x != 6) reach_error();
}",
    );
}

#[test]
fn what_callers_promise() {
    proof(
        "
void positive(int n) { inv(n > 0); if (n <= 0) reach_error(); }
int main(void) {
    int x = 1;
    while (x < 5) {
        inv(x > 0, x < 5);
        positive(x);
        inv(x > 0, x < 5);
        x++;
    }
}",
    );
}

#[test]
fn a_global_changed_by_a_callee() {
    proof(
        "
extern int old_g;
int g = 1;
void add(void) { ensures(g == old_g + 1); g = g + 1; }
int main(void) {
    inv(g == 1);
    add();
    inv(g == 2);
    add();
    inv(g == 3);
    if (g != 3) reach_error();
}",
    );
}

#[test]
fn a_global_left_alone() {
    proof(
        "
int g = 1, h = 1;
void set(void) { ensures(h == 2); h = 2; }
int main(void) {
    inv(g == 1);
    set();
    inv(g == 1, h == 2);
    if (g + h != 3) reach_error();
}",
    );
}

#[test]
fn a_deep_change() {
    proof(
        "
int g;
void inner(void) { ensures(g == 4); g = 4; }
void outer(void) { ensures(g == 4); inv(1); inner(); }
int main(void) {
    inv(1);
    outer();
    inv(g == 4);
    if (g != 4) reach_error();
}",
    );
}

#[test]
fn recursion() {
    proof(
        "
extern int result, old_n;
int sum(int n) {
    ensures(old_n < 0 || result == old_n);
    inv(n == old_n);
    if (n <= 0) return n;
    inv(n == old_n, n > 0);
    int rest = sum(n - 1);
    inv(n == old_n, rest == n - 1);
    return rest + 1;
}
int main(void) {
    int x = 3;
    inv(x == 3);
    int y = sum(x);
    inv(y == 3);
    if (y != 3) reach_error();
}",
    );
}

#[test]
fn recursion_keeps_the_callers_locals() {
    proof(
        "
int deep(int n) {
    int mine = n;
    if (n > 0) {
        inv(mine == n);
        deep(n - 1);
        inv(mine == n);
        if (mine != n) reach_error();
    }
    return 0;
}
int main(void) {
    int x = 9;
    inv(x == 9);
    deep(2);
    inv(x == 9);
    if (x != 9) reach_error();
}",
    );
}

#[test]
fn mutual_recursion() {
    proof(
        "
extern int result, old_n;
int odd(unsigned n);
int even(unsigned n) {
    ensures(result == 0 || result == 1);
    if (n == 0) return 1;
    inv(1);
    int x = odd(n - 1);
    inv(x == 0 || x == 1);
    return x;
}
int odd(unsigned n) {
    ensures(result == 0 || result == 1);
    if (n == 0) return 0;
    inv(1);
    int x = even(n - 1);
    inv(x == 0 || x == 1);
    return x;
}
int main(void) {
    int x = 1;
    inv(x == 1);
    int y = even(6);
    inv(x == 1, y == 0 || y == 1);
    if (y > x) reach_error();
}",
    );
}

#[test]
fn through_function_pointers() {
    proof(
        "
extern int result;
int one(void) { ensures(result == 1); return 1; }
int two(void) { ensures(result == 2); return 2; }
int main(void) {
    int (*f)(void) = __VERIFIER_nondet_int() ? one : two;
    inv(f == one || f == two);
    int y = f();
    inv(y == 1 || y == 2);
    if (y < 1 || y > 2) reach_error();
}",
    );
}

#[test]
fn a_function_pointer_that_is_known() {
    proof(
        "
extern int result;
int one(void) { ensures(result == 1); return 1; }
int two(void) { ensures(result == 2); return 2; }
int main(void) {
    int (*f)(void) = one;
    int (*g)(void) = two;
    inv(f == one, g == two);
    int y = f();
    inv(y == 1, g == two);
    int z = g();
    inv(y == 1, z == 2);
    if (y != 1 || z != 2) reach_error();
}",
    );
}

#[test]
fn out_parameters() {
    proof(
        "
void set(int *p) { ensures(*p == 3); *p = 3; }
int main(void) {
    int x = 0, y = 1;
    inv(y == 1);
    set(&x);
    inv(x == 3, y == 1);
    if (x != 3 || y != 1) reach_error();
}",
    );
}

#[test]
fn structs_by_value() {
    proof(
        "
struct pair { int a, b; };
struct pair swapped(struct pair p) {
    struct pair q = {p.b, p.a};
    return q;
}
void check(struct pair p) { inv(p.a == 1, p.b == 2); if (p.a != 1 || p.b != 2) reach_error(); }
int main(void) {
    struct pair p = {1, 2};
    inv(p.a == 1, p.b == 2);
    check(p);
    inv(p.a == 1, p.b == 2);
    if (p.a > p.b) reach_error();
}",
    );
}

#[test]
fn a_callee_that_does_not_return() {
    proof(
        "
void stop(void) { ensures(0); while (1) inv(1); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x) {
        inv(1);
        stop();
        inv(0);
        reach_error();
    }
}",
    );
}

#[test]
fn a_static_local() {
    proof(
        "
extern int result;
int once(void) {
    static int called = 0;
    ensures(result == 0 || result == 1);
    if (called) return 1;
    called = 1;
    return 0;
}
int main(void) {
    int x = 2;
    inv(x == 2);
    int y = once();
    inv(x == 2, y == 0 || y == 1);
    if (y >= x) reach_error();
}",
    );
}

#[test]
fn entry_values_of_globals() {
    proof(
        "
extern int old_depth;
int depth = 0;
void leave(void) { ensures(depth == old_depth); depth++; depth--; }
int main(void) {
    for (;;) {
        inv(depth == 0);
        int more = __VERIFIER_nondet_int();
        if (!more) break;
        inv(depth == 0);
        leave();
        inv(depth == 0);
        if (depth) reach_error();
    }
}",
    );
}

#[test]
fn different_things_for_different_callers() {
    proof(
        "
extern int result, old_on;
int mode(int on) { ensures(old_on ? result == 1 : result == 2); return on ? 1 : 2; }
int main(void) {
    int z = 0;
    inv(z == 0);
    int a = mode(1);
    inv(a == 1, z == 0);
    int b = mode(0);
    inv(a == 1, b == 2, z == 0);
    if (a != 1 || b != 2 || z) reach_error();
}",
    );
}

#[test]
fn the_entry_called_again() {
    proof(
        "
int g = 0;
int main(void) {
    inv(g >= 0, g <= 1);
    if (g < 0 || g > 1) reach_error();
    if (g == 0) {
        g = 1;
        inv(g == 1);
        main();
    }
    return 0;
}",
    );
}
