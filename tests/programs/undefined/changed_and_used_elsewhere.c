// check:
// engines: bounded
// What an operand changes is not what another uses, or there is an order.
extern void reach_error(void);
static int both(int one, int other) { return 10 * one + other; }
int main(void) {
    int i = 1, j = 5, a[4] = {1, 2, 3, 4}, b[4], *p = a, *q = b;
    struct { int n, m; } s = {1, 1};
    while (p < a + 4) *q++ = *p++;
    if (both(i++, j++) != 15 || i != 2 || j != 6) reach_error(); //~ TRUE
    if (s.n++ + s.m++ != 2) reach_error();
    a[i++] = j++;
    i = i + 1;
    if ((i++, i) != 5 || (i++ && i != 6) || a[2] != 6 || b[3] != 4) reach_error();
    return 0;
}
