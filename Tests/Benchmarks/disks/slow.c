// slow: each fsync and fdatasync takes a given time at least, as on a slow disk.
//
//   LD_PRELOAD=slow.so SYNC_MILLISECONDS=5 program
//
// The call is carried out; what is left of the time is slept. Only calls that a program makes through the linker are
// seen: SQLite's are. Two threads that sync at the same time wait beside each other.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

static struct timespec due(void) {
    static long milliseconds;
    if (!milliseconds) {
        const char *text = getenv("SYNC_MILLISECONDS");
        milliseconds = text ? atol(text) : 0;
    }
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += milliseconds % 1000 * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

static int slowly(int (*sync)(int), int file) {
    struct timespec end = due();
    int result = sync(file), error = errno;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {}
    errno = error;
    return result;
}

int fdatasync(int file) { return slowly((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"), file); }

int fsync(int file) { return slowly((int (*)(int))dlsym(RTLD_NEXT, "fsync"), file); }
