#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static struct libpq functions;
static char failure[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(failure, sizeof failure, "%s", dlerror());
        return;
    }
#define FUNCTION(name) \
    if ((*(void **)&functions.name = dlsym(library, "PQ" #name)) == NULL) { \
        snprintf(failure, sizeof failure, "libpq.so.5 has no PQ" #name ": it is older than PostgreSQL 14"); \
        return; \
    }
    FUNCTION(conninfoParse)
    FUNCTION(conninfoFree)
    FUNCTION(connectdbParams)
    FUNCTION(finish)
    FUNCTION(status)
    FUNCTION(errorMessage)
    FUNCTION(socket)
    FUNCTION(backendPID)
    FUNCTION(serverVersion)
    FUNCTION(transactionStatus)
    FUNCTION(setnonblocking)
    FUNCTION(setNoticeReceiver)
    FUNCTION(enterPipelineMode)
    FUNCTION(sendPrepare)
    FUNCTION(sendQueryPrepared)
    FUNCTION(pipelineSync)
    FUNCTION(flush)
    FUNCTION(consumeInput)
    FUNCTION(isBusy)
    FUNCTION(getResult)
    FUNCTION(resultStatus)
    FUNCTION(resultErrorField)
    FUNCTION(ntuples)
    FUNCTION(ftype)
    FUNCTION(getvalue)
    FUNCTION(getlength)
    FUNCTION(getisnull)
    FUNCTION(cmdTuples)
    FUNCTION(clear)
    FUNCTION(notifies)
    FUNCTION(freemem)
    FUNCTION(getCancel)
    FUNCTION(cancel)
    FUNCTION(freeCancel)
#undef FUNCTION
}

const struct libpq *libpq_load(const char **reason) {
    pthread_once(&once, load);
    *reason = failure;
    return failure[0] == 0 ? &functions : NULL;
}

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>

_Static_assert(LIBPQ_CONNECTION_OK == CONNECTION_OK, "ConnStatusType");
_Static_assert(LIBPQ_EMPTY_QUERY == PGRES_EMPTY_QUERY && LIBPQ_COMMAND_OK == PGRES_COMMAND_OK, "ExecStatusType");
_Static_assert(LIBPQ_TUPLES_OK == PGRES_TUPLES_OK && LIBPQ_PIPELINE_SYNC == PGRES_PIPELINE_SYNC, "ExecStatusType");
_Static_assert(LIBPQ_TRANSACTION_IDLE == PQTRANS_IDLE, "PGTransactionStatusType");
_Static_assert(LIBPQ_TRANSACTION_UNKNOWN == PQTRANS_UNKNOWN, "PGTransactionStatusType");
_Static_assert(offsetof(struct libpq_notification, extra) == offsetof(PGnotify, extra), "PGnotify");
_Static_assert(offsetof(struct libpq_option, val) == offsetof(PQconninfoOption, val), "PQconninfoOption");
_Static_assert(sizeof(struct libpq_option) == sizeof(PQconninfoOption), "PQconninfoOption");
#define SAME(name) \
    _Static_assert( \
        __builtin_types_compatible_p(__typeof__(*functions.name), __typeof__(PQ##name)), "PQ" #name)
SAME(connectdbParams);
SAME(finish);
SAME(errorMessage);
SAME(socket);
SAME(backendPID);
SAME(serverVersion);
SAME(setnonblocking);
SAME(enterPipelineMode);
SAME(sendPrepare);
SAME(sendQueryPrepared);
SAME(pipelineSync);
SAME(flush);
SAME(consumeInput);
SAME(isBusy);
SAME(getResult);
SAME(resultErrorField);
SAME(ntuples);
SAME(ftype);
SAME(getvalue);
SAME(getlength);
SAME(getisnull);
SAME(cmdTuples);
SAME(clear);
SAME(freemem);
SAME(getCancel);
SAME(cancel);
SAME(freeCancel);
#undef SAME
#endif
