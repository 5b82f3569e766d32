// What Swift cannot call itself: a variadic function of SQLite, whose header is not included because GRDB's module has it;
// and what the file system knows of a database.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <fcntl.h>
#include <linux/stat.h>

// Declared by the C library only with _GNU_SOURCE, which a module's header is too late to define.
extern int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *result);

extern int sqlite3_config(int option, ...);

/// Stops counting the memory that SQLite takes (SQLITE_CONFIG_MEMSTATUS). The count is behind one lock, which all threads
/// take for each allocation. Before SQLite's first use; afterwards it does nothing.
static inline int csqlite_stop_counting_memory(void) { return sqlite3_config(9, 0); }

/// When a file was made, in nanoseconds since 1970: its copy has another time. 0 where the file system does not know it.
static inline long long csqlite_birth(const char *path) {
  struct statx found;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &found) != 0 || !(found.stx_mask & STATX_BTIME)) return 0;
  return found.stx_btime.tv_sec * 1000000000LL + found.stx_btime.tv_nsec;
}

#endif
