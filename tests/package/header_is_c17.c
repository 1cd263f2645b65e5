/* Includes one public header alone, twice, as strict C17: it must be self-contained and have an include guard. Compiled
 * once for each header; compiling is the test. */
#include HEADER_TO_TRY
#include HEADER_TO_TRY

int header_is_c17(void);
int header_is_c17(void) {
  return 0;
}
