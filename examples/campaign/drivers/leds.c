/* Lights: no lock, and nothing to free. */
#include <kernel.h>

static int lit;

int main(void)
{
    int request;
    while ((request = next_request())) {
        lit ^= request;
        msleep(10);
    }
    return lit;
}
