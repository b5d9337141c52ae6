// check: --64 --rule reference-count
struct device { int id; };
extern void get_device(struct device *device);
extern void put_device(struct device *device);
static struct device device;
extern int probe(struct device *device);
int main(void) {
    get_device(&device);
    if (probe(&device) < 0)
        return 1; //~ FALSE reference-count
    put_device(&device);
    return 0;
}
