// rows: writes the rows of sent messages through SQLite's C API, and nothing else.
//
//   rows DATABASE SECONDS [BATCH]
//
// DATABASE is a copy of one that the gateway made: see messages.h. A batch (32) of messages is one transaction. Prints
// one line of JSON.
#define _GNU_SOURCE
#include "messages.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void write_next(void) {
    static unsigned long long count;
    char id[ID_LENGTH + 1];
    // The first digits differ from one to the next as a real id's do, so that the index grows all over.
    count++;
    snprintf(id, sizeof id, "%08x-0000-4000-8000-%012llx", (unsigned)(count * 2654435761u), count);
    write_message(&threads[(count - 1) % (unsigned)thread_count], id);
}

int main(int argc, char **argv) {
    if (argc < 3) { fputs("usage: rows DATABASE SECONDS [BATCH]\n", stderr); return 2; }
    int batch = argc > 3 ? atoi(argv[3]) : 32;
    open_database(argv[1]);
    int64_t start = milliseconds(), end = start + (int64_t)(atof(argv[2]) * 1000), last = start;
    size_t messages = 0, commits = 0;
    while (last < end) {
        begin_transaction();
        for (int i = 0; i < batch; i++) write_next();
        commit_transaction();
        messages += (size_t)batch;
        commits++;
        last = milliseconds();
    }
    double seconds = (double)(last - start) / 1e3;
    printf("{\"messages\":%zu,\"commits\":%zu,\"seconds\":%.4f,\"rate\":%.1f}\n", messages, commits, seconds, (double)messages / seconds);
    return 0;
}
