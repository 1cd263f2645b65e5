/* Work on many files by threads. */
#ifndef GRAZE_FILE_CREW_H
#define GRAZE_FILE_CREW_H

#include "mesh_file_list.h"
#include "progress.h"

/* Works on one file, with so many threads of its own. Called on several threads at once, once for each file. */
typedef void (*file_task)(void *context, size_t file, uint32_t thread_count);

/* Runs the task for every file. Large files run one after the other with all threads, the others side by side with one
 * thread each. 0 threads: one for each processor. Which thread takes which file is not determined. */
void file_crew_run(const mesh_file_list *files, uint32_t thread_count, file_task task, void *context, progress *steps);

#endif
