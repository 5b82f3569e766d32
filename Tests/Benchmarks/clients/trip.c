// trip: messages from a session's customer to its service and back to the session's stream, how many a second and how
// long each takes.
//
//   trip -p PORT -n SESSIONS -f PATHS [-a EVENT] [-e NEEDLE] -u PATHS [-k TOKEN] -b BODY -m SECONDS:RATE ... [-l SECONDS]
//
// Each session has a stream (-f and -a as in hold) and a keep-alive connection of its own, on which it posts to line i
// of -u. BODY is a file whose {mark} becomes @@<monotonic ns>@@; the trip is over when an event of the session's stream
// holds the mark, and NEEDLE. A session posts its next message when its last one's trip is over and its answer there.
// Each -m is a phase: for so long, so many messages a second over all sessions; rate 0 is a closed loop of all of them.
// A phase ends when everything has come back, or SECONDS (20) after its time. Before the first one every session makes
// two trips, so that threads and connections are what they will be. Prints one line of JSON a phase.
#define _GNU_SOURCE
#include "latencies.h"
#include "net.h"
#include "reply.h"
#include "subscribers.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAXIMUM_PHASES = 8, MARK_LENGTH = 23, WARM_TRIPS = 2 };

struct phase { double seconds, rate; };

struct traveller {
    int fd;
    char *request;
    size_t count, mark;
    struct reply reply;
    bool is_answered, is_back;
    uint64_t sent_at;
};

static struct traveller *travellers;
static struct subscribers all;
static int *idle, idle_count;
static size_t sent, refused, returned;
static uint64_t last_return;
static struct latencies latencies;

static void rest(struct traveller *t) {
    if (t->is_answered && t->is_back) idle[idle_count++] = (int)(t - travellers);
}

static void marked(struct subscriber *s, uint64_t mark) {
    struct traveller *t = &travellers[s - all.each];
    if (t->is_back || mark != t->sent_at) return;
    last_return = now();
    latencies_add(&latencies, last_return - mark);
    returned++;
    t->is_back = true;
    rest(t);
}

static void prepare(struct traveller *t, int port, const char *path, const char *token, const char *body) {
    const char *place = strstr(body, "{mark}");
    if (!place) { fputs("the body has no {mark}\n", stderr); exit(2); }
    char authorization[1024] = "";
    if (token) snprintf(authorization, sizeof authorization, "Authorization: Bearer %s\r\n", token);
    size_t length = strlen(body) - 6 + MARK_LENGTH;
    int count = asprintf(
        &t->request,
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n%s\r\n%.*s%0*d%s",
        path, port, length, authorization, (int)(place - body), body, MARK_LENGTH, 0, place + 6);
    if (count < 0) need(NULL);
    t->count = (size_t)count;
    t->mark = t->count - length + (size_t)(place - body);
    t->is_answered = t->is_back = true;
    t->fd = dial(port);
}

static void depart(struct traveller *t) {
    char mark[MARK_LENGTH + 1];
    t->sent_at = now();
    t->is_answered = t->is_back = false;
    snprintf(mark, sizeof mark, "@@%019llu@@", (unsigned long long)t->sent_at);
    memcpy(t->request + t->mark, mark, MARK_LENGTH);
    write_all(t->fd, t->request, t->count);
    sent++;
}

static void read_answer(struct traveller *t) {
    static char buffer[1 << 16];
    ssize_t got = recv(t->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) { fputs("a session's connection was closed\n", stderr); exit(3); }
    reply_take(&t->reply, buffer, (size_t)got, NULL, NULL);
    if (!t->reply.is_complete) return;
    if (t->reply.status / 100 != 2) {
        if (!refused++) fprintf(stderr, "answered %d: %.*s\n", t->reply.status, (int)(got < 600 ? got : 600), buffer);
        t->is_back = true;
    }
    reply_reset(&t->reply);
    t->is_answered = true;
    rest(t);
}

static bool is_stream(void *pointer) {
    return (struct subscriber *)pointer >= all.each && (struct subscriber *)pointer < all.each + all.count;
}

static void turn(int milliseconds) {
    struct epoll_event events[512];
    int ready = epoll_wait(all.epoll, events, 512, milliseconds);
    for (int i = 0; i < ready; i++) {
        if (is_stream(events[i].data.ptr)) subscriber_read(events[i].data.ptr); else read_answer(events[i].data.ptr);
    }
}

/// The one that has rested longest goes first: all take turns.
static void depart_next(void) {
    int next = idle[0];
    memmove(idle, idle + 1, (size_t)--idle_count * sizeof *idle);
    depart(&travellers[next]);
}

/// Returns whether everything came back.
static bool finish(double limit) {
    uint64_t end = now() + (uint64_t)(limit * 1e9);
    while (idle_count < all.count && now() < end) turn(20);
    return idle_count == all.count;
}

static void run_phase(struct phase phase, double limit) {
    latencies.count = sent = refused = returned = 0;
    uint64_t start = now(), end = start + (uint64_t)(phase.seconds * 1e9);
    last_return = start;
    for (uint64_t time = start; time < end; time = now()) {
        double due = phase.rate > 0 ? (double)(time - start) / 1e9 * phase.rate - (double)sent : idle_count;
        while (idle_count && due >= 1) {
            depart_next();
            due -= 1;
        }
        turn(1);
    }
    size_t in_time = returned;
    double seconds = (double)(now() - start) / 1e9;
    bool is_complete = finish(limit);
    printf(
        "{\"sessions\":%d,\"sent\":%zu,\"refused\":%zu,\"lost\":%zu,\"complete\":%s,\"closed\":%d,\"seconds\":%.4f,\"rate\":%.1f,"
        "\"p50\":%.3f,\"p99\":%.3f,\"greatest\":%.3f}\n",
        all.count, sent, refused, sent - refused - returned, is_complete ? "true" : "false", all.closed, seconds,
        (double)in_time / seconds, latencies_percentile(&latencies, 0.5), latencies_percentile(&latencies, 0.99),
        latencies_percentile(&latencies, 1));
    fflush(stdout);
    if (!is_complete) exit(3);
}

static void warm_up(double limit) {
    for (int trip = 0; trip < WARM_TRIPS; trip++) {
        // A part of them at a time: what is made with the first message is not what is measured.
        for (int first = 0; first < all.count; first += 100) {
            for (int i = first; i < all.count && i < first + 100; i++) depart_next();
            if (!finish(limit)) {
                fprintf(stderr, "%d of %d sessions have not come back from their trip %d\n", all.count - idle_count, all.count, trip + 1);
                exit(3);
            }
        }
    }
}

int main(int argc, char **argv) {
    struct phase phases[MAXIMUM_PHASES];
    int port = 0, count = 1, phase_count = 0, option;
    double limit = 20;
    const char *file = NULL, *posts = NULL, *token = NULL, *body = NULL;
    all = (struct subscribers){.epoll = epoll_create1(0), .marked = marked};
    while ((option = getopt(argc, argv, "p:n:f:a:e:u:k:b:m:l:")) > 0) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'n': count = atoi(optarg); break;
        case 'f': file = optarg; break;
        case 'a': all.attach_event = optarg; break;
        case 'e': all.needle = optarg; break;
        case 'u': posts = optarg; break;
        case 'k': token = optarg; break;
        case 'b': body = optarg; break;
        case 'l': limit = atof(optarg); break;
        case 'm':
            if (phase_count == MAXIMUM_PHASES) return 2;
            phases[phase_count].rate = 0;
            if (sscanf(optarg, "%lf:%lf", &phases[phase_count].seconds, &phases[phase_count].rate) < 1) return 2;
            phase_count++;
            break;
        default: return 2;
    }
    if (!port || !file || !posts || !body || !phase_count || count < 1) {
        fputs("usage: trip -p PORT -n SESSIONS -f PATHS [-a EVENT] [-e NEEDLE] -u PATHS [-k TOKEN] -b BODY -m SECONDS:RATE ...\n", stderr);
        return 2;
    }
    raise_descriptor_limit();
    subscribers_open(&all, port, count, read_file(file, NULL));
    travellers = need(calloc((size_t)count, sizeof *travellers));
    idle = need(calloc((size_t)count, sizeof *idle));
    char *paths = read_file(posts, NULL);
    const char *text = read_file(body, NULL);
    for (int i = 0; i < count; i++) {
        char *path = strsep(&paths, "\n");
        if (!path || !*path) { fputs("fewer paths than sessions\n", stderr); return 2; }
        prepare(&travellers[i], port, path, token, text);
        struct epoll_event event = {EPOLLIN, {.ptr = &travellers[i]}};
        epoll_ctl(all.epoll, EPOLL_CTL_ADD, travellers[i].fd, &event);
        rest(&travellers[i]);
    }
    warm_up(limit);
    for (int i = 0; i < phase_count; i++) run_phase(phases[i], limit);
    return 0;
}
