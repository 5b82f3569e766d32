// What the peers on libmicrohttpd share.
#pragma once
#include <microhttpd.h>

/// Answers requests by `answer` on 127.0.0.1, on any free port, and prints "port PORT". Ends the process when its
/// standard input ends. `pool` is a connection's memory in bytes. The loop is our own: libmicrohttpd's stalls when
/// exactly 128 events are ready.
void serve(MHD_AccessHandlerCallback answer, size_t pool) __attribute__((noreturn));

/// Adds the headers of a file's text, lines NAME: VALUE.
void add_headers(struct MHD_Response *response, const char *lines);
