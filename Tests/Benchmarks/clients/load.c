// load: requests in a closed loop. Each of N keep-alive connections sends one request, waits for its
// whole answer, and sends the next, until the time is over; with -r so many a second over all connections, evenly,
// where their answers allow it.
//
//   load -p PORT -c CONNECTIONS -s SECONDS -f REQUESTS [-r RATE]
//
// REQUESTS is a file of lines METHOD<tab>PATH<tab>TOKEN<tab>BODY (TOKEN and BODY may be empty); connection i
// uses line i modulo their number. {id} in path and body becomes a fresh UUID for each request.
// Prints one line of JSON: requests answered 2xx, the others, seconds, rate, latencies in ms.
#define _GNU_SOURCE
#include "latencies.h"
#include "net.h"
#include "reply.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAXIMUM_IDS = 8, ID_LENGTH = 36 };

struct connection {
    int fd;
    unsigned number, sent;
    uint64_t since;
    /// When the next request is due; 0: not before the answer.
    uint64_t due;
    struct reply reply;
    char *request;
    size_t count;
    /// Where the ids stand in the request: they have one length, so that only these bytes change.
    size_t ids[MAXIMUM_IDS];
    int id_count;
};

static int port;
static unsigned run;
static size_t answered, refused;
static struct latencies latencies;

/// A text with each {id} replaced by room for one.
static char *with_room_for_ids(const char *text) {
    char *out = need(malloc(strlen(text) * 9 + 1)), *to = out;
    while (*text) {
        if (!strncmp(text, "{id}", 4)) {
            memset(to, '\1', ID_LENGTH);
            to += ID_LENGTH;
            text += 4;
        } else {
            *to++ = *text++;
        }
    }
    *to = 0;
    return out;
}

static void prepare(struct connection *c, char *line) {
    const char *method = strsep(&line, "\t"), *path = strsep(&line, "\t"), *token = strsep(&line, "\t");
    char *target = with_room_for_ids(path ? path : "/"), *body = with_room_for_ids(line ? line : "");
    char authorization[1024] = "", content[128] = "";
    if (token && *token) snprintf(authorization, sizeof authorization, "Authorization: Bearer %s\r\n", token);
    if (*body) snprintf(content, sizeof content, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
    int count = asprintf(
        &c->request, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s\r\n%s", method, target, port, authorization, content, body);
    if (count < 0) need(NULL);
    c->count = (size_t)count;
    for (char *p = c->request; (p = memchr(p, '\1', c->count - (size_t)(p - c->request))) && c->id_count < MAXIMUM_IDS; p += ID_LENGTH)
        c->ids[c->id_count++] = (size_t)(p - c->request);
    free(target);
    free(body);
}

/// As a client's random UUIDs, ids are spread all over an index: the first digits are a hash of what follows them.
static void make_id(struct connection *c, char *id) {
    unsigned hash = (++c->sent * 2654435761u) ^ (c->number * 2246822519u) ^ run;
    hash = (hash ^ hash >> 15) * 3266489917u;
    snprintf(id, ID_LENGTH + 1, "%08x-%04x-4%03x-8%03x-%04x%08x", hash, run >> 16, run & 0xfff, c->number & 0xfff, run >> 12 & 0xffff, c->sent);
}

/// Nanoseconds between two requests of one connection; 0: the next one goes out with the answer.
static uint64_t interval;

static void send_next(struct connection *c) {
    c->due = 0;
    char id[ID_LENGTH + 1];
    make_id(c, id);
    for (int i = 0; i < c->id_count; i++) memcpy(c->request + c->ids[i], id, ID_LENGTH);
    c->since = now();
    write_all(c->fd, c->request, c->count);
}

/// Returns whether the answer is complete.
static int receive(struct connection *c) {
    static char buffer[1 << 18];
    ssize_t got = recv(c->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (got <= 0) { fprintf(stderr, "connection %u was closed after %u requests\n", c->number, c->sent); exit(3); }
    reply_take(&c->reply, buffer, (size_t)got, NULL, NULL);
    if (c->reply.is_broken) { fputs("an answer is no HTTP\n", stderr); exit(3); }
    if (!c->reply.is_complete) return 0;
    if (c->reply.status / 100 == 2) {
        answered++;
        latencies_add(&latencies, now() - c->since);
    } else if (!refused++) {
        fprintf(stderr, "answered %d: %.*s\n", c->reply.status, (int)(got < 600 ? got : 600), buffer);
    }
    reply_reset(&c->reply);
    return 1;
}

/// Sends what is due. Returns for how many milliseconds nothing will be; those that are due after the end send no more.
static int wait_for_due(struct connection *all, int count, uint64_t end, int *open) {
    uint64_t time = now(), next = time + 100000000u;
    for (int i = 0; interval && i < count; i++) {
        struct connection *c = &all[i];
        if (!c->due) continue;
        if (time >= end) { c->due = 0; --*open; }
        else if (c->due <= time) send_next(c);
        else if (c->due < next) next = c->due;
    }
    return next > time ? (int)((next - time + 999999) / 1000000) : 0;
}

int main(int argc, char **argv) {
    int count = 64, option;
    double seconds = 3, rate = 0;
    const char *file = NULL;
    while ((option = getopt(argc, argv, "p:c:s:f:r:")) > 0) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'c': count = atoi(optarg); break;
        case 's': seconds = atof(optarg); break;
        case 'f': file = optarg; break;
        case 'r': rate = atof(optarg); break;
        default: return 2;
    }
    if (!port || !file || count < 1) { fputs("usage: load -p PORT -c CONNECTIONS -s SECONDS -f REQUESTS [-r RATE]\n", stderr); return 2; }
    raise_descriptor_limit();
    run = (unsigned)now() ^ (unsigned)getpid() << 16;

    char *text = read_file(file, NULL), *lines[65536];
    int line_count = 0;
    for (char *line; (line = strsep(&text, "\n")) && line_count < 65536;)
        if (*line) lines[line_count++] = line;
    if (!line_count) { fputs("no requests\n", stderr); return 2; }

    int epoll = epoll_create1(0);
    struct connection *all = need(calloc((size_t)count, sizeof *all));
    for (int i = 0; i < count; i++) {
        all[i] = (struct connection){.fd = dial(port), .number = (unsigned)i};
        prepare(&all[i], need(strdup(lines[i % line_count])));
        struct epoll_event event = {EPOLLIN, {.ptr = &all[i]}};
        epoll_ctl(epoll, EPOLL_CTL_ADD, all[i].fd, &event);
    }
    uint64_t start = now(), end = start + (uint64_t)(seconds * 1e9), last = start;
    if (rate > 0) interval = (uint64_t)(1e9 * count / rate);
    for (int i = 0; i < count; i++) {
        if (interval) all[i].due = start + interval * (uint64_t)i / (uint64_t)count; else send_next(&all[i]);
    }
    // After the end answers are still awaited, for a while: what was sent is counted or it is a failure.
    int open = count;
    while (open && now() < end + 10000000000u) {
        struct epoll_event events[512];
        int ready = epoll_wait(epoll, events, 512, wait_for_due(all, count, end, &open));
        for (int i = 0; i < ready; i++) {
            struct connection *c = events[i].data.ptr;
            if (!receive(c)) continue;
            last = now();
            if (last >= end) open--;
            else if (!interval) send_next(c);
            else c->due = c->since + interval > last ? c->since + interval : last;
        }
    }
    double took = (double)(last - start) / 1e9;
    printf(
        "{\"answered\":%zu,\"refused\":%zu,\"unanswered\":%d,\"seconds\":%.4f,\"rate\":%.1f,\"p50\":%.3f,\"p99\":%.3f}\n",
        answered, refused, open, took, took > 0 ? (double)answered / took : 0,
        latencies_percentile(&latencies, 0.5), latencies_percentile(&latencies, 0.99));
    return 0;
}
