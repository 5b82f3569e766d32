// The header of libxcrypt, which Debian's libc6-dev brings. glibc itself knows no yescrypt.
#include <crypt.h>
