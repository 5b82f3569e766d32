#define _GNU_SOURCE
#include "messages.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAXIMUM_THREADS = 4096 };

static sqlite3 *db;
struct thread threads[MAXIMUM_THREADS];
int thread_count;
static int64_t head;

static void check(int code, const char *what) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db));
    exit(2);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
    return statement;
}

static void run(sqlite3_stmt *statement) {
    check(sqlite3_step(statement), sqlite3_sql(statement));
    sqlite3_reset(statement);
}

static struct pattern pattern(sqlite3_stmt *row, int column, const char *id) {
    struct pattern p = {.count = sqlite3_column_bytes(row, column)};
    p.bytes = memcpy(malloc((size_t)p.count + 1), sqlite3_column_blob(row, column), (size_t)p.count);
    char *place = memmem(p.bytes, (size_t)p.count, id, ID_LENGTH);
    if (!place) { fputs("a row does not hold its message's id\n", stderr); exit(2); }
    p.id = (int)(place - p.bytes);
    return p;
}

static struct event event(int64_t message, const char *type, const char *id) {
    sqlite3_stmt *row = prepare("SELECT place, data, audience FROM log WHERE message = ? AND type = ?");
    sqlite3_bind_int64(row, 1, message);
    sqlite3_bind_text(row, 2, type, -1, SQLITE_STATIC);
    if (sqlite3_step(row) != SQLITE_ROW) { fprintf(stderr, "no %s was logged\n", type); exit(2); }
    struct event e = {.data = pattern(row, 1, id), .audience_size = sqlite3_column_bytes(row, 2)};
    e.audience = memcpy(malloc((size_t)e.audience_size + 1), sqlite3_column_blob(row, 2), (size_t)e.audience_size);
    sqlite3_stmt *members = prepare("SELECT account FROM audience WHERE place = ?");
    sqlite3_bind_int64(members, 1, sqlite3_column_int64(row, 0));
    while (sqlite3_step(members) == SQLITE_ROW && e.account_count < MAXIMUM_AUDIENCE)
        e.accounts[e.account_count++] = sqlite3_column_int64(members, 0);
    sqlite3_finalize(members);
    sqlite3_finalize(row);
    return e;
}

static void read_patterns(void) {
    sqlite3_stmt *row = prepare(
        "SELECT thread.number, thread.owner, thread.id, message.id, message.number, message.json, thread.json "
        "FROM thread JOIN message ON message.number = thread.lastMessage");
    while (sqlite3_step(row) == SQLITE_ROW && thread_count < MAXIMUM_THREADS) {
        const char *id = (const char *)sqlite3_column_text(row, 3);
        if (strlen(id) != ID_LENGTH) { fputs("the messages' ids must be UUIDs\n", stderr); exit(2); }
        int64_t message = sqlite3_column_int64(row, 4);
        threads[thread_count++] = (struct thread){
            .number = sqlite3_column_int64(row, 0), .owner = sqlite3_column_int64(row, 1),
            .id = strdup((const char *)sqlite3_column_text(row, 2)), .message = pattern(row, 5, id), .thread = pattern(row, 6, id),
            .created = event(message, "message.created", id), .updated = event(message, "thread.updated", id)};
    }
    sqlite3_finalize(row);
    if (!thread_count) { fputs("no thread has a message\n", stderr); exit(2); }
    row = prepare("SELECT value FROM meta WHERE name = 'head'");
    check(sqlite3_step(row), "head");
    head = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
}

static int64_t time_of_day(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static sqlite3_stmt *begin, *commit, *insert_message, *insert_log, *insert_audience, *update_thread, *update_member, *update_head;

static void prepare_all(void) {
    begin = prepare("BEGIN IMMEDIATE");
    commit = prepare("COMMIT");
    insert_message = prepare(
        "INSERT INTO message (number, thread, id, createdAt, isToAgent, isSeen, version, json) "
        "VALUES (?1, ?2, ?3, ?4, ?5, 0, ?1, ?6) ON CONFLICT (thread, id) DO NOTHING");
    insert_log = prepare("INSERT INTO log (place, at, type, owner, message, audience, data) VALUES (?, ?, ?, ?, ?, ?, ?)");
    insert_audience = prepare("INSERT INTO audience (account, place) VALUES (?, ?)");
    update_thread = prepare(
        "UPDATE thread SET isKnownToDesk = 1, isClosed = 0, activity = ?, version = ?, messagesVersion = ?, lastMessage = ?, "
        "deskReadAt = -1, deskReadTo = -1, json = ? WHERE number = ?");
    update_member = prepare("UPDATE member SET isClosed = 0, activity = ?, unread = 0, readAt = -1, readTo = -1 WHERE account = ? AND id = ?");
    update_head = prepare("UPDATE meta SET value = ? WHERE name = 'head'");
}

static void bind_pattern(sqlite3_stmt *statement, int index, struct pattern *p, const char *id) {
    memcpy(p->bytes + p->id, id, ID_LENGTH);
    sqlite3_bind_blob(statement, index, p->bytes, p->count, SQLITE_STATIC);
}

static void append(struct event *e, const char *type, int64_t owner, int64_t message, int64_t at, const char *id) {
    head++;
    sqlite3_bind_int64(insert_log, 1, head);
    sqlite3_bind_int64(insert_log, 2, at);
    sqlite3_bind_text(insert_log, 3, type, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert_log, 4, owner);
    sqlite3_bind_int64(insert_log, 5, message);
    sqlite3_bind_blob(insert_log, 6, e->audience, e->audience_size, SQLITE_STATIC);
    bind_pattern(insert_log, 7, &e->data, id);
    run(insert_log);
    for (int i = 0; i < e->account_count; i++) {
        sqlite3_bind_int64(insert_audience, 1, e->accounts[i]);
        sqlite3_bind_int64(insert_audience, 2, head);
        run(insert_audience);
    }
}

void write_message(struct thread *t, const char *id) {
    int64_t at = time_of_day(), message = head + 1;
    sqlite3_bind_int64(insert_message, 1, message);
    sqlite3_bind_int64(insert_message, 2, t->number);
    sqlite3_bind_text(insert_message, 3, id, ID_LENGTH, SQLITE_STATIC);
    sqlite3_bind_int64(insert_message, 4, at);
    sqlite3_bind_int(insert_message, 5, 1);
    bind_pattern(insert_message, 6, &t->message, id);
    run(insert_message);
    append(&t->created, "message.created", t->owner, message, at, id);
    append(&t->updated, "thread.updated", t->owner, message, at, id);
    sqlite3_bind_int64(update_thread, 1, at);
    sqlite3_bind_int64(update_thread, 2, head);
    sqlite3_bind_int64(update_thread, 3, message);
    sqlite3_bind_int64(update_thread, 4, message);
    bind_pattern(update_thread, 5, &t->thread, id);
    sqlite3_bind_int64(update_thread, 6, t->number);
    run(update_thread);
    sqlite3_bind_int64(update_member, 1, at);
    sqlite3_bind_int64(update_member, 2, t->owner);
    sqlite3_bind_text(update_member, 3, t->id, -1, SQLITE_STATIC);
    run(update_member);
}

void open_database(const char *path) {
    check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL), path);
    check(sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST", NULL, NULL, NULL), "pragma");
    read_patterns();
    prepare_all();
}

void begin_transaction(void) { run(begin); }

void commit_transaction(void) {
    sqlite3_bind_int64(update_head, 1, head);
    run(update_head);
    run(commit);
}
