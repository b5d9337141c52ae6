// check: --entry sum --check all
// engines: bounded
// What is allocated for the arguments is not the function's to free.
unsigned sum(const unsigned char *bytes, unsigned long count) { //~ TRUE
    unsigned all = 0;
    for (unsigned long i = 0; i < count; i++)
        all += bytes[i];
    return all;
}
