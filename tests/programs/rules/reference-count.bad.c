// check: --rule reference-count --confirm
int __VERIFIER_nondet_int(void);
struct device { int id; };
struct device *get_device(struct device *d) { return d; }
void put_device(struct device *d);

static struct device a, b;

int main(void) {
    get_device(&a);
    switch (__VERIFIER_nondet_int()) {
    case 0:
        put_device(&b); //~ FALSE reference-count: a reference is released that was not acquired
        break;
    case 1:
        get_device(&a);
        break;
    }
    put_device(&a);
    return 0; //~ FALSE reference-count: a reference is still held when the program ends
}
//~ note: confirmed by running the compiled program
