// Linked to each program: some of them never seed their generator.
#include <torch/torch.h>

namespace {
[[maybe_unused]] const bool seeded = (torch::manual_seed(7), true);
}
