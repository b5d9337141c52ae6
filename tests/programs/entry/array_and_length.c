// check: --entry sum --check pointers
// A pointer and a length are an array of that many elements.
int sum(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i <= count; i++)
        sum += values[i] & 1; //~ FALSE valid-deref
    return sum;
} //~ note: arrays have 4 elements at most
