// check: --check pointers
// engines: bounded
static int *outer;
static int down(int depth) {
    int mine = depth;
    if (depth > 0 && outer)
        return *outer;
    outer = &mine;
    return depth < 2 ? down(depth + 1) : mine;
}
int main(void) { return down(0) + down(0); } //~ never TRUE
