// bare: libmicrohttpd with nothing on top of it, the floor under what Parley can reach.
//
//   bare [-h HEADERS -b BODY] [-s STATUS] [-m POOL_BYTES]
//
// Answers GET /events with an event stream that says one comment and is then suspended for ever, and any other GET
// with STATUS (200), the bytes of the file BODY and the headers of the file HEADERS (lines NAME: VALUE), made once. Prints "port
// PORT"; ends when its standard input does.
#define _GNU_SOURCE
#include "../clients/net.h"
#include "server.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

// A block of the callback is memory per stream: it need hold no more than the comment.
enum { STREAM_BLOCK = 64 };

static struct MHD_Response *page;
static unsigned page_status = MHD_HTTP_OK;

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
    if (strcmp(url, "/events") != 0 && page) return MHD_queue_response(connection, page_status, page);
    struct MHD_Response *stream = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, connection, NULL);
    MHD_add_response_header(stream, "Content-Type", "text/event-stream");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, stream);
    MHD_destroy_response(stream);
    return result;
}

static void make_page(const char *headers, const char *body) {
    size_t size;
    char *bytes = read_file(body, &size);
    page = MHD_create_response_from_buffer(size, bytes, MHD_RESPMEM_MUST_FREE);
    add_headers(page, read_file(headers, NULL));
}

int main(int argc, char **argv) {
    const char *headers = NULL, *body = NULL;
    size_t pool = 8192;
    int option;
    while ((option = getopt(argc, argv, "h:b:s:m:")) > 0) switch (option) {
        case 'h': headers = optarg; break;
        case 'b': body = optarg; break;
        case 's': page_status = (unsigned)atoi(optarg); break;
        case 'm': pool = strtoul(optarg, NULL, 10); break;
        default: return 2;
    }
    if (headers && body) make_page(headers, body);
    serve(answer, pool);
}
