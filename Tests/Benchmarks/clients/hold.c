// hold: opens streams and holds them, reading and forgetting what comes, until its standard input ends.
//
//   hold -p PORT -n STREAMS -f PATHS [-a EVENT | -w]
//
// PATHS is a file of lines PATH<tab>TOKEN[<tab>ACCEPT]; stream i uses line i modulo their number. EVENT is the type of
// the event after which a stream counts as attached; with -w a request that was sent does, because its answer waits.
// Prints "attached SECONDS" when all are.
#include "net.h"
#include "subscribers.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int port = 0, count = 1, option;
    const char *file = NULL;
    struct subscribers all = {.epoll = epoll_create1(0)};
    while ((option = getopt(argc, argv, "p:n:f:a:w")) > 0) switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'n': count = atoi(optarg); break;
        case 'f': file = optarg; break;
        case 'a': all.attach_event = optarg; break;
        case 'w': all.are_waiting = true; break;
        default: return 2;
    }
    if (!port || !file || count < 1) { fputs("usage: hold -p PORT -n STREAMS -f PATHS [-a EVENT | -w]\n", stderr); return 2; }
    raise_descriptor_limit();
    uint64_t start = now();
    subscribers_open(&all, port, count, read_file(file, NULL));
    printf("attached %.3f\n", (double)(now() - start) / 1e9);
    fflush(stdout);

    // A null pointer stands for the standard input: a byte or its end means stop.
    struct epoll_event input = {EPOLLIN, {.ptr = NULL}};
    epoll_ctl(all.epoll, EPOLL_CTL_ADD, 0, &input);
    for (;;) {
        struct epoll_event events[256];
        int ready = epoll_wait(all.epoll, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr) { subscriber_read(events[i].data.ptr); continue; }
            if (all.closed) fprintf(stderr, "%d streams were closed\n", all.closed);
            return all.closed != 0;
        }
    }
}
