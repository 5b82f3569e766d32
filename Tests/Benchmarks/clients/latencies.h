// Latencies in microseconds, and their percentiles.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct latencies {
    uint32_t *values;
    size_t count, room;
};

void latencies_add(struct latencies *all, uint64_t nanoseconds);

/// In milliseconds; `share` from 0 to 1. Sorts. 0 when there is none.
double latencies_percentile(struct latencies *all, double share);
