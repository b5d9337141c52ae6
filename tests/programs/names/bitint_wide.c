// check:
extern void reach_error(void);
int main(void) {
    _BitInt(100) x = 5; //~ UNKNOWN a conversion between types that are not scalar
    if (x == 5) reach_error(); //~ never TRUE
    return 0;
}
