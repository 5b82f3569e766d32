// io_uring as far as sending needs it: many sockets, one system call. Swift cannot call what is variadic, nor order its
// memory accesses with the kernel's as this needs it.
#ifndef CURING_SHIM_H
#define CURING_SHIM_H

#include <errno.h>
#include <linux/io_uring.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Declared by the C library only with _DEFAULT_SOURCE, which a module's header is too late to define.
extern long syscall(long number, ...);

/// One ring; used by one thread at a time.
struct curing {
  int descriptor;
  unsigned capacity, *sq_tail, *sq_mask, *sq_array, *cq_head, *cq_tail, *cq_mask;
  struct io_uring_sqe *entries;
  struct io_uring_cqe *completions;
  void *rings;
  size_t rings_size, entries_size;
};

static inline void curing_close(struct curing *ring) {
  if (ring->entries) munmap(ring->entries, ring->entries_size);
  if (ring->rings) munmap(ring->rings, ring->rings_size);
  if (ring->descriptor >= 0) close(ring->descriptor);
  ring->descriptor = -1;
  ring->rings = ring->entries = NULL;
}

static inline void *curing_map(struct curing *ring, size_t size, long long offset) {
  void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring->descriptor, offset);
  return mapped == MAP_FAILED ? NULL : mapped;
}

/// Makes a ring for so many sends at a time, a power of two. False when the kernel is older than 5.7, which brought the
/// last feature that is asked for here, or does not permit io_uring; in containers that is common.
static inline _Bool curing_open(struct curing *ring, unsigned capacity) {
  struct io_uring_params made;
  memset(&made, 0, sizeof made);
  memset(ring, 0, sizeof *ring);
  ring->descriptor = (int)syscall(SYS_io_uring_setup, capacity, &made);
  if (ring->descriptor < 0) return 0;
  const unsigned needed = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_FAST_POLL;
  size_t submissions = made.sq_off.array + made.sq_entries * sizeof(unsigned);
  size_t completions = made.cq_off.cqes + made.cq_entries * sizeof(struct io_uring_cqe);
  ring->rings_size = submissions > completions ? submissions : completions;
  ring->entries_size = made.sq_entries * sizeof(struct io_uring_sqe);
  if ((made.features & needed) == needed) {
    ring->rings = curing_map(ring, ring->rings_size, IORING_OFF_SQ_RING);
    ring->entries = (struct io_uring_sqe *)curing_map(ring, ring->entries_size, IORING_OFF_SQES);
  }
  if (!ring->rings || !ring->entries) {
    curing_close(ring);
    return 0;
  }
  char *base = (char *)ring->rings;
  ring->capacity = made.sq_entries;
  ring->sq_tail = (unsigned *)(base + made.sq_off.tail);
  ring->sq_mask = (unsigned *)(base + made.sq_off.ring_mask);
  ring->sq_array = (unsigned *)(base + made.sq_off.array);
  ring->cq_head = (unsigned *)(base + made.cq_off.head);
  ring->cq_tail = (unsigned *)(base + made.cq_off.tail);
  ring->cq_mask = (unsigned *)(base + made.cq_off.ring_mask);
  ring->completions = (struct io_uring_cqe *)(base + made.cq_off.cqes);
  return 1;
}

/// Prepares the send number `index` of the next `curing_submit`; the numbers go from 0, without gaps.
///
/// It does not wait for room in the socket: what does not fit at once is not sent.
static inline void curing_send(struct curing *ring, unsigned index, int socket, const void *bytes, unsigned count) {
  unsigned place = (*ring->sq_tail + index) & *ring->sq_mask;
  struct io_uring_sqe *entry = &ring->entries[place];
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_SEND;
  entry->fd = socket;
  entry->addr = (uintptr_t)bytes;
  entry->len = count;
  entry->msg_flags = MSG_NOSIGNAL | MSG_DONTWAIT;
  entry->user_data = index;
  ring->sq_array[place] = place;
}

/// Carries out the sends that are prepared. `results` gets what `send` would have returned for each, or the negative
/// errno.
///
/// Returns how many were carried out. If it is not all, the ring is not usable any more.
static inline unsigned curing_submit(struct curing *ring, unsigned count, int *results) {
  __atomic_store_n(ring->sq_tail, *ring->sq_tail + count, __ATOMIC_RELEASE);
  unsigned submitted = 0, completed = 0;
  while (completed < count) {
    int taken = (int)syscall(
        SYS_io_uring_enter, ring->descriptor, count - submitted, count - completed, IORING_ENTER_GETEVENTS, NULL, 0);
    if (taken < 0 && errno != EINTR) break;
    if (taken > 0) submitted += (unsigned)taken;
    unsigned head = *ring->cq_head, tail = __atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE);
    for (; head != tail; head++, completed++) {
      const struct io_uring_cqe *completion = &ring->completions[head & *ring->cq_mask];
      results[completion->user_data] = completion->res;
    }
    __atomic_store_n(ring->cq_head, head, __ATOMIC_RELEASE);
  }
  return completed;
}

#endif
