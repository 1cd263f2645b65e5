/* Reads blocks of files; see range_file.h. */
#include "mesh_ranges/range_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool range_file_open(range_file *file, const char *path) {
  *file = (range_file){0};
  const int opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* does not wait for a pipe */
  struct stat status;
  if (opened < 0) return false;
  if (fstat(opened, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    *file = (range_file){true, opened, (uint64_t)status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  else
    close(opened);
  return file->is_open;
}

void range_file_close(range_file *file) {
  if (file->is_open) close(file->descriptor);
  *file = (range_file){0};
}

graze_result range_file_read(const range_file *file, uint64_t first, size_t size, void *bytes_out,
                             char trouble_out[RANGE_TROUBLE_BYTES]) {
  unsigned char *to = bytes_out;
  for (size_t done = 0; done < size;) {
    const ssize_t count = pread(file->descriptor, to + done, size - done, (off_t)(first + done));
    if (count > 0) {
      done += (size_t)count;
    } else if (count == 0) {
      snprintf(trouble_out, RANGE_TROUBLE_BYTES, "the file has changed: it had %llu bytes and now ends at byte %llu",
               (unsigned long long)file->size, (unsigned long long)(first + done));
      return GRAZE_FILE_FAILED;
    } else if (errno != EINTR) {
      snprintf(trouble_out, RANGE_TROUBLE_BYTES, "cannot be read at byte %llu: %s", (unsigned long long)(first + done),
               strerror(errno));
      return GRAZE_FILE_FAILED;
    }
  }
  return GRAZE_OK;
}

graze_result range_file_check(const range_file *file, char trouble_out[RANGE_TROUBLE_BYTES]) {
  struct stat status;
  if (fstat(file->descriptor, &status) == 0 && (uint64_t)status.st_size == file->size &&
      status.st_mtim.tv_sec == file->modified_seconds && status.st_mtim.tv_nsec == file->modified_nanoseconds)
    return GRAZE_OK;
  snprintf(trouble_out, RANGE_TROUBLE_BYTES, "the file has changed while it was read");
  return GRAZE_FILE_FAILED;
}
