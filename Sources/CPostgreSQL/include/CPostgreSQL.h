// libpq, PostgreSQL's client library (14 or newer), loaded when it is first needed.
//
// It is not linked. libpq brings about twenty libraries along (TLS, Kerberos, LDAP), which a gateway on SQLite would load
// at each start; and neither building Parley nor running it on SQLite needs a package of PostgreSQL so. The declarations
// are those of libpq-fe.h; CPostgreSQL.c compares them with that header where it is installed.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

struct pg_conn;
struct pg_cancel;
struct pg_result;

/// PGnotify: a notification of another connection.
struct libpq_notification {
    char *relname;
    int be_pid;
    char *extra;
};

/// PQconninfoOption: a parameter, and what a connection string says of it.
struct libpq_option {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
};

/// ConnStatusType, ExecStatusType and PGTransactionStatusType, as far as they are used.
enum {
    LIBPQ_CONNECTION_OK = 0,
    LIBPQ_EMPTY_QUERY = 0,
    LIBPQ_COMMAND_OK = 1,
    LIBPQ_TUPLES_OK = 2,
    LIBPQ_PIPELINE_SYNC = 10,
    LIBPQ_TRANSACTION_IDLE = 0,
    LIBPQ_TRANSACTION_UNKNOWN = 4,
};

typedef void (*libpq_notice_receiver)(void *context, const struct pg_result *result);

/// The functions that are used, by their names without PQ.
struct libpq {
    struct libpq_option *(*conninfoParse)(const char *text, char **reason);
    void (*conninfoFree)(struct libpq_option *);
    struct pg_conn *(*connectdbParams)(const char *const *names, const char *const *values, int expand_dbname);
    void (*finish)(struct pg_conn *);
    int (*status)(const struct pg_conn *);
    char *(*errorMessage)(const struct pg_conn *);
    int (*socket)(const struct pg_conn *);
    int (*backendPID)(const struct pg_conn *);
    int (*serverVersion)(const struct pg_conn *);
    int (*transactionStatus)(const struct pg_conn *);
    int (*setnonblocking)(struct pg_conn *, int);
    libpq_notice_receiver (*setNoticeReceiver)(struct pg_conn *, libpq_notice_receiver, void *context);
    int (*enterPipelineMode)(struct pg_conn *);
    int (*sendPrepare)(struct pg_conn *, const char *name, const char *sql, int count, const unsigned *types);
    int (*sendQueryPrepared)(
        struct pg_conn *, const char *name, int count, const char *const *values, const int *lengths, const int *formats,
        int resultFormat);
    int (*pipelineSync)(struct pg_conn *);
    int (*flush)(struct pg_conn *);
    int (*consumeInput)(struct pg_conn *);
    int (*isBusy)(struct pg_conn *);
    struct pg_result *(*getResult)(struct pg_conn *);
    int (*resultStatus)(const struct pg_result *);
    char *(*resultErrorField)(const struct pg_result *, int field);
    int (*ntuples)(const struct pg_result *);
    unsigned (*ftype)(const struct pg_result *, int column);
    char *(*getvalue)(const struct pg_result *, int row, int column);
    int (*getlength)(const struct pg_result *, int row, int column);
    int (*getisnull)(const struct pg_result *, int row, int column);
    char *(*cmdTuples)(struct pg_result *);
    void (*clear)(struct pg_result *);
    struct libpq_notification *(*notifies)(struct pg_conn *);
    void (*freemem)(void *);
    struct pg_cancel *(*getCancel)(struct pg_conn *);
    int (*cancel)(struct pg_cancel *, char *reason, int size);
    void (*freeCancel)(struct pg_cancel *);
};

/// The library's functions. Null when it cannot be loaded; `reason` is then a text that lasts. Any thread may call it.
const struct libpq *libpq_load(const char **reason);

#endif
