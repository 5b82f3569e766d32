#ifndef CJEMALLOC_H
#define CJEMALLOC_H

/// What jemalloc reads when the process starts. See "tuning" in jemalloc(3).
extern const char *malloc_conf;

#endif
