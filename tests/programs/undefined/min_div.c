// check plain:
// run executed:
extern void reach_error(void);
int main(void) { //~[plain] TRUE
    int a = -2147483647 - 1, b = -1;
    int c = a / b; //~[executed] error: overflow of a division: -2147483648 / -1 does not fit 32 bits
    //~^[plain] note: a run ends at a null pointer, a division by zero or one that overflows
    if (c == a) reach_error();
    return 0;
}
