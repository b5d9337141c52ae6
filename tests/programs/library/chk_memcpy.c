// check:
extern void reach_error(void);
extern void *__memcpy_chk(void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__);
int main(void) {
    int a = 5, b = 7, *p = &a;
    __memcpy_chk(p, &b, sizeof b, sizeof a);
    if (*p == 7) reach_error(); //~ never TRUE
    return 0;
}
