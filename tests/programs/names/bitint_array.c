// check plain:
// run executed:
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct s { _BitInt(5) a;
    unsigned char b;
    unsigned _BitInt(13) c[2];
    };
int main(void) {
    struct s v = { -3, 200, { 8191, 5 } };
    int i = __VERIFIER_nondet_int();
    if (i != 0) return 0;
    v.a = (_BitInt(5))9;
    v.c[i] = v.c[i] + 3;
    if (v.a == 9 && v.b == 200 && v.c[0] == 2 && v.c[1] == 5 && sizeof(v) == 6) reach_error(); //~[plain] FALSE
    //~^[executed] error: `reach_error` was reached
    return 0;
}
