//! Pointers, records, arrays and allocated memory.

use super::proof;

#[test]
fn through_a_pointer() {
    proof(
        "
int main(void) {
    int x = 1, *p = &x;
    inv(p == &x);
    *p = 2;
    inv(x == 2);
    if (x != 2) reach_error();
}",
    );
}

#[test]
fn two_pointers() {
    proof(
        "
int main(void) {
    int x = 1, y = 2, *p = &x, *q = &y;
    inv(p == &x, q == &y, x == 1);
    *q = 5;
    inv(p == &x, x == 1, y == 5);
    if (*p != 1 || y != 5) reach_error();
}",
    );
}

#[test]
fn one_or_the_other() {
    proof(
        "
int main(void) {
    int x = 0, y = 0, *p;
    inv(x == 0, y == 0);
    if (__VERIFIER_nondet_int()) p = &x; else p = &y;
    inv(p == &x || p == &y, x == 0, y == 0);
    *p = 3;
    inv(x + y == 3);
    if (x + y != 3) reach_error();
}",
    );
}

#[test]
fn an_array() {
    proof(
        "
int main(void) {
    int a[4], i = 0;
    while (i < 4) {
        inv(i >= 0, i < 4, (i < 1) | (a[0] == 7));
        a[i] = 7;
        i++;
    }
    inv(a[0] == 7);
    if (a[0] != 7) reach_error();
}",
    );
}

#[test]
fn a_global_array() {
    proof(
        "
int a[3] = {1, 2, 3};
int main(void) {
    inv(a[1] == 2, a[2] == 3);
    a[0] = 9;
    inv(a[1] == 2, a[2] == 3);
    if (a[1] != 2) reach_error();
    if (a[2] != 3) reach_error();
}",
    );
}

#[test]
fn fields() {
    proof(
        "
struct pair { int a, b; };
int main(void) {
    struct pair p = {1, 2}, q;
    q = p;
    inv(q.a == 1, q.b == 2);
    q.a++;
    inv(q.a == 2, q.b == 2);
    if (q.a != q.b) reach_error();
}",
    );
}

#[test]
fn fields_behind_a_pointer() {
    proof(
        "
struct pair { int a, b; };
int main(void) {
    struct pair p, *q = &p;
    inv(q == &p);
    q->a = 4;
    inv(q == &p, p.a == 4);
    q->b = q->a + 1;
    inv(p.b == 5);
    if (p.b != 5) reach_error();
}",
    );
}

#[test]
fn bit_fields() {
    proof(
        "
struct bits { unsigned a : 3, b : 5; };
int main(void) {
    struct bits s = {7, 1};
    inv(s.a == 7, s.b == 1);
    s.a++;
    inv(s.a == 0, s.b == 1);
    if (s.a || s.b != 1) reach_error();
}",
    );
}

#[test]
fn bytes_of_a_union() {
    proof(
        "
union u { unsigned word; unsigned char bytes[4]; };
int main(void) {
    union u u;
    u.word = 0x01020304;
    inv(u.bytes[0] == 4);
    if (u.bytes[0] != 4) reach_error();
}",
    );
}

#[test]
fn allocated() {
    proof(
        "
int main(void) {
    int x = 3;
    inv(x == 3);
    int *p = malloc(4);
    inv(x == 3, p != 0);
    *p = 8;
    inv(x == 3, *p == 8, p != 0);
    if (!p || *p != 8 || x != 3) reach_error();
}",
    );
}

#[test]
fn allocated_apart() {
    proof(
        "
int main(void) {
    int y = 2, *p = &y;
    inv(y == 2);
    p = malloc(4);
    inv(y == 2, p != &y);
    *p = 1;
    inv(y == 2);
    if (y != 2) reach_error();
}",
    );
}

#[test]
fn not_null_where_defined() {
    proof(
        "
int *get(void);
int main(void) {
    int sure = 1;
    inv(sure == 1);
    int *p = get();
    inv(sure == 1);
    *p = 1; // defined
    inv(sure == 1, p != 0);
    if (!p || !sure) reach_error();
}",
    );
}

#[test]
fn a_walking_pointer() {
    proof(
        "
int main(void) {
    char text[4], *p;
    inv(1);
    p = text;
    while (p < text + 4) {
        inv(p >= text, p < text + 4, (p == text) | (text[0] == 'x'));
        *p = 'x';
        p++;
    }
    inv(text[0] == 'x');
    if (text[0] != 'x') reach_error();
}",
    );
}

#[test]
fn two_nodes() {
    proof(
        "
struct node { int value; struct node *next; };
int main(void) {
    struct node a, b;
    a.value = 1; b.value = 2; a.next = &b; b.next = 0;
    inv(a.next == &b, b.value == 2, b.next == 0);
    struct node *p = a.next;
    inv(p == &b, b.value == 2, b.next == 0);
    if (p->value != 2 || p->next) reach_error();
}",
    );
}
