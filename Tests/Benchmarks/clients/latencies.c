#include "latencies.h"
#include "net.h"
#include <stdlib.h>

void latencies_add(struct latencies *all, uint64_t nanoseconds) {
    if (all->count == all->room) {
        all->room = all->room ? all->room * 2 : 1 << 16;
        all->values = need(realloc(all->values, all->room * sizeof *all->values));
    }
    all->values[all->count++] = (uint32_t)(nanoseconds / 1000);
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

double latencies_percentile(struct latencies *all, double share) {
    if (!all->count) return 0;
    qsort(all->values, all->count, sizeof *all->values, ascending);
    size_t index = (size_t)((double)all->count * share);
    return all->values[index < all->count ? index : all->count - 1] / 1e3;
}
