// check:
extern void reach_error(void);
struct __attribute__((scalar_storage_order("big-endian"))) s { unsigned short x;
    } g = { 0x0102 };
int main(void) {
    if (*(unsigned char *)&g == 1) reach_error(); //~ UNKNOWN an object whose members are stored in the other byte order //~ never TRUE
    return 0;
}
