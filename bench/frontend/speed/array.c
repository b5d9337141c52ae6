/* Memory: the sieve of Eratosthenes, several times. */
#include <string.h>

enum { SIZE = 200000 };
static unsigned char composite[SIZE];

int main(void)
{
    int primes = 0;
    for (int round = 0; round < 20; round++) {
        memset(composite, 0, sizeof composite);
        primes = 0;
        for (int i = 2; i < SIZE; i++) {
            if (composite[i])
                continue;
            primes++;
            for (int j = 2 * i; j < SIZE; j += i)
                composite[j] = 1;
        }
    }
    return primes != 17984;
}
