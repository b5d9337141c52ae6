//! Machine words and floats.

use super::proof;

#[test]
fn unsigned_wrap() {
    proof(
        "
int main(void) {
    unsigned u = 0;
    u--;
    inv(u == 4294967295u);
    u += 2;
    inv(u == 1);
    if (u != 1) reach_error();
}",
    );
}

#[test]
fn char_wrap() {
    proof(
        "
int main(void) {
    unsigned char c = 250;
    int n = 0;
    while (c) {
        inv(c >= 250, c == 250 + n);
        c++;
        n++;
    }
    inv(n == 6);
    if (n != 6) reach_error();
}",
    );
}

#[test]
fn bits() {
    proof(
        "
int main(void) {
    unsigned mask = 1;
    while (mask < 256) {
        inv((mask & (mask - 1)) == 0, mask != 0, mask < 256);
        mask <<= 1;
    }
    inv((mask & (mask - 1)) == 0, mask != 0);
    if (mask == 300) reach_error();
    if (mask == 0) reach_error();
}",
    );
}

#[test]
fn signs() {
    proof(
        "
int main(void) {
    int a = -1;
    unsigned b = 1;
    inv(a == -1, b == 1);
    if (a < b) reach_error();
    inv(a == -1, b == 1);
    if (a > (int) b) reach_error();
}",
    );
}

#[test]
fn widths() {
    proof(
        "
int main(void) {
    int n = __VERIFIER_nondet_int();
    long long wide = (long long) n * 2;
    inv(wide == (long long) n * 2);
    if (wide - n != n) reach_error();
}",
    );
}

#[test]
fn a_float() {
    proof(
        "
int main(void) {
    float f = 0.5f;
    inv(f == 0.5f);
    f = f + f;
    inv(f == 1.0f);
    if (f < 1.0f) reach_error();
}",
    );
}

#[test]
fn not_a_number() {
    proof(
        "
int main(void) {
    float d = 0.0f;
    int same = d == d;
    inv(same == 1, d == 0.0f);
    d = d / d;
    inv(d != d, same == 1);
    if (d == d || !same) reach_error();
}",
    );
}

#[test]
fn division_where_defined() {
    proof(
        "
int main(void) {
    int n = __VERIFIER_nondet_int(), sure = 1;
    inv(sure == 1);
    int q = 10 / n; // defined
    inv(sure == 1, n != 0);
    if (n == 0 || !sure) reach_error();
}",
    );
}
