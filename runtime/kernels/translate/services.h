#pragma once
// Calls of Services in LLVM's modules. Translated code calls a function for each of them, which
// gets a body when it is known how the code will run.

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <optional>

namespace xfer::kernels {

/// The function that stands for the service at that offset of Services.
llvm::Function* service_function(llvm::Module& module, std::size_t offset,
                                 llvm::FunctionType* type);
/// The service that a function stands for, by its offset; nothing: none.
std::optional<std::size_t> service_of(const llvm::Function& function);
/// The function that makes a pointer of a number: the memory of a device has other addresses here.
llvm::Function* reach_function(llvm::Module& module);
bool is_reach(const llvm::Value* value);

/// The function to which a thread comes in each turn of a loop that may wait for others:
/// turn(thread) asks for Services::yield when the thread's patience is at its end.
llvm::Function* turn_function(llvm::Module& module);
bool is_turn(const llvm::Value* value);

/// The number of an address where device memory lies `span` higher than the program knows it.
llvm::Value* reached(llvm::IRBuilderBase& ir, llvm::Value* address, llvm::Value* base,
                     llvm::Value* span);

/// Makes plain accesses of atomics in the memory of a block, whose threads never run at once.
void lower_block_atomics(llvm::Module& module);

/// Gives all of them bodies that call what the thread's block has.
void define_services(llvm::Module& module);

}  // namespace xfer::kernels
