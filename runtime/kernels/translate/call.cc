// Calls: of functions of the module, of what a device brings along (printf, malloc), through
// pointers; and what ends a kernel.

#include <llvm/IR/Constants.h>

#include "kernels/frame.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

using ptx::Operand;

/// `call (result), function, (arguments), prototype`, without what is not there.
struct Call {
  std::vector<Operand> results, arguments;
  Operand callee;
  std::string_view prototype;
};

Call call_of(const Form& form) {
  Call call;
  std::size_t n = 0;
  if (form.operand(0).is(Operand::Kind::kList)) call.results = form.operand(n++).parts;
  call.callee = form.operand(n++);
  if (n < form.operand_count() && form.operand(n).is(Operand::Kind::kList))
    call.arguments = form.operand(n++).parts;
  if (n < form.operand_count()) call.prototype = form.operand(n).name;
  return call;
}

/// The memory of an argument: a .param variable, or a value that gets memory here.
llvm::Value* memory_of(Emitter& e, const Form& form, const Operand& argument) {
  if (argument.is(Operand::Kind::kSymbol))
    if (llvm::Value* place = e.parameter(argument.name)) return place;
  if (!argument.is(Operand::Kind::kRegister) && !argument.is(Operand::Kind::kInteger))
    form.refuse("passes what cannot be passed");
  const unsigned bits =
      argument.is(Operand::Kind::kRegister) ? unsigned{e.body().registers[argument.reg].bits} : 64;
  llvm::Value* place = e.scratch(e.integer(bits < 8 ? 8 : bits));
  e.ir().CreateStore(e.read(argument, bits < 8 ? 8 : bits), place);
  return place;
}

/// Results that are registers are filled from memory behind the call.
class Results {
 public:
  Results(Emitter& e, const Form& form, const std::vector<Operand>& results) : e_(e) {
    for (const Operand& result : results) {
      places_.push_back(memory_of(e, form, result));
      if (result.is(Operand::Kind::kRegister)) registers_.push_back({result, places_.back()});
    }
  }
  const std::vector<llvm::Value*>& places() const { return places_; }
  void fill() {
    for (const auto& [result, place] : registers_) {
      const unsigned bits = e_.body().registers[result.reg].bits;
      e_.write(result, e_.ir().CreateLoad(e_.integer(bits < 8 ? 8 : bits), place));
    }
  }

 private:
  Emitter& e_;
  std::vector<llvm::Value*> places_;
  std::vector<std::pair<Operand, llvm::Value*>> registers_;
};

/// A function that every device has. False: it is none of them.
bool emit_builtin(Emitter& e, const Form& form, const Call& call) {
  auto& ir = e.ir();
  llvm::Type* word = e.integer(32);
  llvm::Type* address = e.integer(64);
  const auto argument = [&](std::size_t n, llvm::Type* type) -> llvm::Value* {
    if (n >= call.arguments.size()) form.refuse("lacks an argument");
    return ir.CreateAlignedLoad(type, memory_of(e, form, call.arguments[n]), llvm::Align(1));
  };
  const auto give = [&](llvm::Value* value) {
    if (!call.results.empty()) {
      Results results(e, form, call.results);
      ir.CreateAlignedStore(value, results.places()[0], llvm::Align(1));
      results.fill();
    }
  };
  const std::string_view name = call.callee.name;
  if (name == "vprintf") {
    give(e.service(offsetof(Services, print), word, {argument(0, address), argument(1, address)}));
  } else if (name == "malloc") {
    give(e.service(offsetof(Services, allocate), address, {argument(0, address)}));
  } else if (name == "free") {
    e.service(offsetof(Services, release), ir.getVoidTy(), {argument(0, address)});
  } else if (name == "__assertfail") {
    e.waiting_service(
        offsetof(Services, fail_assertion), ir.getVoidTy(),
        {argument(0, address), argument(1, address), argument(2, word), argument(3, address)});
  } else {
    return false;
  }
  return true;
}

void emit_direct(Emitter& e, const Form& form, const Call& call) {
  const Definition callee = e.unit().source().function(e.home(), call.callee.name);
  if (!callee)
    throw ptx::Fault(form.instruction().line, "no module of the program has the function `" +
                                                  std::string(call.callee.name) + "`");
  llvm::Function* function = e.unit().function(callee);
  std::vector<llvm::Value*> arguments{e.thread()};
  for (const Operand& argument : call.arguments) arguments.push_back(memory_of(e, form, argument));
  Results results(e, form, call.results);
  arguments.insert(arguments.end(), results.places().begin(), results.places().end());
  if (arguments.size() != function->arg_size()) form.refuse("passes other arguments than it takes");
  e.go_on_unless(e.ir().CreateCall(function, arguments));
  results.fill();
}

/// The address of a function is its number in a table.
void emit_indirect(Emitter& e, const Form& form, const Call& call) {
  auto& ir = e.ir();
  llvm::GlobalVariable* table = e.unit().function_table();
  const auto entries = llvm::cast<llvm::ArrayType>(table->getValueType())->getNumElements();
  llvm::Value* number = e.read(call.callee, 64);
  number =
      ir.CreateSelect(ir.CreateICmpULT(number, e.constant(64, entries)), number, e.constant(64, 0));
  llvm::Value* target = ir.CreateLoad(
      ir.getPtrTy(), ir.CreateGEP(table->getValueType(), table, {e.constant(64, 0), number}));
  e.trap_if(ir.CreateIsNull(target));
  std::vector<llvm::Value*> arguments{e.thread()};
  for (const Operand& argument : call.arguments) arguments.push_back(memory_of(e, form, argument));
  Results results(e, form, call.results);
  arguments.insert(arguments.end(), results.places().begin(), results.places().end());
  const std::vector<llvm::Type*> types(arguments.size(), ir.getPtrTy());
  e.unit().note_wait();
  e.go_on_unless(
      ir.CreateCall(llvm::FunctionType::get(ir.getInt1Ty(), types, false), target, arguments));
  results.fill();
}

}  // namespace

void emit_call(Emitter& e, const Form& form) {
  const Call call = call_of(form);
  if (call.callee.is(Operand::Kind::kRegister)) return emit_indirect(e, form, call);
  if (!emit_builtin(e, form, call)) emit_direct(e, form, call);
}

void emit_trap(Emitter& e, const Form&) {
  e.waiting_service(offsetof(Services, trap), e.ir().getVoidTy(), {});
}

void emit_nanosleep(Emitter& e, const Form& form) {
  e.waiting_service(offsetof(Services, sleep), e.ir().getVoidTy(), {e.read(form.operand(0), 32)});
}

}  // namespace xfer::kernels
