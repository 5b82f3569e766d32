// delay: a UNIX socket in front of another one, which each byte reaches later, in both directions.
//
//   delay LISTEN TARGET MICROSECONDS
//
// Bytes that come together go on together, and later ones do not wait for their arrival: it delays as a network does, and
// takes nothing of what the network could carry. Two threads a connection. It prints "listening" when it is.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 1 << 16, MAXIMUM_PIECES = 64 };

struct piece { uint64_t due; size_t count; char bytes[PIECE]; };
/// One direction of a connection. The pieces are a ring.
struct way { int from, to; struct piece pieces[MAXIMUM_PIECES]; size_t first, waiting; };

static uint64_t delay;
static const char *target;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int send_all(int fd, const char *bytes, size_t count) {
    while (count) {
        ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) return 0;
        bytes += sent;
        count -= (size_t)sent;
    }
    return 1;
}

static void *carry(void *argument) {
    struct way *way = argument;
    // Otherwise the kernel wakes the thread up to 50 us late.
    prctl(PR_SET_TIMERSLACK, 1);
    int is_open = 1;
    while (is_open || way->waiting) {
        uint64_t time = now();
        struct piece *next = &way->pieces[way->first];
        if (way->waiting && next->due <= time) {
            if (!send_all(way->to, next->bytes, next->count)) break;
            way->first = (way->first + 1) % MAXIMUM_PIECES;
            way->waiting--;
            continue;
        }
        uint64_t pause = way->waiting ? next->due - time : 0;
        struct timespec left = {.tv_sec = (time_t)(pause / 1000000000), .tv_nsec = (long)(pause % 1000000000)};
        struct pollfd entry = {.fd = is_open && way->waiting < MAXIMUM_PIECES ? way->from : -1, .events = POLLIN};
        if (ppoll(&entry, 1, way->waiting ? &left : NULL, NULL) <= 0 || !entry.revents) continue;
        struct piece *last = &way->pieces[(way->first + way->waiting) % MAXIMUM_PIECES];
        ssize_t count = recv(way->from, last->bytes, PIECE, 0);
        if (count <= 0) { is_open = 0; continue; }
        last->count = (size_t)count;
        last->due = now() + delay;
        way->waiting++;
    }
    shutdown(way->from, SHUT_RDWR);
    shutdown(way->to, SHUT_RDWR);
    return NULL;
}

static struct sockaddr_un address(const char *path) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof place.sun_path) { fprintf(stderr, "%s: too long\n", path); exit(2); }
    strcpy(place.sun_path, path);
    return place;
}

static void *serve(void *argument) {
    int client = (int)(intptr_t)argument, server = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un place = address(target);
    struct way *ways = calloc(2, sizeof *ways);
    pthread_t back;
    if (ways && server >= 0 && !connect(server, (struct sockaddr *)&place, sizeof place)) {
        ways[0].from = ways[1].to = client;
        ways[0].to = ways[1].from = server;
        if (!pthread_create(&back, NULL, carry, &ways[1])) {
            carry(&ways[0]);
            pthread_join(back, NULL);
        }
    }
    free(ways);
    close(client);
    close(server);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 4) { fputs("usage: delay LISTEN TARGET MICROSECONDS\n", stderr); return 2; }
    target = argv[2];
    delay = (uint64_t)atoll(argv[3]) * 1000;
    struct sockaddr_un place = address(argv[1]);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&place, sizeof place) || listen(listener, 64)) { perror(argv[1]); return 2; }
    puts("listening");
    fflush(stdout);
    for (;;) {
        int client = accept(listener, NULL, NULL);
        pthread_t thread;
        if (client < 0 || pthread_create(&thread, NULL, serve, (void *)(intptr_t)client)) return 2;
        pthread_detach(thread);
    }
}
