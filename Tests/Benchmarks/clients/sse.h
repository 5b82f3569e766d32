// Parses a stream of Server-Sent Events, or of JSON objects in lines, in pieces of any size.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Called once an event, with its type ("" if it has none) and its data (both end in NUL).
typedef void sse_handler(void *context, const char *type, const char *data, size_t count);

struct sse {
    sse_handler *handler;
    void *context;
    /// Each line is an event of its own: {"id":"..","type":"..","data":{..}}. The whole line is its data.
    bool is_lines;
    /// The line and the data that have not ended yet; idle streams hold none of it.
    char *line, *data;
    size_t line_count, line_room, data_count, data_room;
    char type[48];
};

void sse_take(struct sse *sse, const char *bytes, size_t count);
