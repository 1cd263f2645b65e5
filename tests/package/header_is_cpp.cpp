/* Includes one public header alone, twice, as strict C++11. Compiled once for each header; compiling is the test. */
#include HEADER_TO_TRY
#include HEADER_TO_TRY

int header_is_cpp();
int header_is_cpp() {
  return 0;
}
