// check:
// engines: slam auto
// An incomplete character is kept in the state.
#include <wchar.h>
extern void reach_error(void);
int main(void) {
    mbstate_t state = {0};
    mbrlen("\xc3", 1, &state);
    unsigned char *bytes = (unsigned char *)&state;
    if (bytes[0] || bytes[4])
        reach_error(); //~ never TRUE
    return 0;
}
