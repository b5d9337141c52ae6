// check: --check bounds
extern int nondet(void);
struct Ring { int at; int slots[4]; int end; } ring;
int main(void) {
    ring.at = nondet();
    if (ring.at > 3)
        return 1;
    ring.slots[ring.at] = 1; //~ FALSE no-index-out-of-bounds: index `ring.at` is outside of `ring.slots`, which has 4 elements
    return 0;
}
