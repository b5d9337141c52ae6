// check: --64 --rule file-stream
#include <stdio.h>
int main(void) { //~ TRUE
    FILE *log = fopen("log", "a");
    int lines = 0;
    if (!log)
        return 1;
    while (lines < 3) {
        if (fputs("line\n", log) < 0)
            goto out;
        lines++;
    }
    fflush(log);
out:
    fclose(log);
    return 0;
}
