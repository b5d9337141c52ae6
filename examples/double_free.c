/* A parser's error path frees a name that its caller frees again. */
#include <stdlib.h>

struct request {
    char *name;
    int length;
};

extern int __VERIFIER_nondet_int(void);

static int parse(struct request *request)
{
    request->length = __VERIFIER_nondet_int();
    if (request->length < 1 || request->length > 64) {
        free(request->name);
        return -1;
    }
    return 0;
}

int main(void)
{
    struct request request = {malloc(64), 0};
    if (request.name == NULL)
        return 1;
    int status = parse(&request);
    free(request.name);
    return status;
}
