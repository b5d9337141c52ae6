static int table[4] = {1, 2, [3] = 4};
int sum(const int *p, unsigned n)
{
    int s = 0;
    for (unsigned i = 0; i < n; i++) {
        if (p[i] == 0)
            continue;
        s += p[i] % 3 ? p[i] << 1 : -p[i];
    }
    do s--; while (s > 20);
    switch (s) {
    case 1 ... 3: s = 7;
    case 4: s++; break;
    default: goto out;
    }
out:
    return s;
}
int main(void)
{
    int (*f)(const int *, unsigned) = sum;
    char text[] = "ab" "c";
    return f(table, 4) + text[1] && sizeof table;
}
