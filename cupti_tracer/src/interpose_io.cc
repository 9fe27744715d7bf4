// Stands in front of the C library's functions that hand a caller's memory to the system, where the
// library is preloaded: see system_touch.h.

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>

#include "next_function.h"
#include "system_touch.h"

#define XFER_EXPORT __attribute__((visibility("default")))
#define XFER_CALLER __builtin_return_address(0)

namespace {

using xfer::tracer::NextFunction;
using xfer::tracer::SystemDoes;
using xfer::tracer::SystemTouch;

constinit NextFunction<ssize_t(int, const void*, size_t)> g_write("write");
constinit NextFunction<ssize_t(int, const void*, size_t, off_t)> g_pwrite("pwrite");
constinit NextFunction<ssize_t(int, const void*, size_t, off_t)> g_pwrite64("pwrite64");
constinit NextFunction<ssize_t(int, const iovec*, int)> g_writev("writev");
constinit NextFunction<ssize_t(int, void*, size_t)> g_read("read");
constinit NextFunction<ssize_t(int, void*, size_t, off_t)> g_pread("pread");
constinit NextFunction<ssize_t(int, void*, size_t, off_t)> g_pread64("pread64");
constinit NextFunction<ssize_t(int, const iovec*, int)> g_readv("readv");
constinit NextFunction<ssize_t(int, const void*, size_t, int)> g_send("send");
constinit NextFunction<ssize_t(int, const void*, size_t, int, const sockaddr*, socklen_t)> g_sendto(
    "sendto");
constinit NextFunction<ssize_t(int, const msghdr*, int)> g_sendmsg("sendmsg");
constinit NextFunction<ssize_t(int, void*, size_t, int)> g_recv("recv");
constinit NextFunction<ssize_t(int, void*, size_t, int, sockaddr*, socklen_t*)> g_recvfrom(
    "recvfrom");
constinit NextFunction<ssize_t(int, msghdr*, int)> g_recvmsg("recvmsg");
constinit NextFunction<size_t(const void*, size_t, size_t, FILE*)> g_fwrite("fwrite");
constinit NextFunction<size_t(void*, size_t, size_t, FILE*)> g_fread("fread");

// So that a signal handler, which may call them, need not.
__attribute__((constructor)) void find_io() {
  g_write.get();
  g_pwrite.get();
  g_pwrite64.get();
  g_writev.get();
  g_read.get();
  g_pread.get();
  g_pread64.get();
  g_readv.get();
  g_send.get();
  g_sendto.get();
  g_sendmsg.get();
  g_recv.get();
  g_recvfrom.get();
  g_recvmsg.get();
  g_fwrite.get();
  g_fread.get();
}

size_t count_of(const msghdr* message) { return message != nullptr ? message->msg_iovlen : 0; }
const iovec* parts_of(const msghdr* message) {
  return message != nullptr ? message->msg_iov : nullptr;
}
iovec part(const void* data, size_t bytes) { return {const_cast<void*>(data), bytes}; }
size_t count_of(int count) { return count > 0 ? static_cast<size_t>(count) : 0; }

}  // namespace

extern "C" {

XFER_EXPORT ssize_t write(int file, const void* data, size_t bytes) {
  const SystemTouch touch(part(data, bytes), SystemDoes::kReads, XFER_CALLER);
  return g_write.get()(file, data, bytes);
}

XFER_EXPORT ssize_t pwrite(int file, const void* data, size_t bytes, off_t offset) {
  const SystemTouch touch(part(data, bytes), SystemDoes::kReads, XFER_CALLER);
  return g_pwrite.get()(file, data, bytes, offset);
}

XFER_EXPORT ssize_t pwrite64(int file, const void* data, size_t bytes, off64_t offset) {
  const SystemTouch touch(part(data, bytes), SystemDoes::kReads, XFER_CALLER);
  return g_pwrite64.get()(file, data, bytes, offset);
}

XFER_EXPORT ssize_t writev(int file, const iovec* parts, int count) {
  const SystemTouch touch(parts, count_of(count), SystemDoes::kReads, XFER_CALLER);
  return g_writev.get()(file, parts, count);
}

XFER_EXPORT ssize_t read(int file, void* data, size_t bytes) {
  const SystemTouch touch({data, bytes}, SystemDoes::kWrites, XFER_CALLER);
  return g_read.get()(file, data, bytes);
}

XFER_EXPORT ssize_t pread(int file, void* data, size_t bytes, off_t offset) {
  const SystemTouch touch({data, bytes}, SystemDoes::kWrites, XFER_CALLER);
  return g_pread.get()(file, data, bytes, offset);
}

XFER_EXPORT ssize_t pread64(int file, void* data, size_t bytes, off64_t offset) {
  const SystemTouch touch({data, bytes}, SystemDoes::kWrites, XFER_CALLER);
  return g_pread64.get()(file, data, bytes, offset);
}

XFER_EXPORT ssize_t readv(int file, const iovec* parts, int count) {
  const SystemTouch touch(parts, count_of(count), SystemDoes::kWrites, XFER_CALLER);
  return g_readv.get()(file, parts, count);
}

XFER_EXPORT ssize_t send(int to, const void* data, size_t bytes, int flags) {
  const SystemTouch touch(part(data, bytes), SystemDoes::kReads, XFER_CALLER);
  return g_send.get()(to, data, bytes, flags);
}

XFER_EXPORT ssize_t sendto(int to, const void* data, size_t bytes, int flags,
                           const sockaddr* address, socklen_t length) {
  const SystemTouch touch(part(data, bytes), SystemDoes::kReads, XFER_CALLER);
  return g_sendto.get()(to, data, bytes, flags, address, length);
}

XFER_EXPORT ssize_t sendmsg(int to, const msghdr* message, int flags) {
  const SystemTouch touch(parts_of(message), count_of(message), SystemDoes::kReads, XFER_CALLER);
  return g_sendmsg.get()(to, message, flags);
}

XFER_EXPORT ssize_t recv(int from, void* data, size_t bytes, int flags) {
  const SystemTouch touch({data, bytes}, SystemDoes::kWrites, XFER_CALLER);
  return g_recv.get()(from, data, bytes, flags);
}

XFER_EXPORT ssize_t recvfrom(int from, void* data, size_t bytes, int flags, sockaddr* address,
                             socklen_t* length) {
  const SystemTouch touch({data, bytes}, SystemDoes::kWrites, XFER_CALLER);
  return g_recvfrom.get()(from, data, bytes, flags, address, length);
}

XFER_EXPORT ssize_t recvmsg(int from, msghdr* message, int flags) {
  const SystemTouch touch(parts_of(message), count_of(message), SystemDoes::kWrites, XFER_CALLER);
  return g_recvmsg.get()(from, message, flags);
}

XFER_EXPORT size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  const SystemTouch touch(part(data, size * count), SystemDoes::kReads, XFER_CALLER);
  return g_fwrite.get()(data, size, count, file);
}

XFER_EXPORT size_t fread(void* data, size_t size, size_t count, FILE* file) {
  const SystemTouch touch({data, size * count}, SystemDoes::kWrites, XFER_CALLER);
  return g_fread.get()(data, size, count, file);
}
}
