/* What a program can tell the tools. C99 and C++, header-only, nothing to link.
 *
 * xfertrace, while it runs: names for parts of its run and for its buffers, and what its own allocator
 * does. When nobody listens a call costs one load and one branch.
 *
 *   xfer_scope_begin("epoch");  ...  xfer_scope_end();      (C++: XFER_SCOPE("epoch");)
 *   xfer_name(pointer, bytes, "weights");
 *   xfer_allocated(pointer, bytes, device);  ...  xfer_released(pointer);
 *
 * The last two are for allocators that keep device memory and hand it out again: without them a
 * block looks as if it lived as long as the cudaMalloc that it was cut from.
 *
 * Thread-safe. Scopes nest and belong to the calling thread. Strings are copied. The listener
 * (libxfertrace.so, preloaded) exports `xfer_listener_v1`; fields may be added at the end of the
 * table, and `size` tells which are there.
 *
 * xferlint, where a function or a class is declared: the keys of a model row (rules/models/SCHEMA.md).
 *
 *   XFER_MODEL("kind: transfer, result: cuda") Matrix upload(const Matrix& x);
 *   class XFER_MODEL("role: tensor") Matrix { ... }; */
#ifndef XFER_ANNOTATE_H
#define XFER_ANNOTATE_H

#include <stddef.h>

/* Only xferlint and Clang read it: to other compilers it is nothing. */
#if defined(__clang__)
#define XFER_MODEL(keys) __attribute__((annotate("xfer: " keys)))
#else
#define XFER_MODEL(keys)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xfer_listener {
  size_t size; /* of this table, as the listener knows it */
  void (*scope_begin)(const char* name);
  void (*scope_end)(void);
  void (*name)(const void* pointer, size_t bytes, const char* name);
  void (*allocated)(const void* pointer, size_t bytes, int device);
  void (*released)(const void* pointer);
} xfer_listener;

#if defined(__GNUC__) && !defined(__APPLE__) && !defined(XFER_NO_ANNOTATIONS)

/* Declared here and not taken from <dlfcn.h>, whose RTLD_DEFAULT wants _GNU_SOURCE in C. */
extern void* dlsym(void* handle, const char* symbol)
#ifdef __cplusplus
    noexcept(true)
#endif
        ;

static inline const xfer_listener* xfer_find_listener(void) {
  static const xfer_listener nobody = {0, NULL, NULL, NULL, NULL, NULL};
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

#define XFER_TELL(member, arguments)                                                  \
  do {                                                                                \
    const xfer_listener* xfer_to = xfer_find_listener();                              \
    if (xfer_to->size >= offsetof(xfer_listener, member) + sizeof(xfer_to->member) && \
        xfer_to->member != NULL)                                                      \
      xfer_to->member arguments;                                                      \
  } while (0)

#else
#define XFER_TELL(member, arguments) \
  do {                               \
  } while (0)
#endif

static inline void xfer_scope_begin(const char* name) {
  (void)name;
  XFER_TELL(scope_begin, (name));
}

static inline void xfer_scope_end(void) { XFER_TELL(scope_end, ()); }

/* Findings about this buffer will call it `name`. */
static inline void xfer_name(const void* pointer, size_t bytes, const char* name) {
  (void)pointer;
  (void)bytes;
  (void)name;
  XFER_TELL(name, (pointer, bytes, name));
}

/* An allocator of the program gave out device memory that it holds ... */
static inline void xfer_allocated(const void* pointer, size_t bytes, int device) {
  (void)pointer;
  (void)bytes;
  (void)device;
  XFER_TELL(allocated, (pointer, bytes, device));
}

/* ... and got it back. */
static inline void xfer_released(const void* pointer) {
  (void)pointer;
  XFER_TELL(released, (pointer));
}

#ifdef __cplusplus
}

namespace xfer {

class Scope {
 public:
  explicit Scope(const char* name) { xfer_scope_begin(name); }
  ~Scope() { xfer_scope_end(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
};

}  // namespace xfer

#define XFER_ANNOTATE_JOIN2(a, b) a##b
#define XFER_ANNOTATE_JOIN(a, b) XFER_ANNOTATE_JOIN2(a, b)
#define XFER_SCOPE(name) const ::xfer::Scope XFER_ANNOTATE_JOIN(xfer_scope_, __LINE__)(name)
#endif

#endif /* XFER_ANNOTATE_H */
