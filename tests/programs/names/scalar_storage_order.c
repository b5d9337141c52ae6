// check:
extern void reach_error(void);
struct __attribute__((scalar_storage_order("big-endian"))) s { int a; };
int main(void) { union { struct s s; unsigned char b[4]; } u; u.s.a = 1; if (u.b[3] == 1) reach_error(); //~ never TRUE
    return 0; }
