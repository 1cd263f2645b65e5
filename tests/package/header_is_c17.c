/* A public header alone, twice, as strict C17: it must need nothing before it and bear being included again. Compiled
 * once for each header; that it compiles is the test. */
#include HEADER_TO_TRY
#include HEADER_TO_TRY

int header_is_c17(void);
int header_is_c17(void) {
  return 0;
}
