// What Swift cannot call itself: a variadic function of SQLite. The header is not included, because GRDB's module has it.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

extern int sqlite3_config(int option, ...);

/// Stops counting the memory that SQLite takes (SQLITE_CONFIG_MEMSTATUS). The count is behind one lock, which all threads
/// take for each allocation. Before SQLite's first use; afterwards it does nothing.
static inline int csqlite_stop_counting_memory(void) { return sqlite3_config(9, 0); }

#endif
