// sink: takes POST requests, as a receiver of webhooks that costs next to nothing.
//
//   sink [-n COUNT] [-w WARM] [-o FILE]
//
// Answers every request with 204 when its body is there. Writes the body of the first one into FILE. Prints
// "port PORT" and, when COUNT requests were answered, one line of JSON: those after the first WARM, their seconds,
// their rate. Ends when its standard input does.
#define _GNU_SOURCE
#include "../clients/net.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 1 << 18 };

struct connection {
    int fd;
    size_t have;
    char bytes[ROOM];
};

static const char answer[] = "HTTP/1.1 204 No Content\r\n\r\n";
static size_t count, warm, answered;
static const char *file;
static uint64_t begin;

static void keep(const char *body, size_t size) {
    FILE *out = fopen(file, "wb");
    if (!out || fwrite(body, 1, size, out) != size || fclose(out)) { perror(file); exit(2); }
    file = NULL;
}

static void tally(void) {
    answered++;
    if (answered == warm || (!warm && answered == 1)) begin = now();
    if (answered != count) return;
    double seconds = (double)(now() - begin) / 1e9;
    size_t measured = count - (warm ? warm : 1);
    printf("{\"answered\":%zu,\"seconds\":%.4f,\"rate\":%.1f}\n", measured, seconds, (double)measured / seconds);
    fflush(stdout);
}

/// Answers whole requests at the buffer's beginning. Returns 0 for what is none.
static int answer_some(struct connection *c) {
    size_t done = 0;
    char *end;
    while ((end = memmem(c->bytes + done, c->have - done, "\r\n\r\n", 4))) {
        char *head = c->bytes + done;
        *end = 0;
        const char *length = strcasestr(head, "\r\ncontent-length:");
        *end = '\r';
        if (!length) return 0;
        size_t body = strtoul(length + 17, NULL, 10), size = (size_t)(end + 4 - head) + body;
        if (size > ROOM) return 0;
        if (c->have - done < size) break;
        if (file) keep(end + 4, body);
        done += size;
        write_all(c->fd, answer, sizeof answer - 1);
        tally();
    }
    memmove(c->bytes, c->bytes + done, c->have - done);
    c->have -= done;
    return c->have < ROOM;
}

static int receive(struct connection *c) {
    ssize_t got = recv(c->fd, c->bytes + c->have, ROOM - c->have, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 1;
    if (got <= 0) return 0;
    c->have += (size_t)got;
    return answer_some(c);
}

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "n:w:o:")) > 0) switch (option) {
        case 'n': count = strtoul(optarg, NULL, 10); break;
        case 'w': warm = strtoul(optarg, NULL, 10); break;
        case 'o': file = optarg; break;
        default: return 2;
    }
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)) {
        perror("listen");
        return 2;
    }
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    struct connection accepting = {.fd = listener}, input = {.fd = 0};
    int epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &(struct epoll_event){EPOLLIN, {.ptr = &accepting}});
    epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &(struct epoll_event){EPOLLIN, {.ptr = &input}});
    for (;;) {
        struct epoll_event events[64];
        int ready = epoll_wait(epoll, events, 64, -1);
        for (int i = 0; i < ready; i++) {
            struct connection *c = events[i].data.ptr;
            if (c == &input) return 0;
            if (c != &accepting) {
                if (!receive(c)) { close(c->fd); free(c); }
                continue;
            }
            int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC), one = 1;
            if (fd < 0) continue;
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            struct connection *made = need(calloc(1, sizeof *made));
            made->fd = fd;
            epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){EPOLLIN, {.ptr = made}});
        }
    }
}
