/* Runs work on many files in threads. */
#ifndef GRAZE_FILE_CREW_H
#define GRAZE_FILE_CREW_H

#include "mesh_file_list.h"
#include "progress.h"

/* Processes one file with this number of threads. Called on several threads at once, once per file. */
typedef void (*file_task)(void *context, size_t file, uint32_t thread_count);

/* Runs the task for every file. Large files run one after the other with all threads, the others in parallel with one
 * thread each. 0 threads: one per processor. The assignment of files to threads is not determined. */
void file_crew_run(const mesh_file_list *files, uint32_t thread_count, file_task task, void *context, progress *steps);

#endif
