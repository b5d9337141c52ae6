// check: --rule reference-count
struct device { int id; };
struct device *get_device(struct device *d) { return d; }
void put_device(struct device *d);

static struct device a, b;

static void use(struct device *d) {
    get_device(d);
    put_device(d);
}

int main(void) { //~ TRUE
    struct device *d = get_device(&a);
    use(&a);
    use(&b);
    use(d);
    put_device(d);
    return 0;
}
