// The header that the gateway uses of nettle, behind one module. libmicrohttpd's TLS library loads nettle anyway.
#include <nettle/hmac.h>
