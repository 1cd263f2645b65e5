/* The methods, for tests that run each of them. */
#ifndef GRAZE_TESTS_METHOD_NAMES_H
#define GRAZE_TESTS_METHOD_NAMES_H

#include "graze/names.h"

/* "auto", then the table's methods in its order; NULL past the end. */
static inline const char *method_name_at(size_t index) {
  return index == 0 ? "auto" : graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)index - 1);
}

static inline size_t method_name_count(void) {
  return 1 + graze_enumeration_count(GRAZE_ENUMERATION_METHOD);
}

#endif
