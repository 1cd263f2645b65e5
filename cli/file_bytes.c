/* Reads whole files. Memory grows with the bytes that are read; the declared size of a file is not used. */
#include "file_bytes.h"

#include "complaint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 1 << 16 };

/* Reads one byte more than `most`, to detect larger files. */
static char *read_stream(FILE *stream, size_t most, size_t *size_out) {
  size_t size = 0, capacity = most < FIRST_BYTES ? most + 2 : FIRST_BYTES;
  char *bytes = malloc(capacity);
  while (bytes != NULL) {
    const size_t wanted = capacity - 1 - size, got = fread(bytes + size, 1, wanted, stream);
    size += got;
    if (got < wanted || size > most) break;
    capacity = capacity > most / 2 ? most + 2 : 2 * capacity;
    char *more = realloc(bytes, capacity);
    if (more == NULL) free(bytes);
    bytes = more;
  }
  if (bytes != NULL) bytes[size] = '\0';
  *size_out = size;
  return bytes;
}

/* Opening a pipe would wait for a writer. */
static FILE *open_stream(const char *path, bool only_regular) {
  struct stat about;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | (only_regular ? O_NONBLOCK : 0));
  const bool is_open = descriptor >= 0 && fstat(descriptor, &about) == 0;
  const bool is_refused = is_open && only_regular && !S_ISREG(about.st_mode);
  FILE *stream = is_open && !is_refused ? fdopen(descriptor, "rb") : NULL;
  if (stream == NULL) complain("%s: %s", path, is_refused ? "not a regular file" : strerror(errno));
  if (stream == NULL && descriptor >= 0) close(descriptor);
  return stream;
}

char *file_bytes_read(const char *path, bool only_regular, size_t most, const char *words, size_t *size_out) {
  FILE *stream = open_stream(path, only_regular);
  if (stream == NULL) return NULL;
  char *bytes = read_stream(stream, most, size_out);
  if (bytes == NULL) {
    complain("%s: out of memory", path);
  } else if (ferror(stream)) {
    complain("%s: %s", path, strerror(errno));
  } else if (*size_out > most) {
    complain("%s: too large for %s: it has more than %zu MB", path, words, most >> 20);
  } else {
    fclose(stream);
    return bytes;
  }
  free(bytes);
  fclose(stream);
  return NULL;
}
