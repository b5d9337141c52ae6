// check: --rule file-stream --confirm
#include <stdio.h>
int __VERIFIER_nondet_int(void);
static char memory[2];
FILE *fopen(const char *name, const char *mode) { return (FILE *)&memory[name[0] == 'b']; }
int fclose(FILE *f) { return 0; }
int fputc(int c, FILE *f) { return c; }
int fprintf(FILE *f, const char *format, ...) { return 0; }

struct log { FILE *file; };

int main(void) {
    struct log log[2];
    switch (__VERIFIER_nondet_int()) {
    case 0:
        log[0].file = fopen("a", "w");
        fclose(log[0].file);
        fclose(log[0].file); //~ FALSE file-stream: the stream is closed twice
        break;
    case 1:
        log[0].file = fopen("a", "w");
        log[1].file = fopen("b", "w");
        fclose(log[1].file);
        fprintf(log[0].file, "%d", 1);
        fprintf(log[1].file, "%d", 1); //~ FALSE file-stream: the stream is used after it was closed
        fclose(log[0].file);
        break;
    case 2:
        fopen("b", "r");
        break;
    }
    return 0; //~ FALSE file-stream: the stream is still open when the program ends
}
//~ note: confirmed by running the compiled program
