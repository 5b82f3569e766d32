// The rows of sent messages, written through SQLite's C API into a copy of a database that the gateway made.
//
// Each thread of it has at least one message: what the gateway wrote for a thread's newest message is the pattern of
// what is written here, so that schema, indexes and sizes are the same. A message is: its row, two log rows with their
// audience, the thread, the member. A commit ends with the log's head. WAL, synchronous=FULL, as the gateway.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { ID_LENGTH = 36, MAXIMUM_AUDIENCE = 8 };

/// Bytes in which a message's id stands at a known place.
struct pattern { char *bytes; int count, id; };

/// What the gateway logs once: the bytes, who hears of it.
struct event { struct pattern data; unsigned char *audience; int audience_size; int64_t accounts[MAXIMUM_AUDIENCE]; int account_count; };

struct thread {
    int64_t number, owner;
    char *id;
    /// After `write_message`, `message` holds the new message's JSON.
    struct pattern message, thread;
    struct event created, updated;
};

extern struct thread threads[];
extern int thread_count;

/// Ends the process if it cannot.
void open_database(const char *path);

void begin_transaction(void);

/// Inside a transaction. `id` has `ID_LENGTH` characters.
void write_message(struct thread *thread, const char *id);

/// When it returns, the messages are on the disk.
void commit_transaction(void);
