#pragma once
// The shapes of calls that make and change graphs which can be launched, after call_shapes.h.

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <type_traits>

#include "call_shapes.h"

namespace xfer::tracer::shapes {

/// A node's parameters where a call of its own would have them.
template <typename Copy>
struct CopyParams {
  const Copy* p;
  const Copy* pCopy = p;
};

template <typename P>
void fill(const P& p, ApiCall& call) {
  call.op = Op::kSet;
  CopyCall& t = call.transfer;
  t.destination = {.address = address_of(p.dst), .pitch = p.pitch, .side = Side::kDevice};
  t.width = p.width * p.elementSize;
  t.rows = p.height;
}

template <typename P>
void kernel(const P& p, ApiCall& call) {
  LaunchCall& l = call.launch;
  l.function = reinterpret_cast<const void*>(p.func);
  if constexpr (std::is_same_v<decltype(p.func), CUfunction>)
    l.handle = LaunchCall::Handle::kFunction;
  if constexpr (requires { p.kern; })
    if (p.func == nullptr) {
      l.function = p.kern;
      l.handle = LaunchCall::Handle::kKernel;
    }
  l.arguments = p.kernelParams;
  l.is_packed = p.extra != nullptr;
}

template <typename P>
void graph_field(const P& p, ApiCall& call) {
  if constexpr (requires { p.graphExec; }) call.graph = address_of(p.graphExec);
  if constexpr (requires { p.hGraphExec; }) call.graph = address_of(p.hGraphExec);
  if constexpr (requires { p.node; }) call.node = address_of(p.node);
  if constexpr (requires { p.hNode; }) call.node = address_of(p.hNode);
}

template <typename P>
void graph_launch(const P& p, ApiCall& call) {
  call.op = Op::kGraphLaunch;
  graph_field(p, call);
  stream(p, call);
}
template <typename P>
void graph_made(const P& p, ApiCall& call) {
  call.op = Op::kGraphMade;
  if constexpr (requires { p.pGraphExec; }) call.out = p.pGraphExec;
  if constexpr (requires { p.phGraphExec; }) call.out = p.phGraphExec;
  if constexpr (requires { p.graph; }) call.from = address_of(p.graph);
  if constexpr (requires { p.hGraph; }) call.from = address_of(p.hGraph);
}
template <typename P>
void graph_updated(const P& p, ApiCall& call) {
  graph_field(p, call);
  call.op = Op::kGraphUpdated;
  call.from = address_of(p.hGraph);
}
template <typename P>
void graph_gone(const P& p, ApiCall& call) {
  graph_field(p, call);
  call.op = Op::kGraphGone;
}

/// A pointer to the new parameters of a node, or null.
template <typename P>
auto node_parameters(const P& p) {
  if constexpr (requires { p.pNodeParams; })
    return p.pNodeParams;
  else if constexpr (requires { p.copyParams; })
    return p.copyParams;
  else if constexpr (requires { p.memsetParams; })
    return p.memsetParams;
  else
    return p.nodeParams;
}
/// After the parameters were read.
template <typename P>
void node_set(const P& p, NodeKind kind, ApiCall& call) {
  graph_field(p, call);
  call.op = Op::kGraphNodeSet;
  call.node_kind = kind;
}

/// cudaGraphExecMemcpyNodeSetParams1D, ToSymbol, FromSymbol.
template <typename P>
void node_copy(const P& p, ApiCall& call) {
  copy(p, call);
  node_set(p, NodeKind::kCopy, call);
}
inline void copy_box(const cudaMemcpy3DParms* box, ApiCall& call) {
  copy_3d(CopyParams<cudaMemcpy3DParms>{box}, call);
  call.node_kind = call.op == Op::kCopy ? NodeKind::kCopy : NodeKind::kUnknown;
}
inline void copy_box(const CUDA_MEMCPY3D* box, ApiCall& call) {
  copy_driver(CopyParams<CUDA_MEMCPY3D>{box}, call);
  call.node_kind = NodeKind::kCopy;
}
/// cudaGraphExecMemcpyNodeSetParams, cuGraphExecMemcpyNodeSetParams.
template <typename P>
void node_copy_box(const P& p, ApiCall& call) {
  copy_box(node_parameters(p), call);
  node_set(p, call.node_kind, call);
}
template <typename P>
void node_fill(const P& p, ApiCall& call) {
  if (const auto* const parameters = node_parameters(p)) fill(*parameters, call);
  node_set(p, NodeKind::kFill, call);
}
template <typename P>
void node_kernel(const P& p, ApiCall& call) {
  if (const auto* const parameters = node_parameters(p)) kernel(*parameters, call);
  node_set(p, NodeKind::kKernel, call);
}
/// cudaGraphExecNodeSetParams, cuGraphExecNodeSetParams.
template <typename P>
void node_any(const P& p, ApiCall& call) {
  graph_gone(p, call);  // where the node's kind is another
  if (p.nodeParams == nullptr) return;
  const auto& node = *p.nodeParams;
  switch (static_cast<int>(node.type)) {
    case cudaGraphNodeTypeMemcpy: copy_box(&node.memcpy.copyParams, call); break;
    case cudaGraphNodeTypeMemset:
      fill(node.memset, call);
      call.node_kind = NodeKind::kFill;
      break;
    case cudaGraphNodeTypeKernel:
      kernel(node.kernel, call);
      call.node_kind = NodeKind::kKernel;
      break;
    default: return;
  }
  call.op = Op::kGraphNodeSet;
}
template <typename P>
void node_on_off(const P& p, ApiCall& call) {
  graph_field(p, call);
  call.op = Op::kGraphNodeOnOff;
  call.enabled = p.isEnabled != 0;
}

}  // namespace xfer::tracer::shapes
