#include "unit/kernels/matrix/kernel_text.h"

namespace xfer::kernels::testing {

std::string kernel(unsigned parameters, const std::string& declarations, const std::string& body) {
  std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(";
  for (unsigned i = 0; i < parameters; ++i)
    text += (i == 0 ? "" : ", ") + (".param .u64 q" + std::to_string(i));
  text += ")\n{\n.reg .b64 %p<" + std::to_string(parameters) +
          ">;\n.reg .b32 %lane;\n.reg .b64 %wide;\n" + declarations +
          "mov.u32 %lane, %tid.x;\ncvt.u64.u32 %wide, %lane;\n";
  for (unsigned i = 0; i < parameters; ++i) {
    const std::string n = std::to_string(i);
    text += "ld.param.u64 %p" + n + ", [q" + n + "];\n";
  }
  return text + body + "ret;\n}\n";
}

std::string registers(const std::string& name, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "%" : ", %") + (name + std::to_string(i));
  return text + "}";
}

}  // namespace xfer::kernels::testing
