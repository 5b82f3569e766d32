// zlib, behind one module. Foundation of the toolchain and libcurl load it anyway.
#include <zlib.h>
