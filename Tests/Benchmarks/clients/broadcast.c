// broadcast: how many deliveries a second, and how long from publishing to delivery.
//
//   broadcast -p PORT -n STREAMS -f PATHS [-a EVENT] -u PATH [-k TOKEN] -b BODY [-t CONTENT_TYPE]
//             -m MESSAGES:RATE ... [-l SECONDS]
//
// Opens the streams (PATHS and EVENT as in hold), then publishes over one keep-alive connection: BODY is a file
// whose {mark} becomes @@<monotonic ns>@@, which must come back in the data of one event a stream. Each -m is a
// phase: so many messages, so many a second; rate 0 is a closed loop, the next when the last is answered. A phase
// ends when all has been delivered, when nothing more comes, or after SECONDS (30). Prints one line of JSON a phase.
#define _GNU_SOURCE
#include "latencies.h"
#include "net.h"
#include "subscribers.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAXIMUM_PHASES = 8, MARK_LENGTH = 23 };

// Before a phase, so that the last stream's attachment is over; and after the last delivery of one that lost some.
static const uint64_t SETTLE = 500000000ull, SILENCE = 4000000000ull;

struct phase { int messages; double rate; };

static struct publisher {
    int fd;
    char *request;
    size_t count, mark;
    struct reply reply;
    int sent, accepted, refused;
    bool is_busy;
    uint64_t last;
} publisher;

static struct {
    struct latencies latencies;
    uint64_t delivered, disordered, last;
} result;

static void marked(struct subscriber *s, uint64_t mark) {
    uint64_t at = now();
    result.delivered++;
    result.last = at;
    // One publisher, so marks ascend; the same one twice is a duplicate.
    if (mark <= s->last_mark) result.disordered++;
    latencies_add(&result.latencies, at - mark);
}

static void prepare(int port, const char *path, const char *token, const char *type, const char *body) {
    const char *place = strstr(body, "{mark}");
    if (!place) { fputs("the body has no {mark}\n", stderr); exit(2); }
    char authorization[1024] = "", *text;
    if (token) snprintf(authorization, sizeof authorization, "Authorization: Bearer %s\r\n", token);
    if (asprintf(&text, "%.*s%0*d%s", (int)(place - body), body, MARK_LENGTH, 0, place + 6) < 0) need(NULL);
    int count = asprintf(
        &publisher.request,
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s\r\n%s",
        path, port, type, strlen(text), authorization, text);
    if (count < 0) need(NULL);
    publisher.count = (size_t)count;
    publisher.mark = publisher.count - strlen(text) + (size_t)(place - body);
    publisher.fd = dial(port);
    free(text);
}

static void publish(void) {
    char mark[MARK_LENGTH + 1];
    snprintf(mark, sizeof mark, "@@%019llu@@", (unsigned long long)now());
    memcpy(publisher.request + publisher.mark, mark, MARK_LENGTH);
    write_all(publisher.fd, publisher.request, publisher.count);
    publisher.last = now();
    publisher.sent++;
    publisher.is_busy = true;
}

static void read_answer(void) {
    char buffer[1 << 16];
    ssize_t got = recv(publisher.fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) { fputs("the publisher's connection was closed\n", stderr); exit(3); }
    reply_take(&publisher.reply, buffer, (size_t)got, NULL, NULL);
    if (!publisher.reply.is_complete) return;
    if (publisher.reply.status / 100 == 2) publisher.accepted++;
    else if (!publisher.refused++) fprintf(stderr, "publishing: %.*s\n", (int)(got < 600 ? got : 600), buffer);
    reply_reset(&publisher.reply);
    publisher.is_busy = false;
}

static void turn(struct subscribers *all, int milliseconds) {
    struct epoll_event events[512];
    int ready = epoll_wait(all->epoll, events, 512, milliseconds);
    for (int i = 0; i < ready; i++) {
        // A null pointer stands for the publisher.
        if (events[i].data.ptr) subscriber_read(events[i].data.ptr); else read_answer();
    }
}

static void run_phase(struct subscribers *all, struct phase phase, double limit) {
    for (uint64_t end = now() + SETTLE; now() < end;) turn(all, 20);
    result.latencies.count = 0;
    result.delivered = result.disordered = 0;
    publisher.sent = publisher.accepted = publisher.refused = 0;
    uint64_t start = now(), end = start + (uint64_t)(limit * 1e9), expected = (uint64_t)all->count * (uint64_t)phase.messages;
    result.last = start;
    while (now() < end && (result.delivered < expected || publisher.is_busy)) {
        double due = phase.rate > 0 ? publisher.sent / phase.rate - (double)(now() - start) / 1e9 : 0;
        bool waits = publisher.sent < phase.messages && !publisher.is_busy;
        if (waits && due <= 0) { publish(); continue; }
        if (!waits && !publisher.is_busy && now() > result.last + SILENCE && now() > publisher.last + SILENCE) break;
        // A millisecond too late would be seen in the rate, never in a latency: the mark is made when it is sent.
        turn(all, waits && due < 0.02 ? 1 : 20);
    }
    double seconds = (double)(result.last - start) / 1e9;
    printf(
        "{\"streams\":%d,\"published\":%d,\"accepted\":%d,\"refused\":%d,\"delivered\":%llu,\"lost\":%lld,\"disordered\":%llu,"
        "\"closed\":%d,\"seconds\":%.4f,\"rate\":%.1f,\"p50\":%.3f,\"p99\":%.3f,\"greatest\":%.3f}\n",
        all->count, publisher.sent, publisher.accepted, publisher.refused, (unsigned long long)result.delivered,
        (long long)(expected - result.delivered), (unsigned long long)result.disordered, all->closed, seconds,
        seconds > 0 ? (double)result.delivered / seconds : 0, latencies_percentile(&result.latencies, 0.5),
        latencies_percentile(&result.latencies, 0.99), latencies_percentile(&result.latencies, 1));
    fflush(stdout);
}

int main(int argc, char **argv) {
    struct phase phases[MAXIMUM_PHASES];
    int port = 0, count = 1, phase_count = 0, option;
    double limit = 30;
    const char *file = NULL, *path = NULL, *token = NULL, *body = NULL, *type = "application/json";
    struct subscribers all = {.epoll = epoll_create1(0), .marked = marked};
    while ((option = getopt(argc, argv, "p:n:f:a:u:k:b:t:m:l:")) > 0) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'n': count = atoi(optarg); break;
        case 'f': file = optarg; break;
        case 'a': all.attach_event = optarg; break;
        case 'u': path = optarg; break;
        case 'k': token = optarg; break;
        case 'b': body = optarg; break;
        case 't': type = optarg; break;
        case 'l': limit = atof(optarg); break;
        case 'm':
            if (phase_count == MAXIMUM_PHASES) return 2;
            phases[phase_count].rate = 0;
            if (sscanf(optarg, "%d:%lf", &phases[phase_count].messages, &phases[phase_count].rate) < 1) return 2;
            phase_count++;
            break;
        default: return 2;
    }
    if (!port || !file || !path || !body || !phase_count || count < 1) {
        fputs("usage: broadcast -p PORT -n STREAMS -f PATHS [-a EVENT] -u PATH [-k TOKEN] -b BODY -m MESSAGES:RATE ...\n", stderr);
        return 2;
    }
    raise_descriptor_limit();
    subscribers_open(&all, port, count, read_file(file, NULL));
    prepare(port, path, token, type, read_file(body, NULL));
    struct epoll_event event = {EPOLLIN, {.ptr = NULL}};
    epoll_ctl(all.epoll, EPOLL_CTL_ADD, publisher.fd, &event);
    for (int i = 0; i < phase_count; i++) run_phase(&all, phases[i], limit);
    return 0;
}
