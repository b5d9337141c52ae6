/* Greets by a name of up to seven characters; the buffer counts the name and the comma, not the end. */
#include <string.h>

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char name[8], text[14];
    for (int i = 0; i < 7; i++)
        name[i] = __VERIFIER_nondet_char();
    name[7] = '\0';
    strcpy(text, "hello, ");
    strcat(text, name);
    return text[0] != 'h';
}
