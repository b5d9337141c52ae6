// check more: -DIS=>4
// check some: -DIS===4
// What could not be copied is at most what was asked for.
extern void reach_error(void);
extern unsigned long copy_from_user(void *to, const void *from, unsigned long count);
extern const char *user;
int main(void) { //~[more] TRUE
    char bytes[4];
    if (copy_from_user(bytes, user, 4) IS)
        reach_error(); //~[some] FALSE
    return 0;
}
