// Many streams held open by one thread, or many requests that wait for their answer.
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
    /// The answers come later: a request that is sent is attached.
    bool are_waiting;
    /// What an event must hold besides its mark; NULL: nothing.
    const char *needle;
    /// Called for each event with a mark: the time that its publisher wrote into it.
    void (*marked)(struct subscriber *subscriber, uint64_t mark);
};

/// Opens the streams, one after the other in small groups, and returns when all are attached, or exits.
///
/// `requests` are lines PATH<tab>TOKEN<tab>ACCEPT; subscriber i uses line i modulo their number. ACCEPT may be left out
/// for Server-Sent Events; the answer to another type is read as JSON lines.
void subscribers_open(struct subscribers *all, int port, int count, char *requests);

/// Reads what has come for one of them.
void subscriber_read(struct subscriber *subscriber);
