// What Swift cannot call itself: SQLite's variadic functions; and what the file system knows of a database.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <fcntl.h>
#include <linux/stat.h>
#include <sqlite3.h>

// Declared by the C library only with _GNU_SOURCE, which a module's header is too late to define.
extern int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *result);

/// Stops counting the memory that SQLite takes (SQLITE_CONFIG_MEMSTATUS). The count is behind one lock, which all threads
/// take for each allocation. Before SQLite's first use; afterwards it does nothing.
static inline int csqlite_stop_counting_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Foreign keys are checked, and a word in double quotes is a name, never a text.
static inline void csqlite_be_strict(sqlite3 *db) {
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, (int *)0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}

/// When a file was made, in nanoseconds since 1970: its copy has another time. 0 where the file system does not know it.
static inline long long csqlite_birth(const char *path) {
  struct statx found;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &found) != 0 || !(found.stx_mask & STATX_BTIME)) return 0;
  return found.stx_btime.tv_sec * 1000000000LL + found.stx_btime.tv_nsec;
}

#endif
