#define _GNU_SOURCE
#include "net.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Connections that one source address opens before the next takes over.
enum { CONNECTIONS_PER_ADDRESS = 5000, ADDRESSES = 200 };

uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int dial(int port) {
    static int dialled;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) { perror("socket"); exit(2); }
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    // The port is chosen at connect, when the kernel knows the whole pair: it may then reuse one.
    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
    int host = 2 + dialled++ / CONNECTIONS_PER_ADDRESS % ADDRESSES;
    struct sockaddr_in source = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000000u + (unsigned)host)};
    if (bind(fd, (struct sockaddr *)&source, sizeof source)) { perror("bind"); exit(2); }
    struct sockaddr_in target = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(fd, (struct sockaddr *)&target, sizeof target)) { perror("connect"); exit(2); }
    return fd;
}

void write_all(int fd, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = send(fd, bytes, count, MSG_NOSIGNAL);
        if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (written <= 0) { perror("send"); exit(2); }
        bytes += written;
        count -= (size_t)written;
    }
}

void set_nonblocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

void *need(void *memory) {
    if (!memory) { fputs("out of memory\n", stderr); exit(2); }
    return memory;
}

char *read_file(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(2); }
    size_t size = 0, room = 1 << 16;
    char *bytes = need(malloc(room + 1));
    for (;;) {
        size_t got = fread(bytes + size, 1, room - size, file);
        size += got;
        if (size < room) break;
        room *= 2;
        bytes = need(realloc(bytes, room + 1));
    }
    fclose(file);
    bytes[size] = 0;
    if (count) *count = size;
    return bytes;
}
