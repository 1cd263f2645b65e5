/* Tests the example of a kind: with segments in the table, each call answers every kind or refuses it by name. */
#include "../scene/test_kind_calls.c"

_Static_assert((int)KIND_COUNT == (int)GRAZE_KIND_SEGMENT + 1, "the test includes the changed headers");
