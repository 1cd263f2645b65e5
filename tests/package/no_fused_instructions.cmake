# Searches the machine code of the library for fused multiply-adds. No file option, function attribute or intrinsic may introduce
# one: the bounds of src/geometry and the equality of all SIMD paths depend on this.
#
# cmake -D OBJDUMP=... -D LIBRARY=... -P no_fused_instructions.cmake
include(${CMAKE_CURRENT_LIST_DIR}/machine_code.cmake)
read_machine_code(${LIBRARY} code)
if(NOT code)
  return()
endif()
# ARM: fmadd fmsub fnmadd fnmsub (scalar), fmla fmls (vector), each followed by its operands; x86: vfmadd132pd etc.
string(REGEX MATCH "[ \t](fn?madd|fn?msub|fml[as]|fml[as]l2?|vfn?m(add|sub)[a-z0-9]+)[ \t][^\n]*" fused "${code}")
if(fused)
  message(FATAL_ERROR "the library contains a fused multiply-add: ${fused}")
endif()
message("no fused multiply-add in ${LIBRARY}")
