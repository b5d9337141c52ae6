extern void reach_error(void);
int call_me(void);
extern int other;
int main(void) { if (call_me() == 4) reach_error(); return 0; }
