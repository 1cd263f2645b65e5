/* Tools of the mesh_io tests; files are small, so speed does not matter. */
#include "reading_tools.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *reallocate_counted(void *context, void *memory, size_t bytes) {
  counted_memory *counted = context;
  if (bytes == 0) {
    counted->live -= memory != NULL;
    free(memory);
    return NULL;
  }
  if (bytes > counted->largest) counted->largest = bytes;
  if (++counted->calls == counted->fail_at) return NULL;
  void *block = realloc(memory, bytes);
  counted->live += block && !memory;
  return block;
}

mesh_memory counted_memory_hook(counted_memory *memory) {
  return (mesh_memory){memory, reallocate_counted};
}

static reading_result read_with(mesh_reader *reader, const char *bytes, size_t size, bool separate, size_t limit) {
  reading_result result = {0};
  char *copy = calloc(1, size + MESH_PADDING_BYTES);
  if (!copy) abort();
  memcpy(copy, bytes, size);
  const mesh_reading reading = {.bytes = copy,
                                .size = size,
                                .file_name = "file",
                                .separate = separate,
                                .element_limit = limit,
                                .memory = mesh_memory_or_default((mesh_memory){0}),
                                .error = result.error,
                                .error_bytes = sizeof result.error};
  result.done = reader(&reading, &result.meshes, &result.mesh_count);
  free(copy);
  return result;
}

reading_result read_bytes(mesh_reader *reader, const char *bytes, size_t size, bool separate) {
  return read_with(reader, bytes, size, separate, MESH_ELEMENTS_MAX);
}

reading_result read_limited(mesh_reader *reader, const char *bytes, size_t size, size_t element_limit) {
  return read_with(reader, bytes, size, false, element_limit);
}

void free_result(reading_result *result) {
  mesh_list_free(result->meshes, result->mesh_count);
  *result = (reading_result){0};
}

/* The initial folder of the test. */
static int home = -1;

int enter_scratch_folder(void **state) {
  enum { PATH_BYTES = 1024 };
  const char *parent = getenv("TMPDIR");
  char *folder = malloc(PATH_BYTES);
  *state = folder;
  if (folder == NULL) return -1;
  snprintf(folder, PATH_BYTES, "%s/mesh_io_scratch_XXXXXX", parent != NULL && *parent != '\0' ? parent : "/tmp");
  home = open(".", O_RDONLY | O_DIRECTORY);
  return home >= 0 && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int leave_scratch_folder(void **state) {
  DIR *folder = opendir(".");
  if (!folder) return -1;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] != '.') remove(entry->d_name);
  }
  closedir(folder);
  const int left = fchdir(home) == 0 ? rmdir(*state) : -1;
  close(home);
  free(*state);
  return left;
}

void write_bytes(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

uint64_t next_random(uint64_t *state) {
  uint64_t value = *state += 0x9E3779B97F4A7C15u;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
  value = (value ^ value >> 27) * 0x94D049BB133111EBu;
  return value ^ value >> 31;
}
