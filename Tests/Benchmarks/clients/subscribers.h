// Many SSE streams held open by one thread.
#pragma once
#include "reply.h"
#include "sse.h"
#include <stdbool.h>
#include <stdint.h>

struct subscriber {
    int fd;
    bool is_attached;
    struct reply reply;
    struct sse sse;
    struct subscribers *all;
    uint64_t delivered, last_mark;
};

struct subscribers {
    struct subscriber *each;
    int count, epoll;
    /// The event after which a stream counts as attached; NULL: its head is enough.
    const char *attach_event;
    int attached, closed;
    /// What an event must hold besides its mark; NULL: nothing.
    const char *needle;
    /// Called for each event with a mark: the time that its publisher wrote into it.
    void (*marked)(struct subscriber *subscriber, uint64_t mark);
};

/// Opens the streams, one after the other in small groups, and returns when all are attached, or exits.
///
/// `requests` are lines PATH<tab>TOKEN; subscriber i uses line i modulo their number.
void subscribers_open(struct subscribers *all, int port, int count, char *requests);

/// Reads what has come for one of them.
void subscriber_read(struct subscriber *subscriber);
