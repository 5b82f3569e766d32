// pgrows: writes the rows of sent messages into PostgreSQL through libpq, and nothing else.
//
//   pgrows ADDRESS SECONDS [BATCH]
//
// ADDRESS is a database that the gateway has made, in which each thread has at least one message: what the gateway wrote
// for a thread's newest message is the pattern of what is written here, so that tables, indexes and sizes are the same. A
// message is: its row, two log rows with their audience, the thread, the member. A batch (32) of messages is one
// transaction as the gateway's: the writer's row is locked, and a row of `committed` and a notification are its end. All
// its statements go in one flush, so it waits for one round trip. Prints one line of JSON.
#define _GNU_SOURCE
#include <endian.h>
#include <postgresql/libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ID_LENGTH = 36, MAXIMUM_AUDIENCE = 8, MAXIMUM_THREADS = 4096, MAXIMUM_VALUES = 8 };

/// Bytes in which a message's id stands at a known place.
struct pattern { char *bytes; int count, id; };
/// What the gateway logs once: the bytes, who hears of it.
struct event { struct pattern data; char *audience; int audience_size; int64_t accounts[MAXIMUM_AUDIENCE]; int account_count; };
struct thread { int64_t number, owner; char *id; struct pattern message, thread; struct event created, updated; };

static PGconn *db;
static struct thread threads[MAXIMUM_THREADS];
static int thread_count;
static int64_t head, serial;

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, PQerrorMessage(db));
    exit(2);
}

// MARK: One statement's values, in binary

static const char *values[MAXIMUM_VALUES];
static int lengths[MAXIMUM_VALUES], formats[MAXIMUM_VALUES], value_count;
static int64_t numbers[MAXIMUM_VALUES];

static void add(const void *bytes, int count) {
    values[value_count] = bytes;
    lengths[value_count] = count;
    formats[value_count++] = 1;
}

static void add_number(int64_t number) {
    numbers[value_count] = (int64_t)htobe64((uint64_t)number);
    add(&numbers[value_count], 8);
}

static void add_pattern(struct pattern *p, const char *id) {
    memcpy(p->bytes + p->id, id, ID_LENGTH);
    add(p->bytes, p->count);
}

/// Puts a prepared statement into the pipeline.
static void push(const char *name) {
    if (!PQsendQueryPrepared(db, name, value_count, values, lengths, formats, 1)) fail(name);
    value_count = 0;
}

static PGresult *ask(const char *sql) {
    PGresult *result = PQexecParams(db, sql, value_count, NULL, values, lengths, formats, 1);
    value_count = 0;
    if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK) fail(sql);
    return result;
}

static int64_t number(PGresult *result, int row, int column) {
    uint64_t value;
    memcpy(&value, PQgetvalue(result, row, column), 8);
    return (int64_t)be64toh(value);
}

// MARK: What the gateway wrote

static struct pattern pattern(PGresult *result, int row, int column, const char *id) {
    struct pattern p = {.count = PQgetlength(result, row, column)};
    p.bytes = memcpy(malloc((size_t)p.count + 1), PQgetvalue(result, row, column), (size_t)p.count);
    char *place = memmem(p.bytes, (size_t)p.count, id, ID_LENGTH);
    if (!place) { fputs("a row does not hold its message's id\n", stderr); exit(2); }
    p.id = (int)(place - p.bytes);
    return p;
}

static struct event event(int64_t message, const char *type, const char *id) {
    add_number(message);
    add(type, (int)strlen(type));
    PGresult *row = ask("SELECT place, data, audience FROM log WHERE message = $1::bigint AND type = $2::text ORDER BY place DESC LIMIT 1");
    if (PQntuples(row) != 1) { fprintf(stderr, "no %s was logged\n", type); exit(2); }
    struct event e = {.data = pattern(row, 0, 1, id), .audience_size = PQgetlength(row, 0, 2)};
    e.audience = memcpy(malloc((size_t)e.audience_size + 1), PQgetvalue(row, 0, 2), (size_t)e.audience_size);
    add_number(number(row, 0, 0));
    PGresult *members = ask("SELECT account FROM audience WHERE place = $1::bigint");
    for (int i = 0; i < PQntuples(members) && i < MAXIMUM_AUDIENCE; i++) e.accounts[e.account_count++] = number(members, i, 0);
    PQclear(members);
    PQclear(row);
    return e;
}

static void read_patterns(void) {
    PGresult *rows = ask(
        "SELECT thread.number, thread.owner, thread.id, message.id, message.number, message.json, thread.json "
        "FROM thread JOIN message ON message.number = thread.lastMessage");
    for (int i = 0; i < PQntuples(rows) && thread_count < MAXIMUM_THREADS; i++) {
        const char *id = PQgetvalue(rows, i, 3);
        if (strlen(id) != ID_LENGTH) { fputs("the messages' ids must be UUIDs\n", stderr); exit(2); }
        int64_t message = number(rows, i, 4);
        threads[thread_count++] = (struct thread){
            .number = number(rows, i, 0), .owner = number(rows, i, 1), .id = strdup(PQgetvalue(rows, i, 2)),
            .message = pattern(rows, i, 5, id), .thread = pattern(rows, i, 6, id),
            .created = event(message, "message.created", id), .updated = event(message, "thread.updated", id)};
    }
    PQclear(rows);
    if (!thread_count) { fputs("no thread has a message\n", stderr); exit(2); }
    rows = ask("SELECT coalesce(max(place), 0), coalesce(max(number), 0) FROM committed");
    head = number(rows, 0, 0);
    serial = number(rows, 0, 1);
    PQclear(rows);
}

// MARK: The same again

static const char *const statements[][2] = {
    {"begin", "BEGIN ISOLATION LEVEL READ COMMITTED"},
    {"lock", "SELECT holder, fence FROM writer WHERE id = 1 FOR UPDATE"},
    {"head", "SELECT place, number FROM committed ORDER BY number DESC LIMIT 1"},
    {"message", "INSERT INTO message (number, thread, id, createdAt, isToAgent, isSeen, version, json) "
                "VALUES ($1::bigint, $2::bigint, $3::text, $4::bigint, 1, 0, $1::bigint, $5::bytea) ON CONFLICT (thread, id) DO NOTHING"},
    {"log", "INSERT INTO log (place, at, type, owner, message, audience, data) "
            "VALUES ($1::bigint, $2::bigint, $3::text, $4::bigint, $5::bigint, $6::bytea, $7::bytea)"},
    {"audience", "INSERT INTO audience (account, place) VALUES ($1::bigint, $2::bigint)"},
    {"thread", "UPDATE thread SET isKnownToDesk = 1, isClosed = 0, activity = $1::bigint, version = $2::bigint, messagesVersion = $3::bigint, "
               "lastMessage = $3::bigint, deskReadAt = -1, deskReadTo = -1, json = $4::bytea WHERE number = $5::bigint"},
    {"member", "UPDATE member SET isClosed = 0, activity = $1::bigint, unread = 0, readAt = -1, readTo = -1 "
               "WHERE account = $2::bigint AND id = $3::text"},
    {"committed", "INSERT INTO committed (number, place, first, gateway, at) VALUES ($1::bigint, $2::bigint, $3::bigint, 'peer', $4::bigint)"},
    {"notify", "SELECT pg_notify('parley', $1::text)"},
    {"commit", "COMMIT"},
};

static int64_t time_of_day(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void append(struct event *e, const char *type, int64_t owner, int64_t message, int64_t at, const char *id) {
    head++;
    add_number(head);
    add_number(at);
    add(type, (int)strlen(type));
    add_number(owner);
    add_number(message);
    add(e->audience, e->audience_size);
    add_pattern(&e->data, id);
    push("log");
    for (int i = 0; i < e->account_count; i++) {
        add_number(e->accounts[i]);
        add_number(head);
        push("audience");
    }
}

static void write_message(struct thread *t, const char *id) {
    int64_t at = time_of_day(), message = head + 1;
    add_number(message);
    add_number(t->number);
    add(id, ID_LENGTH);
    add_number(at);
    add_pattern(&t->message, id);
    push("message");
    append(&t->created, "message.created", t->owner, message, at, id);
    append(&t->updated, "thread.updated", t->owner, message, at, id);
    add_number(at);
    add_number(head);
    add_number(message);
    add_pattern(&t->thread, id);
    add_number(t->number);
    push("thread");
    add_number(at);
    add_number(t->owner);
    add(t->id, (int)strlen(t->id));
    push("member");
}

static void write_next(void) {
    static unsigned long long count;
    char id[ID_LENGTH + 1];
    // The first digits differ from one to the next as a real id's do, so that the index grows all over.
    count++;
    snprintf(id, sizeof id, "%08x-0000-4000-8000-%012llx", (unsigned)((count + (unsigned long long)serial * 64) * 2654435761u), count);
    write_message(&threads[(count - 1) % (unsigned)thread_count], id);
}

/// Reads the answers up to the pipeline's end.
static void finish(void) {
    if (!PQpipelineSync(db)) fail("sync");
    for (;;) {
        PGresult *result = PQgetResult(db);
        if (!result) continue; // between two statements
        ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_FATAL_ERROR || status == PGRES_PIPELINE_ABORTED) fail(PQresultErrorMessage(result));
        PQclear(result);
        if (status == PGRES_PIPELINE_SYNC) return;
    }
}

static void write_batch(int batch) {
    int64_t first = head;
    push("begin");
    push("lock");
    push("head");
    for (int i = 0; i < batch; i++) write_next();
    add_number(++serial);
    add_number(head);
    add_number(first);
    add_number(time_of_day());
    push("committed");
    char place[24];
    add(place, snprintf(place, sizeof place, "%lld", (long long)head));
    push("notify");
    push("commit");
    finish();
}

static int64_t milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(int argc, char **argv) {
    if (argc < 3) { fputs("usage: pgrows ADDRESS SECONDS [BATCH]\n", stderr); return 2; }
    int batch = argc > 3 ? atoi(argv[3]) : 32;
    db = PQconnectdb(argv[1]);
    if (PQstatus(db) != CONNECTION_OK) fail("connect");
    PQclear(PQexec(db, "SET synchronous_commit = on"));
    read_patterns();
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        PGresult *result = PQprepare(db, statements[i][0], statements[i][1], 0, NULL);
        if (PQresultStatus(result) != PGRES_COMMAND_OK) fail(statements[i][0]);
        PQclear(result);
    }
    if (!PQenterPipelineMode(db)) fail("pipeline");
    int64_t start = milliseconds(), end = start + (int64_t)(atof(argv[2]) * 1000), last = start;
    size_t messages = 0, commits = 0;
    while (last < end) {
        write_batch(batch);
        messages += (size_t)batch;
        commits++;
        last = milliseconds();
    }
    double seconds = (double)(last - start) / 1e3;
    printf("{\"messages\":%zu,\"commits\":%zu,\"seconds\":%.4f,\"rate\":%.1f}\n", messages, commits, seconds, (double)messages / seconds);
    PQfinish(db);
    return 0;
}
