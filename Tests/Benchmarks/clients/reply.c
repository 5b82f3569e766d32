#define _GNU_SOURCE
#include "reply.h"
#include "net.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAXIMUM_HEAD = 16384 };

void reply_reset(struct reply *reply) {
    free(reply->head);
    *reply = (struct reply){0};
}

static void read_head(struct reply *reply) {
    const char *head = reply->head;
    // "HTTP/1.1 200": the status stands at a fixed place.
    reply->status = reply->head_count > 12 ? atoi(head + 9) : 0;
    const char *length = strcasestr(head, "\r\ncontent-length:");
    const char *coding = strcasestr(head, "\r\ntransfer-encoding: chunked");
    reply->has_head = true;
    if (coding) {
        reply->is_chunked = true;
    } else if (length) {
        reply->has_length = true;
        reply->left = strtoul(length + 17, NULL, 10);
        reply->is_complete = reply->left == 0;
    } else {
        reply->is_complete = reply->status == 204 || reply->status == 304;
    }
    free(reply->head);
    reply->head = NULL;
}

static size_t take_head(struct reply *reply, const char *bytes, size_t count) {
    if (!reply->head) reply->head = need(malloc(MAXIMUM_HEAD + 1));
    size_t before = reply->head_count;
    size_t take = count < MAXIMUM_HEAD - before ? count : MAXIMUM_HEAD - before;
    memcpy(reply->head + before, bytes, take);
    reply->head[before + take] = 0;
    // The blank line may have begun in what came before.
    size_t from = before > 3 ? before - 3 : 0;
    char *end = memmem(reply->head + from, before + take - from, "\r\n\r\n", 4);
    if (!end) {
        reply->head_count += take;
        reply->is_broken = reply->head_count == MAXIMUM_HEAD;
        return reply->is_broken ? count : take;
    }
    reply->head_count = (size_t)(end - reply->head) + 4;
    // Header names are looked for as "\r\nname", up to here and no further.
    reply->head[reply->head_count] = 0;
    read_head(reply);
    return reply->head_count - before;
}

static void take_size(struct reply *reply, char c) {
    if (c == '\n') {
        reply->left = reply->chunk_size;
        reply->chunk = reply->chunk_size ? CHUNK_DATA : TRAILER;
        reply->chunk_size = 0;
        reply->in_extension = false;
        reply->line = 0;
        return;
    }
    if (c == ';') reply->in_extension = true;
    if (reply->in_extension || c == '\r') return;
    int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
    if (digit < 0) reply->is_broken = true;
    reply->chunk_size = reply->chunk_size * 16 + (size_t)(digit < 0 ? 0 : digit);
}

static size_t take_chunks(struct reply *reply, const char *bytes, size_t count, body_sink *sink, void *context) {
    const char *p = bytes, *end = bytes + count;
    while (p < end && !reply->is_complete && !reply->is_broken) {
        switch (reply->chunk) {
        case CHUNK_SIZE: take_size(reply, *p++); break;
        case CHUNK_DATA: {
            size_t part = (size_t)(end - p) < reply->left ? (size_t)(end - p) : reply->left;
            if (sink) sink(context, p, part);
            p += part;
            reply->left -= part;
            if (!reply->left) reply->chunk = CHUNK_END;
            break;
        }
        case CHUNK_END:
            if (*p++ == '\n') reply->chunk = CHUNK_SIZE;
            break;
        case TRAILER:
            if (*p == '\n') {
                if (reply->line == 0) reply->is_complete = true;
                reply->line = 0;
            } else if (*p != '\r') {
                reply->line++;
            }
            p++;
            break;
        }
    }
    return (size_t)(p - bytes);
}

size_t reply_take(struct reply *reply, const char *bytes, size_t count, body_sink *sink, void *context) {
    size_t taken = 0;
    if (!reply->has_head) taken = take_head(reply, bytes, count);
    if (!reply->has_head || reply->is_complete || taken == count) return taken;
    if (reply->is_chunked) return taken + take_chunks(reply, bytes + taken, count - taken, sink, context);
    size_t part = count - taken;
    if (reply->has_length && part > reply->left) part = reply->left;
    if (sink) sink(context, bytes + taken, part);
    if (reply->has_length) {
        reply->left -= part;
        reply->is_complete = reply->left == 0;
    }
    return taken + part;
}
