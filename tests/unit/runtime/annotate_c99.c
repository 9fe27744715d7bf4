/* annotate.h is C as well. */
#include "xfer/annotate.h"

XFER_MODEL("requires: host") void annotate_c99(void);
void annotate_c99(void) {
  xfer_scope_begin("scope");
  xfer_name("", 0, "name");
  xfer_allocated("", 1, 0);
  xfer_released("");
  xfer_scope_end();
}
