// calls: counts what a program asks of its allocator, of SQLite and of the kernel.
//
//   LD_PRELOAD=calls.so CALLS_FILE=FILE program
//
// FILE is at least as large as `struct counts`. It is mapped, so that another process reads the counts at any time.
// Memory comes from jemalloc, which the gateway is linked to: what is given out here may be freed there. Only calls
// that a program makes through the linker are seen; those inside of a library are not. A thread that works on the
// search index is left out: the index follows in batches, whose number is chance.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/// The order is that of `NAMES` in harness/calls.py.
struct counts {
    uint64_t allocations, bytes, statements, prepared, syncs, writes, reads, polls;
};

static struct counts none;
static struct counts *counts = &none;

/// Whether the thread has used the search index. Such a thread also reads the messages that it takes into it. This kind of
/// variable is there without an allocation.
static __thread int is_aside __attribute__((tls_model("initial-exec")));

static void add(uint64_t *count, uint64_t number) {
    if (!is_aside) __atomic_add_fetch(count, number, __ATOMIC_RELAXED);
}

__attribute__((constructor)) static void map(void) {
    const char *path = getenv("CALLS_FILE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) counts = mapped;
    close(file);
}

// MARK: Memory

extern void *mallocx(size_t size, int flags);
extern void *rallocx(void *pointer, size_t size, int flags);
enum { ZEROED = 0x40 };

static void *allocate(size_t size, int flags) {
    add(&counts->allocations, 1);
    add(&counts->bytes, size);
    void *pointer = mallocx(size ? size : 1, flags);
    if (!pointer) errno = ENOMEM;
    return pointer;
}

/// An alignment is a power of two; jemalloc takes its exponent.
static int aligned(size_t alignment) { return alignment > 1 ? __builtin_ctzl(alignment) : 0; }

void *malloc(size_t size) { return allocate(size, 0); }

void *calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(bytes, ZEROED);
}

void *realloc(void *pointer, size_t size) {
    if (!pointer) return allocate(size, 0);
    add(&counts->allocations, 1);
    add(&counts->bytes, size);
    return rallocx(pointer, size ? size : 1, 0);
}

void *aligned_alloc(size_t alignment, size_t size) { return allocate(size, aligned(alignment)); }
void *memalign(size_t alignment, size_t size) { return allocate(size, aligned(alignment)); }

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    void *found = allocate(size, aligned(alignment));
    if (found) *pointer = found;
    return found ? 0 : ENOMEM;
}

// MARK: SQLite and the kernel

/// The next library's function of this name.
#define NEXT(name) \
    static __typeof__(&name) next; \
    if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_stmt_busy(sqlite3_stmt *statement);
struct sqlite3 *sqlite3_db_handle(sqlite3_stmt *statement);
const char *sqlite3_db_filename(struct sqlite3 *db, const char *name);

/// A statement counts when it begins, not at each of its rows.
int sqlite3_step(sqlite3_stmt *statement) {
    NEXT(sqlite3_step);
    const char *file = is_aside ? NULL : sqlite3_db_filename(sqlite3_db_handle(statement), "main");
    is_aside |= file && strstr(file, "search.sqlite");
    if (!sqlite3_stmt_busy(statement)) add(&counts->statements, 1);
    return next(statement);
}

int sqlite3_prepare_v3(void *db, const char *sql, int count, unsigned flags, sqlite3_stmt **made, const char **rest) {
    NEXT(sqlite3_prepare_v3);
    add(&counts->prepared, 1);
    return next(db, sql, count, flags, made, rest);
}

int fdatasync(int file) {
    NEXT(fdatasync);
    add(&counts->syncs, 1);
    return next(file);
}

ssize_t write(int file, const void *bytes, size_t count) {
    NEXT(write);
    add(&counts->writes, 1);
    return next(file, bytes, count);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    NEXT(pwrite64);
    add(&counts->writes, 1);
    return next(file, bytes, count, offset);
}

ssize_t send(int file, const void *bytes, size_t count, int flags) {
    NEXT(send);
    add(&counts->writes, 1);
    return next(file, bytes, count, flags);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    NEXT(sendmsg);
    add(&counts->writes, 1);
    return next(file, message, flags);
}

ssize_t read(int file, void *bytes, size_t count) {
    NEXT(read);
    add(&counts->reads, 1);
    return next(file, bytes, count);
}

ssize_t recv(int file, void *bytes, size_t count, int flags) {
    NEXT(recv);
    add(&counts->reads, 1);
    return next(file, bytes, count, flags);
}

struct epoll_event;
int epoll_wait(int file, struct epoll_event *events, int count, int timeout) {
    NEXT(epoll_wait);
    add(&counts->polls, 1);
    return next(file, events, count, timeout);
}

int epoll_ctl(int file, int operation, int other, struct epoll_event *event) {
    NEXT(epoll_ctl);
    add(&counts->polls, 1);
    return next(file, operation, other, event);
}
