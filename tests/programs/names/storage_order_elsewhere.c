// check:
extern void reach_error(void);
struct __attribute__((scalar_storage_order("big-endian"))) s { unsigned short x;
    };
static unsigned f(struct s *p) { return p->x;
    }
int main(void) { //~ TRUE
    int x = 3;
    if (x != 3) reach_error();
    return 0;
}
