// A library to preload into a gateway: it makes calls of the C library fail, tears writes, moves the clock, and keeps
// what a power cut would lose.
//
// PARLEY_SHIM names a file of one page with `struct control`. The campaign maps and writes it while the gateway runs.
// PARLEY_SHIM_UNDO names a folder: each write that was not yet synchronised is recorded there, a file an inode.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { CALL_WRITE = 1, CALL_SYNC = 2, CALL_TRUNCATE = 4, CALL_RENAME = 8, CALL_OPEN = 16 };
enum { ACTION_FAIL = 0, ACTION_TEAR = 1, ACTION_DELAY = 2 };

// The campaign writes this with Python's struct; both sides must agree.
struct control {
    int32_t calls;       // which calls are counted, a sum of CALL_...; 0: none
    int32_t action;      // what happens to a call when its turn has come
    int32_t error;       // errno of a call that fails
    int32_t countdown;   // how many matching calls still pass
    int32_t times;       // how many calls fail then; negative: all
    int32_t hits;        // how many calls failed: written here, read by the campaign
    int32_t delay;       // milliseconds
    int32_t lies;        // 1: a synchronisation reports success and keeps nothing
    int64_t clock;       // nanoseconds that are added to the time of day
    char pattern[256];   // of the file's path, as of fnmatch(3)
};

static struct control none;
static volatile struct control *control = &none;
static const char *undo_folder;
static pthread_mutex_t undo_lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))real_symbol(#name))

static void *real_symbol(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("PARLEY_SHIM");
    undo_folder = getenv("PARLEY_SHIM_UNDO");
    int descriptor = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor < 0) return;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (page != MAP_FAILED) control = page;
}

static int path_of(int descriptor, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return path[0] == '/';
}

// Whether this call is one that its turn has come for.
static int strikes(int call, const char *path) {
    if (!(control->calls & call) || fnmatch((const char *)control->pattern, path, 0) != 0) return 0;
    if (__atomic_fetch_sub(&control->countdown, 1, __ATOMIC_SEQ_CST) > 0) return 0;
    if (control->times >= 0 && __atomic_fetch_sub(&control->times, 1, __ATOMIC_SEQ_CST) <= 0) {
        control->times = 0;
        return 0;
    }
    __atomic_fetch_add(&control->hits, 1, __ATOMIC_SEQ_CST);
    if (control->action == ACTION_DELAY) {
        struct timespec wait = {control->delay / 1000, (control->delay % 1000) * 1000000L};
        nanosleep(&wait, NULL);
        return 0;
    }
    errno = control->error;
    return 1;
}

static int strikes_descriptor(int call, int descriptor) {
    char path[4096];
    if (!(control->calls & call)) return 0;
    int saved = errno;
    if (!path_of(descriptor, path, sizeof path)) {
        errno = saved;
        return 0;
    }
    if (strikes(call, path)) return 1;
    errno = saved;
    return 0;
}

// MARK: - what a power cut loses

// A record: where, the file's size before, the lengths of the bytes before and after, then both. A truncation has no
// bytes after. The first line of the file is the path.
struct record {
    int64_t offset, size_before;
    int32_t length_before, length_after;
};

static int is_kept(int descriptor, char *path, size_t size, struct stat *state) {
    if (!undo_folder || fstat(descriptor, state) != 0 || !S_ISREG(state->st_mode)) return 0;
    if (!path_of(descriptor, path, size) || strstr(path, "(deleted)")) return 0;
    return strstr(path, "/data/") && !strstr(path, "-shm");
}

static void append(const struct stat *state, const char *path, const struct record *record, const void *before,
                   const void *after) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%llu.undo", undo_folder, (unsigned long long)state->st_ino);
    int out = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (out < 0) return;
    if (lseek(out, 0, SEEK_END) == 0) {
        syscall(SYS_write, out, path, strlen(path));
        syscall(SYS_write, out, "\n", 1);
    }
    syscall(SYS_write, out, record, sizeof *record);
    syscall(SYS_write, out, before, (size_t)record->length_before);
    syscall(SYS_write, out, after, (size_t)record->length_after);
    close(out);
}

// Called with the lock held, before the change.
static void keep(int descriptor, int64_t offset, int64_t end, const void *after, int32_t length_after) {
    char path[4096];
    struct stat state;
    if (!is_kept(descriptor, path, sizeof path, &state)) return;
    int64_t last = end < state.st_size ? end : state.st_size;
    struct record record = {offset, state.st_size, 0, length_after};
    char *before = NULL;
    if (last > offset && (before = malloc((size_t)(last - offset)))) {
        // The descriptor may be for writing only.
        int in = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
        ssize_t count = in < 0 ? -1 : pread(in, before, (size_t)(last - offset), offset);
        if (in >= 0) close(in);
        record.length_before = count > 0 ? (int32_t)count : 0;
    }
    append(&state, path, &record, before, after);
    free(before);
}

static void forget(int descriptor) {
    char path[4096], name[4096];
    struct stat state;
    if (!is_kept(descriptor, path, sizeof path, &state) || control->lies) return;
    snprintf(name, sizeof name, "%s/%llu.undo", undo_folder, (unsigned long long)state.st_ino);
    syscall(SYS_unlinkat, AT_FDCWD, name, 0);
}

// MARK: - writes

static ssize_t write_now(int descriptor, const void *bytes, size_t count, int64_t offset) {
    if (offset < 0) return syscall(SYS_write, descriptor, bytes, count);
    return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}

// Writes a part, so that it is there, and ends the process as a power cut does.
static void tear(int descriptor, const void *bytes, size_t count, int64_t offset) {
    size_t part = count * (size_t)(control->error % 100) / 100;
    write_now(descriptor, bytes, part, offset);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, int64_t offset) {
    if (strikes_descriptor(CALL_WRITE, descriptor)) {
        if (control->action == ACTION_TEAR) tear(descriptor, bytes, count, offset);
        return -1;
    }
    if (!undo_folder) {
        return write_now(descriptor, bytes, count, offset);
    }
    struct stat state;
    if (fstat(descriptor, &state) != 0 || !S_ISREG(state.st_mode)) return write_now(descriptor, bytes, count, offset);
    pthread_mutex_lock(&undo_lock);
    int64_t place = offset >= 0 ? offset : lseek(descriptor, 0, SEEK_CUR);
    keep(descriptor, place, place + (int64_t)count, bytes, (int32_t)count);
    ssize_t done = write_now(descriptor, bytes, count, offset);
    int saved = errno;
    pthread_mutex_unlock(&undo_lock);
    errno = saved;
    return done;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return write_at(descriptor, bytes, count, -1); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return write_at(descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    return write_at(descriptor, bytes, count, offset);
}

static int synchronise(int descriptor, long call) {
    if (strikes_descriptor(CALL_SYNC, descriptor)) return -1;
    if (!undo_folder) return (int)syscall(call, descriptor);
    // The lock keeps the record of a write and its synchronisation in the order of the file.
    pthread_mutex_lock(&undo_lock);
    int result = (int)syscall(call, descriptor), saved = errno;
    if (result == 0) forget(descriptor);
    pthread_mutex_unlock(&undo_lock);
    errno = saved;
    return result;
}

int fsync(int descriptor) { return synchronise(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synchronise(descriptor, SYS_fdatasync); }

static int truncate_to(int descriptor, int64_t length) {
    if (strikes_descriptor(CALL_TRUNCATE, descriptor)) return -1;
    if (!undo_folder) return (int)syscall(SYS_ftruncate, descriptor, length);
    pthread_mutex_lock(&undo_lock);
    keep(descriptor, length, INT64_MAX, NULL, 0);
    int result = (int)syscall(SYS_ftruncate, descriptor, length), saved = errno;
    pthread_mutex_unlock(&undo_lock);
    errno = saved;
    return result;
}

int ftruncate(int descriptor, off_t length) { return truncate_to(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return truncate_to(descriptor, length); }

// MARK: - names

int rename(const char *from, const char *to) { return strikes(CALL_RENAME, to) ? -1 : REAL(rename)(from, to); }

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    if (control->calls & CALL_OPEN) {
        int saved = errno;
        if (strikes(CALL_OPEN, path)) return -1;
        errno = saved;
    }
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE(flags)                                  \
    mode_t mode = 0;                                 \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {         \
        va_list more;                                \
        va_start(more, flags);                       \
        mode = (mode_t)va_arg(more, unsigned int);   \
        va_end(more);                                \
    }

int open(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return open_at(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) {
    MODE(flags) return open_at(folder, path, flags | O_LARGEFILE, mode);
}

// MARK: - the clock

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    int64_t moved = control->clock;
    if (result == 0 && moved && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t sum = now->tv_nsec + moved % 1000000000;
        now->tv_sec += moved / 1000000000 + sum / 1000000000 - (sum < 0 && sum % 1000000000 != 0);
        now->tv_nsec = (sum % 1000000000 + 1000000000) % 1000000000;
    }
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec precise;
    if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *where) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (where) *where = now.tv_sec;
    return now.tv_sec;
}
