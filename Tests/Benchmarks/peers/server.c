#define _GNU_SOURCE
#include "../clients/net.h"
#include "server.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ACCEPTS_A_TURN = 64 };

static int listen_anywhere(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) || listen(fd, 4096)) { perror("listen"); exit(2); }
    getsockname(fd, (struct sockaddr *)&address, &size);
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

static void accept_some(struct MHD_Daemon *daemon, int listener) {
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        struct sockaddr_in peer;
        socklen_t size = sizeof peer;
        int fd = accept4(listener, (struct sockaddr *)&peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        int one = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        MHD_add_connection(daemon, fd, (struct sockaddr *)&peer, size);
    }
}

void serve(MHD_AccessHandlerCallback answer, size_t pool) {
    raise_descriptor_limit();
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG, 0, NULL, NULL,
        answer, NULL, MHD_OPTION_CONNECTION_LIMIT, (unsigned)limit.rlim_cur, MHD_OPTION_CONNECTION_MEMORY_LIMIT, pool, MHD_OPTION_END);
    if (!daemon) { fputs("the daemon did not start\n", stderr); exit(2); }
    int inner = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    int listener = listen_anywhere(), epoll = epoll_create1(0);
    int watched[] = {0, listener, inner};
    for (int i = 0; i < 3; i++) {
        struct epoll_event event = {EPOLLIN, {.fd = watched[i]}};
        epoll_ctl(epoll, EPOLL_CTL_ADD, watched[i], &event);
    }
    for (;;) {
        MHD_UNSIGNED_LONG_LONG timeout;
        int wait = MHD_get_timeout(daemon, &timeout) == MHD_YES ? (int)(timeout > 1000 ? 1000 : timeout) : -1;
        struct epoll_event events[3];
        int ready = epoll_wait(epoll, events, 3, wait);
        for (int i = 0; i < ready; i++) {
            // Suspended connections forbid an orderly stop; the process ends with them.
            if (events[i].data.fd == 0) _exit(0);
            if (events[i].data.fd == listener) accept_some(daemon, listener);
        }
        MHD_run(daemon);
    }
}

void add_headers(struct MHD_Response *response, const char *lines) {
    char name[64], value[512];
    for (const char *line = lines; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        if (sscanf(line, "%63[^:\n]: %511[^\n]", name, value) != 2) continue;
        if (MHD_add_response_header(response, name, value) != MHD_YES) { fprintf(stderr, "header %s refused\n", name); exit(2); }
    }
}
