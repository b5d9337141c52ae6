/* A driver's probe function: what was got is given back on the error paths, in reverse. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int enabled;
int regions;
int mapped;
int irq;

int enable_device(void)
{
    if (__VERIFIER_nondet_int() < 0)
        return -1;
    enabled = 1;
    return 0;
}

void disable_device(void)
{
    assert(enabled);
    enabled = 0;
}

int request_regions(void)
{
    if (__VERIFIER_nondet_int() < 0)
        return -1;
    regions = 1;
    return 0;
}

void release_regions(void)
{
    assert(regions);
    regions = 0;
}

int map_bar(void)
{
    if (__VERIFIER_nondet_int() < 0)
        return -1;
    mapped = 1;
    return 0;
}

void unmap_bar(void)
{
    assert(mapped);
    mapped = 0;
}

int request_irq(void)
{
    if (__VERIFIER_nondet_int() < 0)
        return -1;
    irq = 1;
    return 0;
}

int probe(void)
{
    int error;
    error = enable_device();
    if (error)
        return error;
    error = request_regions();
    if (error)
        goto fail_regions;
    error = map_bar();
    if (error)
        goto fail_map;
    error = request_irq();
    if (error)
        goto fail_irq;
    return 0;

fail_irq:
    unmap_bar();
fail_map:
    release_regions();
fail_regions:
    disable_device();
    return error;
}

int main(void)
{
    int error = probe();
    if (error == 0) {
        irq = 0;
        unmap_bar();
        release_regions();
        disable_device();
    }
    assert(!enabled);
    return 0;
}
