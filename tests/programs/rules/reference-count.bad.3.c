// check: --64 --rule reference-count
struct device { int id; };
extern void get_device(struct device *device);
extern void put_device(struct device *device);
static struct device device;
extern int probe(int i);
int main(void) {
    for (int i = 0; i < 2; i++) {
        get_device(&device);
        if (probe(i))
            continue;
        put_device(&device);
    }
    return 0; //~ FALSE reference-count
}
