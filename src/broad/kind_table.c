/* The names of kinds; see graze_kind_text. */
#include "broad/kind_table.h"

#define KIND_LISTED(...) +1
_Static_assert(KIND_COUNT == 0 GRAZE_KIND_LIST(KIND_LISTED), "each kind of graze.h has an entry in kind_table.h");
#undef KIND_LISTED

const char *graze_kind_text(graze_kind kind, size_t count) {
  switch (kind) {
#define KIND_CASE(name, value, one, many)                                                                              \
  case GRAZE_KIND_##name:                                                                                              \
    return count == 1 ? one : many;
    GRAZE_KIND_LIST(KIND_CASE)
#undef KIND_CASE
  }
  return "unknown kind";
}
