// Tells ThreadSanitizer about the slow path of Swift's Mutex. Loaded by LD_PRELOAD into the unit tests (Tests/run tsan).
//
// The fast path of Synchronization.Mutex is inlined, so that the sanitizer sees it. Under contention the lock is taken and
// given back inside libswiftSynchronization.so, by futex calls that are not instrumented: without these two functions every
// contended mutex would be reported as a race. `self` is the mutex's own word, the one that the fast path changes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Weak: the process that starts the tests loads this file too, without the sanitizer.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

typedef SWIFT void (*lock_slow)(uint32_t, SELF void *);
typedef SWIFT void (*unlock_slow)(SELF void *);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

SWIFT void parley_lock_slow(uint32_t thread, SELF void *self) __asm__(LOCK);
SWIFT void parley_lock_slow(uint32_t thread, SELF void *self) {
    static lock_slow next;
    if (!next) next = (lock_slow)real(LOCK);
    next(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void parley_unlock_slow(SELF void *self) __asm__(UNLOCK);
SWIFT void parley_unlock_slow(SELF void *self) {
    static unlock_slow next;
    if (!next) next = (unlock_slow)real(UNLOCK);
    if (__tsan_release) __tsan_release(self);
    next(self);
}
