// check: --64 --rule reference-count
struct device { int id; };
extern void get_device(struct device *device);
extern void put_device(struct device *device);
static struct device device;
extern int probe(int i);
static void release(void) {
    put_device(&device);
}
int main(void) { //~ TRUE
    get_device(&device);
    if (probe(1) < 0) {
        release();
        return 1;
    }
    release();
    return 0;
}
