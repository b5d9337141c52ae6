// check:
extern void reach_error(void);
#pragma scalar_storage_order big-endian
struct s { unsigned short x;
    };
#pragma scalar_storage_order default
int main(void) {
    struct s v;
    v.x = 0x0102; //~ UNKNOWN an object whose members are stored in the other byte order
    if (*(unsigned char *)&v == 1) reach_error(); //~ never TRUE
    return 0;
}
