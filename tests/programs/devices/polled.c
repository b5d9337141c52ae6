// check:
// A register at a fixed address: what is read there is an input each time, what is written there does nothing.
#include <assert.h>
#define STATUS (*(volatile unsigned *)0x40021000)
#define CONTROL (*(volatile unsigned *)0x40021004)

int main(void) {
    unsigned rounds = 0;
    CONTROL = 1;
    if (!(STATUS & 2))
        rounds++;
    if (!(STATUS & 2)) //~ input: 2 //~ trace: 0x40021000 = 2 (input)
        rounds++;
    assert(rounds != 1); //~ FALSE
    return 0;
} //~^^ note: devices at 0x40021000-0x40021007
