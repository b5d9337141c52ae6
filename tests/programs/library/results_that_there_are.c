// check fclose: -DCALL=fclose(stream) -DIS===5
// check sem_init: -DCALL=sem_init(&semaphore,0,0) -DIS===1
// check sem_wait: -DCALL=sem_wait(&semaphore) -DIS=>0
// check mutex: -DCALL=pthread_mutex_lock(&mutex) -DIS=<0
// check posix_memalign: -DCALL=posix_memalign(&block,16,16) -DIS=<0
// check umask: -DCALL=umask(0) -DIS=>511
// check wait: -DCALL=wait(&status) -DIS=<-1
// check pause: -DCALL=pause() -DIS=!=-1
// check inet_pton: -DCALL=inet_pton(2,"::1",bytes) -DIS=>1
// No run has these results.
#include <arpa/inet.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) { //~ TRUE
    FILE *stream = fopen("file", "r");
    if (!stream)
        return 0;
    sem_t semaphore;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    void *block;
    int status;
    char bytes[16];
    long result = CALL;
    if (result IS)
        reach_error(); //~ never FALSE
    return 0;
}
