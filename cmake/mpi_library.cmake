# Whether graze_mpi can be built: GRAZE_MPI_FOUND. It needs an MPI for C, Open MPI or MPICH, and is a static library beside a static
# libgraze whose symbols can be localized.
option(GRAZE_MPI "Build graze_mpi, which divides scenes over the ranks of MPI, where MPI is found" ${PROJECT_IS_TOP_LEVEL})
set(GRAZE_MPI_FOUND OFF)
if(GRAZE_MPI)
  find_package(MPI COMPONENTS C QUIET)
  if(NOT MPI_C_FOUND)
    message(STATUS "graze_mpi is left out: MPI was not found (Debian: libopenmpi-dev, openmpi-bin)")
  elseif(BUILD_SHARED_LIBS OR NOT GRAZE_LOCALIZED)
    message(STATUS "graze_mpi is left out: it needs a static libgraze with localized symbols")
  else()
    set(GRAZE_MPI_FOUND ON)
  endif()
endif()
