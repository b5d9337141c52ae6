// check reached: -DREACHED===4
// check proved: -DREACHED=>4
extern void reach_error(void);
extern int nondet(void);
static int one(int a) { return a; }
static int two(int a) { return a + 1; }
static int (*table[2])(int) = {one, two};
int main(void) {
    unsigned i = nondet();
    if (i > 1) return 0;
    if (table[i](3) REACHED) reach_error(); //~[reached] FALSE //~[proved] TRUE
    return 0;
}
