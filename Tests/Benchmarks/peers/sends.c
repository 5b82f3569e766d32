// sends: answers POST .../threads/ID/messages as the gateway does, by libmicrohttpd and SQLite's C API alone.
//
//   sends -d DATABASE -h HEADERS
//
// The message is written by rows and in sizes of the gateway's (messages.h), in a commit of its own, and answered with
// 201, its JSON and the headers of the file HEADERS (lines NAME: VALUE). All of it happens on the loop's thread.
// Nothing is checked: not the token, not the text, not whether the id was sent before. Prints "port PORT"; ends when
// its standard input does.
#define _GNU_SOURCE
#include "../clients/net.h"
#include "messages.h"
#include "server.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *headers;

static struct thread *find_thread(const char *url) {
    const char *place = strstr(url, "/threads/");
    for (int i = 0; place && i < thread_count; i++) {
        size_t length = strlen(threads[i].id);
        if (!strncmp(place + 9, threads[i].id, length) && !strcmp(place + 9 + length, "/messages")) return &threads[i];
    }
    return NULL;
}

/// Keeps the id that the body names. The load client's requests are one packet, so that a body is one piece.
static void read_id(char *id, const char *body, size_t count) {
    static const char key[] = "\"id\": \"";
    const char *place = memmem(body, count, key, sizeof key - 1);
    if (place && place + sizeof key - 1 + ID_LENGTH < body + count) memcpy(id, place + sizeof key - 1, ID_LENGTH);
}

static enum MHD_Result refuse(struct MHD_Connection *connection) {
    struct MHD_Response *empty = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_BAD_REQUEST, empty);
    MHD_destroy_response(empty);
    return result;
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **state) {
    (void)context, (void)method, (void)version;
    if (!*state) { *state = need(calloc(1, ID_LENGTH + 1)); return MHD_YES; }
    char *id = *state;
    if (*upload_size) {
        read_id(id, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
    struct thread *thread = find_thread(url);
    if (!thread || !*id) return refuse(connection);
    begin_transaction();
    write_message(thread, id);
    commit_transaction();
    free(id);
    struct MHD_Response *message = MHD_create_response_from_buffer(
        (size_t)thread->message.count, thread->message.bytes, MHD_RESPMEM_MUST_COPY);
    add_headers(message, headers);
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_CREATED, message);
    MHD_destroy_response(message);
    return result;
}

int main(int argc, char **argv) {
    const char *database = NULL;
    int option;
    while ((option = getopt(argc, argv, "d:h:")) > 0) switch (option) {
        case 'd': database = optarg; break;
        case 'h': headers = read_file(optarg, NULL); break;
        default: return 2;
    }
    if (!database || !headers) { fputs("usage: sends -d DATABASE -h HEADERS\n", stderr); return 2; }
    open_database(database);
    serve(answer, 8192);
}
