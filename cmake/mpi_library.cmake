# Sets GRAZE_MPI_FOUND if graze_mpi can be built. It requires an MPI for C, Open MPI or MPICH, and a static libgraze with localized
# symbols; it is a static library itself.
option(GRAZE_MPI "Build graze_mpi, which divides scenes over MPI ranks, if MPI is found" ${PROJECT_IS_TOP_LEVEL})
set(GRAZE_MPI_FOUND OFF)
if(GRAZE_MPI)
  find_package(MPI COMPONENTS C QUIET)
  if(NOT MPI_C_FOUND)
    message(STATUS "Skipping graze_mpi: MPI was not found (Debian: libopenmpi-dev, openmpi-bin)")
  elseif(BUILD_SHARED_LIBS OR NOT GRAZE_LOCALIZED)
    message(STATUS "Skipping graze_mpi: it requires a static libgraze with localized symbols")
  else()
    set(GRAZE_MPI_FOUND ON)
  endif()
endif()
