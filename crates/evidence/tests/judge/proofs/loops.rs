//! Loops and branches.

use super::proof;

#[test]
fn counting_up() {
    proof(
        "
int main(void) {
    int i = 0;
    while (i < 10) {
        inv(i >= 0, i < 10);
        i++;
    }
    inv(i == 10);
    if (i != 10) reach_error();
}",
    );
}

#[test]
fn counting_down() {
    proof(
        "
int main(void) {
    int i = 20;
    do {
        inv(i > 0, i <= 20);
        i--;
    } while (i > 0);
    inv(i == 0);
    if (i) reach_error();
}",
    );
}

#[test]
fn two_in_step() {
    proof(
        "
int main(void) {
    int x = 0, y = 0;
    for (;;) {
        inv(x == y);
        if (__VERIFIER_nondet_int()) break;
        inv(x == y);
        x += 2;
        y += 2;
    }
    if (x != y) reach_error();
}",
    );
}

#[test]
fn three_in_a_line() {
    proof(
        "
int main(void) {
    int a = 0, b = 1, c = 2;
    while (c < 1000) {
        inv(b == a + 1, c == b + 1);
        a = a + 1; b = b + 1; c = c + 1;
    }
    inv(b == a + 1, c == b + 1);
    if (c != a + 2) reach_error();
}",
    );
}

#[test]
fn nested() {
    proof(
        "
int main(void) {
    int i = 0, n = 0;
    while (i < 3) {
        inv(i >= 0, i < 3, n == 4 * i);
        int j = 0;
        while (j < 4) {
            inv(i >= 0, i < 3, j >= 0, j < 4, n == 4 * i + j);
            n++;
            j++;
        }
        inv(i >= 0, i < 3, n == 4 * i + 4);
        i++;
    }
    inv(n == 12);
    if (n != 12) reach_error();
}",
    );
}

#[test]
fn left_by_break() {
    proof(
        "
int main(void) {
    int found = 0, i = 0;
    while (1) {
        inv(!found);
        i = __VERIFIER_nondet_int();
        inv(!found);
        if (i == 7) { found = 1; break; }
        if (found) reach_error();
    }
    inv(found, i == 7);
    if (!found || i != 7) reach_error();
}",
    );
}

#[test]
fn gone_on_by_continue() {
    proof(
        "
int main(void) {
    int odd = 0, i;
    for (i = 0; i < 8; i++) {
        inv(odd == 0, i >= 0, i < 8);
        if (i % 2) continue;
        if (i & 1) odd = 1;
    }
    inv(odd == 0);
    if (odd) reach_error();
}",
    );
}

#[test]
fn a_loop_of_gotos() {
    proof(
        "
int main(void) {
    unsigned n = 5;
again:
    inv(n <= 5, n > 0);
    n--;
    if (n) goto again;
    inv(n == 0);
    if (n) reach_error();
}",
    );
}

#[test]
fn lock_and_unlock() {
    proof(
        "
int main(void) {
    int lock = 0, more = 1;
    while (more) {
        inv(lock == 0);
        if (lock) reach_error();
        lock = 1;
        inv(lock == 1);
        more = __VERIFIER_nondet_int();
        inv(lock == 1);
        if (!lock) reach_error();
        lock = 0;
    }
    inv(lock == 0);
    if (lock) reach_error();
}",
    );
}

#[test]
fn a_machine_of_states() {
    proof(
        "
int main(void) {
    int state = 1, seen = 0;
    while (1) {
        inv(state == 1 || state == 2 && seen == 5);
        switch (state) {
        case 1: seen = 5; state = 2; break;
        case 2: if (seen != 5) reach_error(); state = 1; break;
        default: reach_error();
        }
    }
}",
    );
}

#[test]
fn an_assumption() {
    proof(
        "
int main(void) {
    inv(1);
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 3);
    inv(n > 3);
    if (n < 4) reach_error();
}",
    );
}

#[test]
fn after_the_end() {
    proof(
        "
int main(void) {
    int n = 1;
    inv(n == 1);
    if (n == 3) {
        abort();
        reach_error();
    }
    if (n == 2) reach_error();
}",
    );
}

#[test]
fn a_choice() {
    proof(
        "
int main(void) {
    int a = 4, b = a > 3 ? a : 3;
    inv(b >= 3, a == 4);
    int c = a > 3 && b > 2 || a == 0;
    inv(c);
    if (!c) reach_error();
}",
    );
}

#[test]
fn loops_apart() {
    proof(
        "
int main(void) {
    int i = 0, j = 0;
    while (i < 5) { inv(i >= 0, i < 5); i++; }
    inv(i == 5);
    j = 1;
    while (j < 5) { inv(i == 5, j >= 1, j < 5); j++; }
    inv(i == 5, j == 5);
    if (i + j != 10) reach_error();
}",
    );
}
