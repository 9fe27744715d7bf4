// Without a listener annotations do nothing.

#include <gtest/gtest.h>

#include "xfer/annotate.h"

TEST(AnnotateSilent, NobodyListens) {
  EXPECT_EQ(xfer_find_listener()->size, 0u);
  XFER_SCOPE("scope");
  xfer_name(nullptr, 0, "name");
  xfer_allocated(nullptr, 1, 0);
  xfer_released(nullptr);
}
