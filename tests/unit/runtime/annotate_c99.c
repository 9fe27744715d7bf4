/* annotate.h is C as well. */
#include "xfer/annotate.h"

XFER_MODEL("requires: host") void annotate_c99(void);
void annotate_c99(void) {
  xfer_scope_begin("scope");
  xfer_name("", 0, "name");
  xfer_allocated("", 1, 0);
  xfer_released("");
  xfer_implicit_begin();
  xfer_implicit_end();
  xfer_scope_end();
  xfer_counters counters;
  if (xfer_read_counters(&counters) && counters.h2d_bytes != 0) xfer_name("", 0, "name");
}
