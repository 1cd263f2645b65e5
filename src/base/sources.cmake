set(GRAZE_BASE_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/answer_list.c
  ${CMAKE_CURRENT_LIST_DIR}/array.c
  ${CMAKE_CURRENT_LIST_DIR}/memory.c
  ${CMAKE_CURRENT_LIST_DIR}/definition.c
  ${CMAKE_CURRENT_LIST_DIR}/error_text.c
  ${CMAKE_CURRENT_LIST_DIR}/first_of_key.c
  ${CMAKE_CURRENT_LIST_DIR}/kept_memory.c
  ${CMAKE_CURRENT_LIST_DIR}/number_heap.c
  ${CMAKE_CURRENT_LIST_DIR}/pair_list.c
  ${CMAKE_CURRENT_LIST_DIR}/pair_order.c
  ${CMAKE_CURRENT_LIST_DIR}/pair_set.c
  ${CMAKE_CURRENT_LIST_DIR}/prefix_sum.c
  ${CMAKE_CURRENT_LIST_DIR}/processor_count.c
  ${CMAKE_CURRENT_LIST_DIR}/radix_sort.c
  ${CMAKE_CURRENT_LIST_DIR}/scratch_pool.c
  ${CMAKE_CURRENT_LIST_DIR}/stop_check.c
  ${CMAKE_CURRENT_LIST_DIR}/view.c
  ${CMAKE_CURRENT_LIST_DIR}/workers.c)
if(DEFINED GRAZE_THREADS AND NOT GRAZE_THREADS)
  list(APPEND GRAZE_BASE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/workers_serial.c)
else()
  list(APPEND GRAZE_BASE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/workers_pthreads.c)
endif()
