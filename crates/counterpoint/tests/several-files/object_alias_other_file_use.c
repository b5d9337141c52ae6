extern void reach_error(void);
extern int other; void set(void);
int main(void) { set(); if (other == 9) reach_error(); return 0; }
