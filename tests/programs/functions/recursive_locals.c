// check:
// engines: bounded
// Each activation has variables of its own: what the inner ones do to theirs leaves those of the outer ones alone.
extern void reach_error(void);
extern int nondet(void);
static void set(int *where, int value) {
    *where = value;
}
static int down(int depth) {
    int mine;
    int slots[4];
    set(&mine, depth);
    slots[depth & 3] = depth;
    if (depth > 0)
        down(depth - 1);
    if (mine != depth || slots[depth & 3] != depth)
        reach_error();
    return mine;
}
int main(void) { //~ TRUE
    int depth = nondet();
    if (depth > 3)
        return 0;
    if (down(depth) != depth)
        reach_error();
    return 0;
}
