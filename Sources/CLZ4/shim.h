// Swift sees no macros with values of C's own types; all that is used here are functions.
#ifndef CLZ4_SHIM_H
#define CLZ4_SHIM_H

#include <lz4.h>

#endif
