// What the program uses of glibc 2.32 to 2.36, made of what glibc 2.31 has. Only the program of the archive has this.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Since 2.34 the C library itself runs the program's constructors. The one before wants to be told how: a program that
// tells it nothing starts there without them. Newer ones still obey.
typedef void constructor(int, char **, char **);
extern constructor *__init_array_start[] __attribute__((visibility("hidden")));
extern constructor *__init_array_end[] __attribute__((visibility("hidden")));
extern void _init(void);

static void construct(int count, char **arguments, char **variables) {
    _init();
    for (constructor **next = __init_array_start; next != __init_array_end; next++) {
        (*next)(count, arguments, variables);
    }
}

typedef int start(int (*)(int, char **, char **), int, char **, constructor *, void (*)(void), void (*)(void), void *);
extern start __real___libc_start_main;

// The linker's option --wrap gives it the place of __libc_start_main.
int __wrap___libc_start_main(
    int (*program)(int, char **, char **), int count, char **arguments, constructor *none, void (*end)(void),
    void (*end_of_loader)(void), void *end_of_stack) {
    return __real___libc_start_main(program, count, arguments, construct, end, end_of_loader, end_of_stack);
}

// Since 2.33; before, they were part of each program. The kernel's structure is the C library's on these machines.
#if !defined(__x86_64__) && !defined(__aarch64__)
#error "Compare struct stat of the kernel and of the C library first."
#endif

int fstatat(int folder, const char *path, struct stat *found, int flags) {
    return (int)syscall(SYS_newfstatat, folder, path, found, flags);
}
int fstat(int file, struct stat *found) { return (int)syscall(SYS_fstat, file, found); }
int stat(const char *path, struct stat *found) { return fstatat(AT_FDCWD, path, found, 0); }
int lstat(const char *path, struct stat *found) { return fstatat(AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW); }

// The same with another name, which 64 bits do not need.
int fstatat64(int, const char *, struct stat64 *, int) __attribute__((alias("fstatat")));
int fstat64(int, struct stat64 *) __attribute__((alias("fstat")));
int stat64(const char *, struct stat64 *) __attribute__((alias("stat")));
int lstat64(const char *, struct stat64 *) __attribute__((alias("lstat")));

// Since 2.36. Where a container forbids getrandom, the device has the same bytes.
void arc4random_buf(void *bytes, size_t count) {
    int device = -1;
    while (count > 0) {
        ssize_t done = device < 0 ? getrandom(bytes, count, 0) : read(device, bytes, count);
        if (done <= 0) {
            if (done < 0 && errno == EINTR) continue;
            if (device >= 0 || (device = open("/dev/urandom", O_RDONLY | O_CLOEXEC)) < 0) abort();
            continue;
        }
        bytes = (char *)bytes + done;
        count -= (size_t)done;
    }
    if (device >= 0) close(device);
}

uint32_t arc4random(void) {
    uint32_t number;
    arc4random_buf(&number, sizeof number);
    return number;
}

// Since 2.32. False is always right: true only permits what is quicker without threads.
char __libc_single_threaded = 0;
