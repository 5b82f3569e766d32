// What every client needs of the machine: a clock, many descriptors, many connections.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Monotonic nanoseconds: the same clock in every process of this machine.
uint64_t now(void);

/// Raises RLIMIT_NOFILE to its hard value: ten thousand streams are ten thousand descriptors.
void raise_descriptor_limit(void);

/// A connected blocking TCP socket to 127.0.0.1, or exits. Source addresses are spread over
/// 127.0.0.2 and on, since one address has fewer than 30,000 ports, some of them in TIME_WAIT.
int dial(int port);

/// Writes all of it to a blocking socket, or exits.
void write_all(int fd, const char *bytes, size_t count);

void set_nonblocking(int fd);

/// Memory or exit.
void *need(void *memory);

/// Reads a whole file into memory that ends in NUL, or exits.
char *read_file(const char *path, size_t *count);
