// check: --check pointers,free --malloc-never-fails
// engines: bounded
// Compilers know functions of C's library that are called without a declaration, and what they return.
struct pair { int a, b; };

int main(void) { //~ TRUE
    struct pair *p = malloc(2 * sizeof(struct pair));
    (p + 1)->b = 1;
    memset(p, 0, strlen("abc"));
    char *text = strdup("abc");
    text[3] = 'd';
    free(text);
    free(p);
    return 0;
}
