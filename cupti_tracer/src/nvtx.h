#pragma once
// Ranges that a program marks by NVTX are scopes, as those of xfer/annotate.h are. NVTX version 3
// is in the program itself, as headers, and asks the library that NVTX_INJECTION64_PATH names, once
// for each part of the program that has it. Marks, categories and payloads are not wanted.
//
// A pushed range is a scope of its thread, until it is popped; the domains of a thread do not nest
// in each other. A range that is started is a scope of the thread that started it, until any thread
// ends it. Thread-safe.

namespace xfer::tracer {

/// What InitializeInjectionNvtx2 is called with: NVTX's NvtxGetExportTableFunc_t.
using NvtxTables = const void* (*)(unsigned table);

/// 1: the ranges of that part are taken. 0: they are not: it is a library of CUDA's, whose ranges
/// the program does not know, or an NVTX that is not understood.
int take_nvtx(NvtxTables tables) noexcept;

}  // namespace xfer::tracer
