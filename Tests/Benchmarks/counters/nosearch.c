// nosearch: preloaded into the gateway, it keeps the search index from being opened, and nothing else.
//
// The gateway then goes on without the index: it tries again every 30 s, and fails at once.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>

static int is_index(const char *path) {
    size_t length = path ? strlen(path) : 0;
    static const char name[] = "/search.sqlite";
    return length >= sizeof name - 1 && strcmp(path + length - (sizeof name - 1), name) == 0;
}

static int opened(const char *function, const char *path, int flags, mode_t mode) {
    if (is_index(path)) { errno = EACCES; return -1; }
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, function);
    return real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened("open64", path, flags, mode);
}
