#define _GNU_SOURCE
#include "subscribers.h"
#include "net.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

// Streams that are being opened at once: enough to keep the server busy, few enough for any backlog.
enum { OPENING = 64, ATTACH_SECONDS = 60 };

static void on_event(void *context, const char *type, const char *data, size_t count) {
    struct subscriber *s = context;
    if (!s->is_attached && s->all->attach_event && !strcmp(type, s->all->attach_event)) {
        s->is_attached = true;
        s->all->attached++;
    }
    const char *mark = memmem(data, count, "@@", 2);
    if (!mark || (s->all->needle && !strstr(data, s->all->needle))) return;
    uint64_t time = strtoull(mark + 2, NULL, 10);
    s->delivered++;
    if (s->all->marked) s->all->marked(s, time);
    s->last_mark = time;
}

static void on_body(void *context, const char *bytes, size_t count) { sse_take(&((struct subscriber *)context)->sse, bytes, count); }

void subscriber_read(struct subscriber *s) {
    static char buffer[1 << 18];
    for (;;) {
        ssize_t got = recv(s->fd, buffer, sizeof buffer, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
        bool had_head = s->reply.has_head;
        if (got > 0) reply_take(&s->reply, buffer, (size_t)got, on_body, s);
        if (!had_head && s->reply.has_head) {
            if (s->reply.status != 200) {
                fprintf(stderr, "a stream was refused: %.*s\n", (int)(got < 600 ? got : 600), buffer);
                exit(3);
            }
            if (!s->all->attach_event) {
                s->is_attached = true;
                s->all->attached++;
            }
        }
        if (got <= 0 || s->reply.is_complete || s->reply.is_broken) {
            s->all->closed++;
            close(s->fd);
            s->fd = -1;
            return;
        }
        if (got < (ssize_t)sizeof buffer) return;
    }
}

static void open_one(struct subscribers *all, int index, int port, const char *line) {
    struct subscriber *s = &all->each[index];
    const char *tab = strchrnul(line, '\t'), *token = *tab ? tab + 1 : tab, *end = strchrnul(token, '\t');
    const char *accept = *end ? end + 1 : "text/event-stream";
    char request[4096], authorization[1024] = "";
    if (end > token) snprintf(authorization, sizeof authorization, "Authorization: Bearer %.*s\r\n", (int)(end - token), token);
    int count = snprintf(
        request, sizeof request, "GET %.*s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: %s\r\n%s\r\n",
        (int)(tab - line), line, port, accept, authorization);
    *s = (struct subscriber){
        .fd = dial(port), .all = all,
        .sse = {.handler = on_event, .context = s, .is_lines = strcmp(accept, "text/event-stream") != 0}};
    write_all(s->fd, request, (size_t)count);
    if (all->are_waiting) {
        s->is_attached = true;
        all->attached++;
    }
    set_nonblocking(s->fd);
    struct epoll_event event = {EPOLLIN, {.ptr = s}};
    epoll_ctl(all->epoll, EPOLL_CTL_ADD, s->fd, &event);
}

void subscribers_open(struct subscribers *all, int port, int count, char *requests) {
    char **lines = need(malloc((size_t)count * sizeof *lines));
    int line_count = 0;
    for (char *line; line_count < count && (line = strsep(&requests, "\n"));)
        if (*line) lines[line_count++] = line;
    if (!line_count) { fputs("no paths\n", stderr); exit(2); }
    all->each = need(calloc((size_t)count, sizeof *all->each));
    all->count = count;
    uint64_t end = now() + ATTACH_SECONDS * 1000000000ull;
    int opened = 0;
    while (all->attached < count) {
        while (opened < count && opened - all->attached < OPENING) {
            open_one(all, opened, port, lines[opened % line_count]);
            opened++;
        }
        struct epoll_event events[256];
        int ready = epoll_wait(all->epoll, events, 256, 100);
        for (int i = 0; i < ready; i++) subscriber_read(events[i].data.ptr);
        if (all->closed || now() > end) {
            fprintf(stderr, "%d of %d streams attached, %d were closed\n", all->attached, count, all->closed);
            exit(3);
        }
    }
    free(lines);
}
