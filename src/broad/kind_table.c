/* The names of kinds; see graze_kind_text. */
#include "graze/graze.h"

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
