// What Swift cannot call itself: libmicrohttpd's variadic functions, and a logger that takes a va_list.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdarg.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <linux/sockios.h>
#include <sys/socket.h>
#include <sys/un.h>

// Declared by the C library only with _GNU_SOURCE, which a module's header is too late to define.
extern int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);

/// Bytes in a socket's send queue that were not sent yet. An ioctl is variadic.
static inline int cmhd_unsent(int socket, int *bytes) { return ioctl(socket, SIOCOUTQNSD, bytes); }

/// Bytes that came and were not read yet.
static inline int cmhd_unread(int socket, int *bytes) { return ioctl(socket, FIONREAD, bytes); }

/// Called for every message that a daemon would log, before it acts on what it logs.
typedef void (*cmhd_log_callback)(void *context);

struct cmhd_callbacks {
  MHD_AccessHandlerCallback access;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void *(*uri)(void *context, const char *uri, struct MHD_Connection *connection);
  cmhd_log_callback log;
  void *context;
};

/// The text is dropped: only that there is one matters (see Loop+LibraryRefusals).
static inline void cmhd_logger(void *cls, const char *format, va_list arguments) {
  (void)format;
  (void)arguments;
  struct cmhd_callbacks *callbacks = (struct cmhd_callbacks *)cls;
  callbacks->log(callbacks->context);
}

/// Targets are kept percent-encoded: the application decodes them, once.
static inline size_t cmhd_keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
  (void)cls;
  (void)connection;
  size_t length = 0;
  while (text[length]) length++;
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
      MHD_OPTION_URI_LOG_CALLBACK, callbacks->uri, callbacks->context,
      MHD_OPTION_UNESCAPE_CALLBACK, &cmhd_keep_escapes, (void *)NULL,
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

/// The library is done with a connection that was upgraded; it closes its own descriptor. The function is variadic.
static inline enum MHD_Result cmhd_close_upgraded(struct MHD_UpgradeResponseHandle *handle) {
  return MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

/// An answer of unknown length that ends with the connection.
static inline void cmhd_never_chunk(struct MHD_Response *response) {
  (void)MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

#endif
