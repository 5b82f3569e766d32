// A VFS that joins the writes to a WAL. SQLite writes each page of a commit by two calls, its frame's header and the
// page; for a group of messages that is hundreds. Here they wait in memory until SQLite needs them on the file: one
// call writes them.
//
// What holds: the bytes and their order on the file are the same. Before SQLite synchronizes the WAL, reads from it,
// asks for its size, cuts or closes it, all that waits is written; so with `synchronous = FULL` a commit is on the file
// before anybody sees it, and a write that fails makes the synchronization fail: SQLite undoes the commit. What waits when
// the lock for writing is given back was not committed, and is dropped.
//
// The connection must not spill pages before a commit (`PRAGMA cache_spill = OFF`): a write that fails later than SQLite
// has been told of its success would damage the unit. A transaction that every fault undoes as a whole, such as a
// migration, may spill. Without FULL the bytes are written at the barrier in the shared
// memory, before readers see the commit, and a write that fails there is not reported: for tests alone.
#ifndef CSQLITE_JOINED_WRITES_H
#define CSQLITE_JOINED_WRITES_H

#include <sqlite3.h>
#include <string.h>

/// The most bytes that wait, for each connection that writes.
enum { csqlite_held_limit = 128 << 10 };

/// A database or its WAL; SQLite's own file of the same kind lies behind it in memory.
typedef struct csqlite_file {
  sqlite3_file base;
  /// Of a database: its WAL while that is open. Of a WAL: its database.
  struct csqlite_file *other;
  unsigned char *held;
  int count;
  sqlite3_int64 offset;
} csqlite_file;

static inline sqlite3_file *csqlite_inner(sqlite3_file *file) { return (sqlite3_file *)((csqlite_file *)file + 1); }

/// Writes what waits. It waits no longer, also when it cannot be written.
static inline int csqlite_write_held(csqlite_file *wal) {
  int count = wal->count;
  if (count == 0) return SQLITE_OK;
  wal->count = 0;
  sqlite3_file *inner = csqlite_inner(&wal->base);
  return inner->pMethods->xWrite(inner, wal->held, count, wal->offset);
}

#define CSQLITE_FORWARD(call, ...) csqlite_inner(file)->pMethods->call(csqlite_inner(file), ##__VA_ARGS__)
#define CSQLITE_AFTER_HELD(call, ...)                      \
  int code = csqlite_write_held((csqlite_file *)file);     \
  return code != SQLITE_OK ? code : CSQLITE_FORWARD(call, ##__VA_ARGS__)

// What a WAL does otherwise.

static int csqlite_wal_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  csqlite_file *wal = (csqlite_file *)file;
  if (wal->count > 0 && (offset != wal->offset + wal->count || wal->count + count > csqlite_held_limit)) {
    int code = csqlite_write_held(wal);
    if (code != SQLITE_OK) return code;
  }
  if (count > csqlite_held_limit) return CSQLITE_FORWARD(xWrite, bytes, count, offset);
  if (wal->count == 0) wal->offset = offset;
  memcpy(wal->held + wal->count, bytes, count);
  wal->count += count;
  return SQLITE_OK;
}
static int csqlite_wal_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  CSQLITE_AFTER_HELD(xRead, bytes, count, offset);
}
static int csqlite_wal_truncate(sqlite3_file *file, sqlite3_int64 size) { CSQLITE_AFTER_HELD(xTruncate, size); }
static int csqlite_wal_sync(sqlite3_file *file, int flags) { CSQLITE_AFTER_HELD(xSync, flags); }
static int csqlite_wal_size(sqlite3_file *file, sqlite3_int64 *size) { CSQLITE_AFTER_HELD(xFileSize, size); }
static int csqlite_wal_close(sqlite3_file *file) {
  csqlite_file *wal = (csqlite_file *)file;
  int code = csqlite_write_held(wal);
  if (wal->other) wal->other->other = NULL;
  sqlite3_free(wal->held);
  int closed = CSQLITE_FORWARD(xClose);
  return code != SQLITE_OK ? code : closed;
}

// What a database does otherwise.

static void csqlite_shm_barrier(sqlite3_file *file) {
  csqlite_file *database = (csqlite_file *)file;
  if (database->other) csqlite_write_held(database->other);
  CSQLITE_FORWARD(xShmBarrier);
}
/// The lock for writing is the first of SQLite's locks on a WAL (WAL_WRITE_LOCK).
static int csqlite_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  csqlite_file *database = (csqlite_file *)file;
  if (database->other && offset == 0 && flags == (SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)) database->other->count = 0;
  return CSQLITE_FORWARD(xShmLock, offset, count, flags);
}
static int csqlite_database_close(sqlite3_file *file) {
  csqlite_file *database = (csqlite_file *)file;
  if (database->other) database->other->other = NULL;
  return CSQLITE_FORWARD(xClose);
}

// All else is passed on.

static int csqlite_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return CSQLITE_FORWARD(xRead, bytes, count, offset);
}
static int csqlite_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  return CSQLITE_FORWARD(xWrite, bytes, count, offset);
}
static int csqlite_truncate(sqlite3_file *file, sqlite3_int64 size) { return CSQLITE_FORWARD(xTruncate, size); }
static int csqlite_sync(sqlite3_file *file, int flags) { return CSQLITE_FORWARD(xSync, flags); }
static int csqlite_size(sqlite3_file *file, sqlite3_int64 *size) { return CSQLITE_FORWARD(xFileSize, size); }
static int csqlite_lock(sqlite3_file *file, int level) { return CSQLITE_FORWARD(xLock, level); }
static int csqlite_unlock(sqlite3_file *file, int level) { return CSQLITE_FORWARD(xUnlock, level); }
static int csqlite_is_reserved(sqlite3_file *file, int *answer) { return CSQLITE_FORWARD(xCheckReservedLock, answer); }
static int csqlite_control(sqlite3_file *file, int what, void *value) {
  return CSQLITE_FORWARD(xFileControl, what, value);
}
static int csqlite_sector(sqlite3_file *file) { return CSQLITE_FORWARD(xSectorSize); }
static int csqlite_characteristics(sqlite3_file *file) { return CSQLITE_FORWARD(xDeviceCharacteristics); }
static int csqlite_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **found) {
  return CSQLITE_FORWARD(xShmMap, region, size, extends, found);
}
static int csqlite_shm_unmap(sqlite3_file *file, int deletes) { return CSQLITE_FORWARD(xShmUnmap, deletes); }
static int csqlite_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **found) {
  return CSQLITE_FORWARD(xFetch, offset, count, found);
}
static int csqlite_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *bytes) {
  return CSQLITE_FORWARD(xUnfetch, offset, bytes);
}

static const sqlite3_io_methods csqlite_database_methods = {
    3, csqlite_database_close, csqlite_read, csqlite_write, csqlite_truncate, csqlite_sync, csqlite_size,
    csqlite_lock, csqlite_unlock, csqlite_is_reserved, csqlite_control, csqlite_sector, csqlite_characteristics,
    csqlite_shm_map, csqlite_shm_lock, csqlite_shm_barrier, csqlite_shm_unmap, csqlite_fetch, csqlite_unfetch};
static const sqlite3_io_methods csqlite_wal_methods = {
    1, csqlite_wal_close, csqlite_wal_read, csqlite_wal_write, csqlite_wal_truncate, csqlite_wal_sync,
    csqlite_wal_size, csqlite_lock, csqlite_unlock, csqlite_is_reserved, csqlite_control, csqlite_sector,
    csqlite_characteristics, NULL, NULL, NULL, NULL, NULL, NULL};

static int csqlite_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given) {
  sqlite3_vfs *system = (sqlite3_vfs *)vfs->pAppData;
  // Journals and temporary files are SQLite's own: the memory for a file is large enough for theirs, too.
  if (!(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL))) return system->xOpen(system, name, file, flags, given);
  csqlite_file *opened = (csqlite_file *)file;
  memset(opened, 0, sizeof *opened);
  if (flags & SQLITE_OPEN_WAL) {
    opened->held = sqlite3_malloc(csqlite_held_limit);
    if (!opened->held) return SQLITE_NOMEM;
  }
  int code = system->xOpen(system, name, csqlite_inner(file), flags, given);
  if (code != SQLITE_OK) {
    // No methods: SQLite does not close it.
    sqlite3_free(opened->held);
    opened->held = NULL;
    if (csqlite_inner(file)->pMethods) CSQLITE_FORWARD(xClose);
    return code;
  }
  if (flags & SQLITE_OPEN_WAL) {
    opened->base.pMethods = &csqlite_wal_methods;
    opened->other = (csqlite_file *)sqlite3_database_file_object(name);
    opened->other->other = opened;
  } else {
    opened->base.pMethods = &csqlite_database_methods;
  }
  return SQLITE_OK;
}

/// Makes the VFS known to SQLite under this name. Call it once, from one thread, before the first connection that names
/// it. Returns SQLite's code.
static inline int csqlite_join_writes(const char *name) {
  static sqlite3_vfs joining;
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  if (!system) return SQLITE_ERROR;
  joining = *system;
  joining.zName = name;
  joining.szOsFile = (int)sizeof(csqlite_file) + system->szOsFile;
  joining.pAppData = system;
  joining.xOpen = csqlite_open;
  joining.pNext = NULL;
  return sqlite3_vfs_register(&joining, 0);
}

#endif
