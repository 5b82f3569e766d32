// jemalloc replaces the C library's malloc and free by being linked. This is all that is called by name.
#ifndef CJEMALLOC_SHIM_H
#define CJEMALLOC_SHIM_H

#include <stddef.h>

/// Reads and changes the allocator's settings: see jemalloc(3). Its own header would declare malloc and free again.
extern int mallctl(const char *name, void *old, size_t *old_size, void *new_value, size_t new_size);

#endif
