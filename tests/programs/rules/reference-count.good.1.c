// check: --64 --rule reference-count
struct device { int id; };
extern void get_device(struct device *device);
extern void put_device(struct device *device);
static struct device device;
extern int probe(struct device *device);
int main(void) { //~ TRUE
    int result = 0;
    get_device(&device);
    if (probe(&device) < 0)
        result = 1;
    put_device(&device);
    return result;
}
