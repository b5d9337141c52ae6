// check:
extern void reach_error(void);
int value = 0x01020304;
extern char bytes[4] __attribute__((alias("value")));
int main(void) {
    if (bytes[0] == 4) reach_error(); //~ UNKNOWN `bytes`, an alias of an object of another type //~ never TRUE
    return 0;
}
