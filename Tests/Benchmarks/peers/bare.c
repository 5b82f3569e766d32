// bare: libmicrohttpd with nothing on top of it, the floor under what Parley can reach.
//
//   bare [-h HEADERS -b BODY] [-m POOL_BYTES]
//
// Answers GET /events with an event stream that says one comment and is then suspended for ever, and any other GET
// with the bytes of the file BODY and the headers of the file HEADERS (lines NAME: VALUE), made once. The loop is
// our own: libmicrohttpd's stalls when exactly 128 events are ready. Prints "port PORT"; ends when its standard
// input does.
#define _GNU_SOURCE
#include <getopt.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// A block of the callback is memory per stream: it need hold no more than the comment.
enum { ACCEPTS_A_TURN = 64, STREAM_BLOCK = 64 };

static struct MHD_Response *page;

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t room) {
    static const char comment[] = ":\n\n";
    if (position == 0 && room >= sizeof comment - 1) {
        memcpy(buffer, comment, sizeof comment - 1);
        return sizeof comment - 1;
    }
    // Suspended before it returns 0: otherwise it would be asked again at once, and again.
    MHD_suspend_connection(context);
    return 0;
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **state) {
    (void)context, (void)method, (void)version, (void)upload, (void)upload_size;
    static int seen;
    if (!*state) { *state = &seen; return MHD_YES; }
    if (strcmp(url, "/events") != 0 && page) return MHD_queue_response(connection, MHD_HTTP_OK, page);
    struct MHD_Response *stream = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, connection, NULL);
    MHD_add_response_header(stream, "Content-Type", "text/event-stream");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, stream);
    MHD_destroy_response(stream);
    return result;
}

static char *read_file(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(2); }
    char *bytes = malloc(1 << 20);
    *count = fread(bytes, 1, (1 << 20) - 1, file);
    bytes[*count] = 0;
    fclose(file);
    return bytes;
}

static void make_page(const char *headers, const char *body) {
    size_t size, unused;
    char *bytes = read_file(body, &size), *lines = read_file(headers, &unused);
    page = MHD_create_response_from_buffer(size, bytes, MHD_RESPMEM_MUST_FREE);
    for (char *line; (line = strsep(&lines, "\n"));) {
        char *value = strstr(line, ": ");
        if (!value) continue;
        *value = 0;
        if (MHD_add_response_header(page, line, value + 2) != MHD_YES) { fprintf(stderr, "header %s refused\n", line); exit(2); }
    }
}

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

int main(int argc, char **argv) {
    const char *headers = NULL, *body = NULL;
    size_t pool = 8192;
    int option;
    while ((option = getopt(argc, argv, "h:b:m:")) > 0) switch (option) {
        case 'h': headers = optarg; break;
        case 'b': body = optarg; break;
        case 'm': pool = strtoul(optarg, NULL, 10); break;
        default: return 2;
    }
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (headers && body) make_page(headers, body);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG, 0, NULL, NULL,
        answer, NULL, MHD_OPTION_CONNECTION_LIMIT, (unsigned)limit.rlim_cur, MHD_OPTION_CONNECTION_MEMORY_LIMIT, pool, MHD_OPTION_END);
    if (!daemon) { fputs("the daemon did not start\n", stderr); return 2; }
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
