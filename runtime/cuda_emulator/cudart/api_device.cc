// Devices: how many, what they are, which is current, who may access whom.

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstring>

#include "cudart/api_call.h"
#include "cudart/array.h"
#include "cudart/capture.h"
#include "cudart/device_properties.h"
#include "cudart/pool.h"
#include "machine/cost_model.h"

using namespace xfer::emulator;

namespace {

bool exists(const Machine& machine, int device) {
  return device >= 0 && device < machine.device_count();
}

cudaError_t synchronize_device(Session& session) {
  Machine& machine = session.machine;
  const int device = session.thread.device;
  if (const auto error = may_wait_for_device(session, device); error != cudaSuccess) return error;
  Activity activity;
  activity.kind = Activity::Kind::kSync;
  activity.sync = Activity::Sync::kContext;
  activity.device = device;
  activity.begin_ns = machine.now();
  machine.scheduler().finish_device(session.lock, device);
  machine.wait_until(machine.device_ready_ns(device));
  activity.end_ns = machine.now();
  machine.report_sync(activity);
  return cudaSuccess;
}

std::string bus_id(int device) { return fmt::format("0000:{:02X}:00.0", device + 1); }

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return remember(cudaErrorInvalidValue);
  *count = 0;
  return XFER_CALL(cudaGetDeviceCount_v3020, count).run([&](Session& session) {
    *count = session.machine.device_count();
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return XFER_CALL(cudaGetDevice_v3020, device).run([&](Session& session) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = session.thread.device;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return XFER_CALL(cudaSetDevice_v3020, device).run([&](Session& session) {
    if (!exists(session.machine, device)) return cudaErrorInvalidDevice;
    session.thread.device = device;
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return XFER_CALL(cudaInitDevice_v12000, device, deviceFlags, flags).run([&](Session& session) {
    return exists(session.machine, device) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* prop) {
  return XFER_CALL(cudaChooseDevice_v3020, device, prop).run([&](Session&) {
    if (device == nullptr || prop == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int* device_arr, int len) {
  return XFER_CALL(cudaSetValidDevices_v3020, device_arr, len).run([&](Session& session) {
    for (int i = 0; i < len; ++i) {
      if (!exists(session.machine, device_arr[i])) return cudaErrorInvalidDevice;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return XFER_CALL(cudaSetDeviceFlags_v3020, flags).run([&](Session& session) {
    session.current().flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return XFER_CALL(cudaGetDeviceFlags_v7000, flags).run([&](Session& session) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = session.current().flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
  return XFER_CALL(cudaGetDeviceProperties_v12000, prop, device).run([&](Session& session) {
    if (prop == nullptr) return cudaErrorInvalidValue;
    if (!exists(session.machine, device)) return cudaErrorInvalidDevice;
    *prop = device_properties(session.machine.options(), session.machine.memory().bytes_total(),
                              device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int device) {
  return XFER_CALL(cudaDeviceGetAttribute_v5000, value, attr, device).run([&](Session& session) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!exists(session.machine, device)) return cudaErrorInvalidDevice;
    return device_attribute(device_properties(session.machine.options(),
                                              session.machine.memory().bytes_total(), device),
                            attr, value);
  });
}

cudaError_t cudaDeviceSynchronize() {
  return XFER_CALL_NO_PARAMS(cudaDeviceSynchronize_v3020).run([](Session& session) {
    return synchronize_device(session);
  });
}

cudaError_t cudaDeviceReset() {
  return XFER_CALL_NO_PARAMS(cudaDeviceReset_v3020).run([](Session& session) {
    session.machine.reset(session.lock, session.thread.device);
    forget_arrays(session.thread.device);
    GraphMemory::forget(session.thread.device);
    forget_pools(session.thread.device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  return XFER_CALL(cudaDeviceCanAccessPeer_v4000, canAccessPeer, device, peerDevice)
      .run([&](Session& session) {
        if (canAccessPeer == nullptr) return cudaErrorInvalidValue;
        if (!exists(session.machine, device) || !exists(session.machine, peerDevice)) {
          return cudaErrorInvalidDevice;
        }
        *canAccessPeer = session.machine.options().peer && device != peerDevice ? 1 : 0;
        return cudaSuccess;
      });
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  return XFER_CALL(cudaDeviceEnablePeerAccess_v4000, peerDevice, flags).run([&](Session& session) {
    if (!exists(session.machine, peerDevice) || peerDevice == session.thread.device) {
      return cudaErrorInvalidDevice;
    }
    if (flags != 0) return cudaErrorInvalidValue;
    if (!session.machine.options().peer) return cudaErrorPeerAccessUnsupported;
    return session.current().peers.insert(peerDevice).second ? cudaSuccess
                                                             : cudaErrorPeerAccessAlreadyEnabled;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  return XFER_CALL(cudaDeviceDisablePeerAccess_v4000, peerDevice).run([&](Session& session) {
    if (!exists(session.machine, peerDevice)) return cudaErrorInvalidDevice;
    return session.current().peers.erase(peerDevice) != 0 ? cudaSuccess
                                                          : cudaErrorPeerAccessNotEnabled;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attr, int srcDevice,
                                      int dstDevice) {
  return XFER_CALL(cudaDeviceGetP2PAttribute_v8000, value, attr, srcDevice, dstDevice)
      .run([&](Session& session) {
        if (value == nullptr) return cudaErrorInvalidValue;
        if (!exists(session.machine, srcDevice) || !exists(session.machine, dstDevice) ||
            srcDevice == dstDevice) {
          return cudaErrorInvalidDevice;
        }
        const bool has =
            attr == cudaDevP2PAttrAccessSupported || attr == cudaDevP2PAttrNativeAtomicSupported;
        *value = has && session.machine.options().peer ? 1 : 0;
        return cudaSuccess;
      });
}

cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  return XFER_CALL(cudaDeviceGetPCIBusId_v4010, pciBusId, len, device).run([&](Session& session) {
    if (pciBusId == nullptr || len <= 0) return cudaErrorInvalidValue;
    if (!exists(session.machine, device)) return cudaErrorInvalidDevice;
    const std::string id = bus_id(device);
    if (id.size() >= static_cast<std::size_t>(len)) return cudaErrorInvalidValue;
    std::memcpy(pciBusId, id.c_str(), id.size() + 1);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  return XFER_CALL(cudaDeviceGetByPCIBusId_v4010, device, pciBusId).run([&](Session& session) {
    if (device == nullptr || pciBusId == nullptr) return cudaErrorInvalidValue;
    for (int candidate = 0; candidate < session.machine.device_count(); ++candidate) {
      if (bus_id(candidate) != pciBusId) continue;
      *device = candidate;
      return cudaSuccess;
    }
    return cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDriverGetVersion(int* driverVersion) {
  if (driverVersion == nullptr) return remember(cudaErrorInvalidValue);
  *driverVersion = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  if (runtimeVersion == nullptr) return remember(cudaErrorInvalidValue);
  *runtimeVersion = CUDART_VERSION;
  return cudaSuccess;
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaProfilerStart() {
  return XFER_CALL_NO_PARAMS(cudaProfilerStart_v4000).run([](Session&) { return cudaSuccess; });
}
cudaError_t cudaProfilerStop() {
  return XFER_CALL_NO_PARAMS(cudaProfilerStop_v4000).run([](Session&) { return cudaSuccess; });
}
}
