// check: --64 --rule reference-count
struct device { int id; };
extern void get_device(struct device *device);
extern void put_device(struct device *device);
static struct device device;
extern int probe(int i);
static void release(void) {
    put_device(&device); //~ FALSE reference-count
}
int main(void) {
    get_device(&device);
    if (probe(1) < 0)
        release();
    release();
    return 0;
}
