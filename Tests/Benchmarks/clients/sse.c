#include "sse.h"
#include "net.h"
#include <stdlib.h>
#include <string.h>

static void append(char **buffer, size_t *count, size_t *room, const char *bytes, size_t more) {
    if (*count + more + 1 > *room) {
        *room = (*count + more + 1) * 2;
        *buffer = need(realloc(*buffer, *room));
    }
    memcpy(*buffer + *count, bytes, more);
    *count += more;
    (*buffer)[*count] = 0;
}

static void end_event(struct sse *sse) {
    if (sse->data_count) {
        // Each data line added its line end; the last one does not count.
        sse->data[--sse->data_count] = 0;
        sse->handler(sse->context, sse->type, sse->data, sse->data_count);
    }
    free(sse->data);
    sse->data = NULL;
    sse->data_count = sse->data_room = 0;
    sse->type[0] = 0;
}

static void take_object(struct sse *sse, const char *line, size_t count) {
    char *text = need(malloc(count + 1));
    memcpy(text, line, count);
    text[count] = 0;
    // The type stands before the data, which could have a member of this name.
    const char *type = strstr(text, "\"type\":\"");
    size_t length = type ? strcspn(type + 8, "\"") : 0;
    if (length >= sizeof sse->type) length = sizeof sse->type - 1;
    if (type) memcpy(sse->type, type + 8, length);
    sse->type[length] = 0;
    sse->handler(sse->context, sse->type, text, count);
    free(text);
}

static void take_line(struct sse *sse, const char *line, size_t count) {
    if (sse->is_lines) { take_object(sse, line, count); return; }
    if (count && line[count - 1] == '\r') count--;
    if (count == 0) { end_event(sse); return; }
    if (count >= 5 && !memcmp(line, "data:", 5)) {
        size_t skip = count > 5 && line[5] == ' ' ? 6 : 5;
        append(&sse->data, &sse->data_count, &sse->data_room, line + skip, count - skip);
        append(&sse->data, &sse->data_count, &sse->data_room, "\n", 1);
    } else if (count >= 6 && !memcmp(line, "event:", 6)) {
        size_t skip = count > 6 && line[6] == ' ' ? 7 : 6;
        size_t length = count - skip < sizeof sse->type - 1 ? count - skip : sizeof sse->type - 1;
        memcpy(sse->type, line + skip, length);
        sse->type[length] = 0;
    }
    // Ids, retry times and comments do not matter here.
}

void sse_take(struct sse *sse, const char *bytes, size_t count) {
    const char *end = bytes + count;
    while (bytes < end) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        if (!stop) {
            append(&sse->line, &sse->line_count, &sse->line_room, bytes, (size_t)(end - bytes));
            return;
        }
        if (sse->line_count) {
            append(&sse->line, &sse->line_count, &sse->line_room, bytes, (size_t)(stop - bytes));
            take_line(sse, sse->line, sse->line_count);
            free(sse->line);
            sse->line = NULL;
            sse->line_count = sse->line_room = 0;
        } else {
            take_line(sse, bytes, (size_t)(stop - bytes));
        }
        bytes = stop + 1;
    }
}
