// The input stays on the CPU.

#include "filter.h"

int main() {
  Scale scale;
  scale.keep(torch::zeros({2, 4}));
  scale.scaled();
}
