# Reads the machine code of a library into CODE_OUT, for scripts that include this; nothing, with a word about it, where there is
# no OBJDUMP to read it with.
function(read_machine_code library code_out)
  if(NOT OBJDUMP)
    message("skipped: there is no objdump to read machine code with")
    set(${code_out} "" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${OBJDUMP} -d --no-show-raw-insn ${library}
    OUTPUT_VARIABLE code ERROR_VARIABLE problem RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "objdump could not read ${library}: ${problem}")
  endif()
  string(LENGTH "${code}" code_length)
  if(code_length LESS 1000)
    message(FATAL_ERROR "there is no machine code in ${library}")
  endif()
  set(${code_out} "${code}" PARENT_SCOPE)
endfunction()
