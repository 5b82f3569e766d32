// Reads HTTP/1.1 replies from a byte stream, in pieces of any size.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Called with body bytes, the chunked coding taken off.
typedef void body_sink(void *context, const char *bytes, size_t count);

struct reply {
    int status;
    bool has_head, is_complete, is_chunked, is_broken;
    /// Bytes left of the body, or of the present chunk; without length and chunks, a body ends with its connection.
    size_t left;
    bool has_length;
    enum { CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER } chunk;
    size_t chunk_size;
    bool in_extension;
    int line;
    /// The head while it is incomplete; made when needed and freed with the head's end.
    char *head;
    size_t head_count;
};

/// Forgets the reply; the next one begins.
void reply_reset(struct reply *reply);

/// Takes bytes until the reply is complete. Returns how many it took; the rest belongs to the next one.
size_t reply_take(struct reply *reply, const char *bytes, size_t count, body_sink *sink, void *context);
