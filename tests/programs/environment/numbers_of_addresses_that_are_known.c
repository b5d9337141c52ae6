// check alignment: -DALIGNMENT
// check null: -DNONE
// check error: -DERROR
// check same: -DSAME
// check back: -DBACK
// Whatever the number of an address is, this is known of it.
extern void reach_error(void);
typedef unsigned long number;
int x, y;
int main(void) { //~ TRUE
#if defined ALIGNMENT
    if (((number)&x & 3) != 0 || (number)&y % sizeof(int) != 0)
#elif defined NONE
    if ((number)&x == 0)
#elif defined ERROR
    if ((number)&x >= (number)-4095)
#elif defined SAME
    if ((number)&x == (number)&y || (number)&x != (number)&x)
#elif defined BACK
    if ((int *)(number)&x != &x)
#endif
        reach_error();
    return 0;
}
