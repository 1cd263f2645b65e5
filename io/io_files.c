/* Reads and writes files: converts options of callers to those of mesh_io, and its failures to codes with a message. */
#include "base/error_text.h"
#include "base/float_environment.h"
#include "io/io_meshes.h"

#include "mesh_io/mesh_file.h"

/* The source: a file, or the bytes of one. */
typedef struct io_source {
  const char *name;
  const void *bytes; /* NULL: the file */
  size_t size;
} io_source;

static bool read_meshes(const io_source *source, const mesh_read_options *options, mesh **meshes_out, size_t *count_out,
                        char error[ERROR_TEXT_BYTES]) {
  const float_environment host = float_environment_enter();
  const bool done = source->bytes == NULL
                        ? mesh_file_read(source->name, options, meshes_out, count_out, error, ERROR_TEXT_BYTES)
                        : mesh_bytes_read(source->bytes, source->size, source->name, options, meshes_out, count_out,
                                          error, ERROR_TEXT_BYTES);
  float_environment_leave(&host);
  return done;
}

static graze_result read_source(const io_source *source, const graze_io_read_options *options_or_null,
                                graze_io_meshes **meshes_out) {
  graze_io_read_options given;
  io_memory memory;
  graze_io_meshes *list = NULL;
  graze_result result = definition_read(&io_read_options_definition, options_or_null, true, &given);
  if (result == GRAZE_OK) result = io_memory_start(&memory, given.allocator);
  if (result == GRAZE_OK) result = io_meshes_start(&memory, &list);
  if (result != GRAZE_OK) return result;
  const bool limited = given.element_limit != 0 && given.element_limit < MESH_ELEMENTS_MAX;
  const mesh_read_options options = {.separate = given.separate,
                                     .allow_large = given.allow_large,
                                     .allow_empty = given.allow_empty,
                                     .byte_limit = given.byte_limit,
                                     .element_limit = limited ? (size_t)given.element_limit : 0,
                                     .memory = io_memory_hook(&list->memory)};
  char error[ERROR_TEXT_BYTES];
  if (!read_meshes(source, &options, &list->meshes, &list->count, error)) {
    result = fail(io_memory_result(&list->memory), "%s", error);
    graze_io_meshes_destroy(list);
    return result;
  }
  list->capacity = list->count;
  *meshes_out = list;
  return GRAZE_OK;
}

graze_result graze_io_read_file(const char *path, const graze_io_read_options *options, graze_io_meshes **meshes_out) {
  if (meshes_out == NULL) return fail(GRAZE_INVALID_ARGUMENT, "meshes_out is NULL");
  *meshes_out = NULL;
  if (path == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the path is NULL");
  return read_source(&(io_source){path, NULL, 0}, options, meshes_out);
}

graze_result graze_io_read_memory(const void *bytes, size_t size, const char *name,
                                  const graze_io_read_options *options, graze_io_meshes **meshes_out) {
  if (meshes_out == NULL) return fail(GRAZE_INVALID_ARGUMENT, "meshes_out is NULL");
  *meshes_out = NULL;
  if (bytes == NULL && size > 0)
    return fail(GRAZE_INVALID_ARGUMENT, "the bytes are NULL, but their number is %zu", size);
  const char *words = name == NULL ? "memory" : name;
  return read_source(&(io_source){words, bytes == NULL ? "" : bytes, size}, options, meshes_out);
}

graze_result graze_io_write_file(const char *path, const graze_io_meshes *meshes,
                                 const graze_io_write_options *options_or_null) {
  graze_io_write_options given;
  io_memory memory;
  if (path == NULL || meshes == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the path or the list of meshes is NULL");
  graze_result result = definition_read(&io_write_options_definition, options_or_null, true, &given);
  if (result == GRAZE_OK) result = io_memory_start(&memory, given.allocator);
  if (result != GRAZE_OK) return result;
  const mesh_write_options options = {.text = given.text, .memory = io_memory_hook(&memory)};
  char error[ERROR_TEXT_BYTES];
  const float_environment host = float_environment_enter();
  const bool done = mesh_file_write(path, meshes->meshes, meshes->count, &options, error, sizeof error);
  float_environment_leave(&host);
  return done ? GRAZE_OK : fail(io_memory_result(&memory), "%s", error);
}

const char *graze_io_error_text(void) {
  return error_text();
}
