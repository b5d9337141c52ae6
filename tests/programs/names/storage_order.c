// check:
extern void reach_error(void);
struct __attribute__((scalar_storage_order("big-endian"))) s { unsigned short x;
    };
int main(void) {
    struct s v;
    v.x = 0x0102; //~ UNKNOWN an object whose members are stored in the other byte order
    if (*(unsigned char *)&v == 1) reach_error(); //~ never TRUE
    return 0;
}
