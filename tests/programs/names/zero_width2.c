// check:
extern void reach_error(void);
struct s { int : 0;
    };
struct t { char c;
    int : 0;
    char d;
    } g = {1, 2};
union u { int : 0;
    int x;
    } ug = {4};
int main(void) {
    struct s v;
    struct t t = g;
    if (t.d == 2 && ug.x == 4) reach_error(); //~ FALSE
    return 0;
}
