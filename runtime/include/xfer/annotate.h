/* Calls by which a program informs the tools. C99 and C++, header-only, nothing to link.
 *
 * For xfertrace, while the program runs: names for parts of its run and for its buffers, and the
 * blocks of its own allocator. Without a listener a call costs one load and one branch.
 *
 *   xfer_scope_begin("epoch");  ...  xfer_scope_end();      (C++: XFER_SCOPE("epoch");)
 *   xfer_name(pointer, bytes, "weights");
 *   xfer_allocated(pointer, bytes, device);  ...  xfer_released(pointer);
 *   xfer_implicit_begin();  ...  xfer_implicit_end();       (C++: xfer::ImplicitCopies implicit;)
 *
 * Allocators that keep device or pinned memory and hand it out again report their allocations:
 * otherwise a block looks as if it lived as long as the cudaMalloc that it was cut from.
 * Libraries that copy an operand to where the others are, unasked, report these copies as implicit.
 *
 * In return the tools give the program counters of the calling thread; assert.h makes tests of
 * them:
 *
 *   xfer_counters counters;
 *   if (xfer_read_counters(&counters)) ... counters.h2d_bytes ...
 *
 * Thread-safe. Scopes nest and belong to the calling thread. Strings are copied. The listener
 * (libxfertrace.so, preloaded) exports `xfer_listener_v1`; fields may be added at the end of the
 * table, and `size` tells which are there.
 *
 * xferlint, where a function or a class is declared: the keys of a model row
 * (rules/models/SCHEMA.md).
 *
 *   XFER_MODEL("kind: transfer, result: cuda") Matrix upload(const Matrix& x);
 *   class XFER_MODEL("role: tensor") Matrix { ... }; */
#ifndef XFER_ANNOTATE_H
#define XFER_ANNOTATE_H

#include <stddef.h>
#include <stdint.h>

/* Only xferlint and Clang read it: to other compilers it is nothing. */
#if defined(__clang__)
#define XFER_MODEL(keys) __attribute__((annotate("xfer: " keys)))
#else
#define XFER_MODEL(keys)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Counters of a thread since its start. Copies: host to device, device to host, within a device,
 * between devices. A call counts when it has returned; one that failed, or that was recorded into a
 * CUDA graph, does not, nor do the copies of a graph that is launched. */
typedef struct xfer_counters {
  size_t size; /* of this struct, as the caller knows it */
  uint64_t time_ns;
  uint64_t h2d_count, h2d_bytes;
  uint64_t d2h_count, d2h_bytes;
  uint64_t d2d_count, d2d_bytes;
  uint64_t p2p_count, p2p_bytes;
  uint64_t launches;
  uint64_t syncs; /* calls that wait */
  uint64_t allocations;
  uint64_t host_waits; /* calls that make the host wait: syncs, copies that are synchronous or touch
                        * pageable memory, frees of device memory */
} xfer_counters;

/* Gets a text in one piece or several; they hold for the call. */
typedef void (*xfer_take_text)(void* to, const char* text, size_t length);

typedef struct xfer_listener {
  size_t size; /* of this table, as the listener knows it */
  void (*scope_begin)(const char* name);
  void (*scope_end)(void);
  void (*name)(const void* pointer, size_t bytes, const char* name);
  void (*allocated)(const void* pointer, size_t bytes, int device);
  void (*released)(const void* pointer);
  /* Fills the fields that counters->size covers. 0: nothing counts in this process. */
  int (*read_counters)(xfer_counters* counters);
  /* Looks at what the calling thread did since `since_ns` (xfer_counters::time_ns), and says it.
   * `about`: "transfers" lists copies by source line, "host_waits" calls that wait; rules and
   * severities separated by commas, as --fail-on takes them, list findings. How many calls those
   * are; -1: the text says why not. Costs a reading of the whole trace. */
  long (*examine)(const char* about, uint64_t since_ns, xfer_take_text take, void* to);
  void (*implicit_copies)(int begin); /* 0: they end */
} xfer_listener;

#if defined(__GNUC__) && !defined(__APPLE__) && !defined(XFER_NO_ANNOTATIONS)

/* Declared here and not taken from <dlfcn.h>, whose RTLD_DEFAULT wants _GNU_SOURCE in C. */
extern void* dlsym(void* handle, const char* symbol)
#ifdef __cplusplus
    noexcept(true)
#endif
        ;

/* The table of the tool that listens; an empty one: none does. */
static inline const xfer_listener* xfer_find_listener(void) {
  static const xfer_listener nobody = {0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
  static const xfer_listener* known = NULL;
  const xfer_listener* listener = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
  if (listener == NULL) {
    /* (void*)0 is RTLD_DEFAULT. A table by name, not a function: nothing can run here. */
    listener = (const xfer_listener*)dlsym(NULL, "xfer_listener_v1");
    if (listener == NULL) listener = &nobody;
    __atomic_store_n(&known, listener, __ATOMIC_RELEASE);
  }
  return listener;
}

#define XFER_HAS(listener, member)                                                     \
  ((listener)->size >= offsetof(xfer_listener, member) + sizeof((listener)->member) && \
   (listener)->member != NULL)
#define XFER_TELL(member, arguments)                                \
  do {                                                              \
    const xfer_listener* xfer_to = xfer_find_listener();            \
    if (XFER_HAS(xfer_to, member)) (void)xfer_to->member arguments; \
  } while (0)

#else
#define XFER_HAS(listener, member) 0
static inline const xfer_listener* xfer_find_listener(void) { return NULL; }
#define XFER_TELL(member, arguments) \
  do {                               \
  } while (0)
#endif

/* Begins a part of the run that the reports call `name`; scopes of a thread nest. */
static inline void xfer_scope_begin(const char* name) {
  (void)name;
  XFER_TELL(scope_begin, (name));
}

/* Ends the innermost scope of the calling thread. */
static inline void xfer_scope_end(void) { XFER_TELL(scope_end, ()); }

/* Findings about copies to and from this buffer, in memory of a device, will call it `name`. */
static inline void xfer_name(const void* pointer, size_t bytes, const char* name) {
  (void)pointer;
  (void)bytes;
  (void)name;
  XFER_TELL(name, (pointer, bytes, name));
}

/* Reports that an allocator of the program handed out a block of device memory that it holds, or
 * (device -1) of pinned memory. */
static inline void xfer_allocated(const void* pointer, size_t bytes, int device) {
  (void)pointer;
  (void)bytes;
  (void)device;
  XFER_TELL(allocated, (pointer, bytes, device));
}

/* Reports that the block is the allocator's again. */
static inline void xfer_released(const void* pointer) {
  (void)pointer;
  XFER_TELL(released, (pointer));
}

/* The copies that the calling thread makes from here on are an operation's own: it has operands in
 * different places. Such pairs nest. */
static inline void xfer_implicit_begin(void) { XFER_TELL(implicit_copies, (1)); }

/* Ends the innermost such part of the calling thread. */
static inline void xfer_implicit_end(void) { XFER_TELL(implicit_copies, (0)); }

/* Reads the calling thread's counters. 0, and all counters 0: nothing counts; the program does not
 * run under xfertrace, or xfertrace could not trace it. */
static inline int xfer_read_counters(xfer_counters* counters) {
  static const xfer_counters nothing = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const xfer_listener* listener = xfer_find_listener();
  *counters = nothing;
  counters->size = sizeof(*counters);
  (void)listener;
  return XFER_HAS(listener, read_counters) ? listener->read_counters(counters) : 0;
}

#ifdef __cplusplus
}

namespace xfer {

/* A scope for as long as it lives. */
class Scope {
 public:
  explicit Scope(const char* name) { xfer_scope_begin(name); }
  ~Scope() { xfer_scope_end(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
};

/* xfer_implicit_begin() for as long as it lives. */
class ImplicitCopies {
 public:
  ImplicitCopies() { xfer_implicit_begin(); }
  ~ImplicitCopies() { xfer_implicit_end(); }
  ImplicitCopies(const ImplicitCopies&) = delete;
  ImplicitCopies& operator=(const ImplicitCopies&) = delete;
};

}  // namespace xfer

#define XFER_ANNOTATE_JOIN2(a, b) a##b
#define XFER_ANNOTATE_JOIN(a, b) XFER_ANNOTATE_JOIN2(a, b)
/* A scope that ends with the block. */
#define XFER_SCOPE(name) const ::xfer::Scope XFER_ANNOTATE_JOIN(xfer_scope_, __LINE__)(name)
#endif

#endif /* XFER_ANNOTATE_H */
