// What Swift cannot call itself: libmicrohttpd's variadic functions, and a logger that takes a va_list.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdarg.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <linux/sockios.h>
#include <sys/socket.h>
#include <sys/un.h>

// Declared by the C library only with _GNU_SOURCE, which a module's header is too late to define.
extern int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
extern int dup3(int descriptor, int other, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);

/// Bytes in a socket's send queue that were not sent yet. An ioctl is variadic.
static inline int cmhd_unsent(int socket, int *bytes) { return ioctl(socket, SIOCOUTQNSD, bytes); }

/// Bytes in a socket's send queue that the peer has not acknowledged, those that were not sent yet among them.
static inline int cmhd_queued(int socket, int *bytes) { return ioctl(socket, SIOCOUTQ, bytes); }

/// Bytes that a TCP peer has acknowledged in all; -1 when that cannot be told. The C library's tcp_info is too old for it.
static inline long long cmhd_acknowledged(int socket) {
  unsigned char info[128];
  socklen_t length = sizeof info;
  unsigned long long bytes;
  if (getsockopt(socket, 6 /* SOL_TCP */, 11 /* TCP_INFO */, info, &length) != 0 || length < sizeof info) return -1;
  memcpy(&bytes, info + 120, sizeof bytes);
  return (long long)bytes;
}

/// Bytes that came and were not read yet.
static inline int cmhd_unread(int socket, int *bytes) { return ioctl(socket, FIONREAD, bytes); }

/// Called for every message that a daemon would log, before it acts on what it logs. `is_memory`: the message is about a
/// connection's pool that is used up.
typedef void (*cmhd_log_callback)(void *context, int is_memory);

struct cmhd_callbacks {
  MHD_AccessHandlerCallback access;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void *(*uri)(void *context, const char *uri, struct MHD_Connection *connection);
  cmhd_log_callback log;
  void *context;
  /// The target that the library is reading, and where the value and the end of its forged query's first part are.
  const char *target, *value, *end;
};

/// The text is dropped: only that there is one and what it is about matters (see libraryComplained in Daemon.swift).
static inline void cmhd_logger(void *cls, const char *format, va_list arguments) {
  (void)arguments;
  struct cmhd_callbacks *callbacks = (struct cmhd_callbacks *)cls;
  callbacks->log(callbacks->context, format && strstr(format, "emory") != NULL);
}

/// The request line is read, the target not split yet.
///
/// The library would make a record of each parameter in the connection's pool, and when that is used up it goes on with a
/// connection that it has answered or closed. Nobody reads those records: so the query ends for it where it begins. It
/// looks for the question mark before this and for the first parameter after it.
static inline void *cmhd_target(void *cls, const char *target, struct MHD_Connection *connection) {
  struct cmhd_callbacks *callbacks = (struct cmhd_callbacks *)cls;
  void *context = callbacks->uri(callbacks->context, target, connection);
  callbacks->target = target;
  callbacks->value = callbacks->end = NULL;
  char *mark = target ? strchr((char *)target, '?') : NULL;
  if (mark) mark[1] = 0;  // at the least the NUL that ends the target
  return context;
}

/// Targets are kept percent-encoded: the application decodes them, once.
///
/// If this is asked for a parameter, there is a NUL before the question mark, so that `cmhd_target` has not seen it; the
/// request gate refuses such a target. The first name comes, then its value if it has one, and the library knows already
/// where the next parameter is: what follows either is made empty, so that it stops there. That is never beyond the
/// request line: behind whatever ends the last parameter stands at least the version.
static inline size_t cmhd_keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
  (void)connection;
  struct cmhd_callbacks *callbacks = (struct cmhd_callbacks *)cls;
  size_t length = strlen(text);
  if (text == callbacks->target) return length;
  if (text == callbacks->value) {
    ((char *)callbacks->end)[1] = 0;
  } else {
    char *next = text + length + 1;
    callbacks->value = next;
    callbacks->end = next + strlen(next);
    *next = 0;
  }
  return length;
}

/// A daemon without listening socket and without threads. `callbacks` must live as long as the daemon.
static inline struct MHD_Daemon *cmhd_start(struct cmhd_callbacks *callbacks, size_t pool,
                                            unsigned int connections, unsigned int timeout_seconds) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE | MHD_USE_TURBO | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG, 0,
      NULL, NULL, callbacks->access, callbacks->context,
      // The logger must come first: an option before it would log through the default one.
      MHD_OPTION_EXTERNAL_LOGGER, &cmhd_logger, (void *)callbacks,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, pool,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
      MHD_OPTION_URI_LOG_CALLBACK, &cmhd_target, (void *)callbacks,
      MHD_OPTION_UNESCAPE_CALLBACK, &cmhd_keep_escapes, (void *)callbacks,
      MHD_OPTION_END);
}

static inline int cmhd_epoll_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

/// What the notify callback stored for this connection, NULL before it did.
static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/// Bytes of the request's head; 0 while it is not complete.
static inline size_t cmhd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

/// 1 when an answer is queued, by us or by the library.
static inline int cmhd_is_answered(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS) != NULL;
}

/// After how many seconds without activity the library closes a connection that is not suspended; 0 is never.
static inline void cmhd_set_timeout(struct MHD_Connection *connection, unsigned int seconds) {
  (void)MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/// The library is done with a connection that was upgraded; it closes its own descriptor. The function is variadic.
static inline enum MHD_Result cmhd_close_upgraded(struct MHD_UpgradeResponseHandle *handle) {
  return MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

/// An answer of unknown length that ends with the connection.
static inline void cmhd_never_chunk(struct MHD_Response *response) {
  (void)MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

#endif
