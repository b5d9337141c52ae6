// check chosen:
// check current: -DCURRENT
// check other: -DOTHER
// The locale of C is there on every machine, and there always is a current one.
#include <locale.h>
extern void reach_error(void);
int main(void) {
#if defined CURRENT
    if (!setlocale(LC_ALL, 0)) //~[current] never FALSE //~[current] UNKNOWN setlocale
        reach_error(); 
#elif defined OTHER
    if (!setlocale(LC_ALL, "de_DE"))
        reach_error(); //~[other] FALSE
#else
    if (!setlocale(LC_ALL, "C")) //~[chosen] never FALSE //~[chosen] UNKNOWN setlocale
        reach_error(); 
#endif
    return 0;
}
