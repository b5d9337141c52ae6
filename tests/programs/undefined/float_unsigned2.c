// check plain:
// run executed:
extern void reach_error(void);
int main(void) {
    double d = 4294967296.0;
    unsigned u = (unsigned)d; //~[executed] warning: floating-point value does not fit the integer type
    if (u == 0) reach_error(); //~[plain] FALSE //~[executed] error: `reach_error` was reached
    return 0;
}
