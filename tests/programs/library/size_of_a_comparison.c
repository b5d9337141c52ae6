// check one: -DIS=order!=1
// check two: -DIS=order!=2
// check sign: -DIS=order<=0
// check memory: -DIS=memcmp("c","a",1)!=1
// check class: -DIS=isalpha('a')!=1
// check class_is: -DIS=!isalpha('a')
// engines: slam auto sampling
// Only the sign of a comparison is said, and of a class only that it is not zero.
#include <string.h>
extern int isalpha(int);
extern void reach_error(void);
int main(void) { //~[sign] TRUE //~[class_is] TRUE
    int order = strcmp("c", "a");
    if (IS)
        reach_error(); //~[one,two,memory,class] never TRUE
    return 0;
}
