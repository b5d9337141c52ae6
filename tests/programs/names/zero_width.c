// check:
extern void reach_error(void);
struct s { unsigned a : 3;
    unsigned : 0;
    unsigned b : 4;
    };
int main(void) {
    struct s v = { 1, 2 };
    if (v.a == 1 && v.b == 2) reach_error(); //~ FALSE
    return 0;
}
