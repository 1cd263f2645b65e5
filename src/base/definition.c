/* Sizes are checked first, because a caller that forgot to set one passes an arbitrary number. */
#include "base/definition.h"

#include "base/error_text.h"

#include <string.h>

/* No caller's struct is that long: a larger size is an error. */
#define MOST_BYTES ((size_t)1 << 16)

static graze_result fail_size(const definition_kind *kind, size_t bytes) {
  return fail(GRAZE_INVALID_ARGUMENT, "struct_bytes of %s is %zu, but must be at least %zu: initialize it with %s",
              kind->what, bytes, kind->first_bytes, kind->maker);
}

graze_result definition_read(const definition_kind *kind, const void *given_or_null, bool optional, void *target) {
  kind->init(target, kind->known_bytes);
  if (given_or_null == NULL)
    return optional ? GRAZE_OK
                    : fail(GRAZE_INVALID_ARGUMENT, "%s is NULL: initialize it with %s", kind->what, kind->maker);
  size_t bytes;
  memcpy(&bytes, given_or_null, sizeof bytes);
  if (bytes < kind->first_bytes || bytes > MOST_BYTES) return fail_size(kind, bytes);
  const unsigned char *given = given_or_null;
  for (size_t i = kind->known_bytes; i < bytes; i++)
    if (given[i] != 0)
      return fail(GRAZE_UNSUPPORTED,
                  "byte %zu of %s is not 0, but this version, " GRAZE_VERSION_TEXT ", knows %zu bytes of it", i,
                  kind->what, kind->known_bytes);
  memcpy(target, given, bytes < kind->known_bytes ? bytes : kind->known_bytes);
  memcpy(target, &kind->known_bytes, sizeof kind->known_bytes);
  return GRAZE_OK;
}

size_t definition_capacity(const definition_kind *kind, size_t struct_bytes) {
  if (struct_bytes == 0) return kind->first_bytes;
  if (struct_bytes < kind->first_bytes || struct_bytes > MOST_BYTES) {
    fail_size(kind, struct_bytes);
    return 0;
  }
  return struct_bytes < kind->known_bytes ? struct_bytes : kind->known_bytes;
}

void definition_write(void *target, size_t bytes, const void *defaults, size_t known_bytes) {
  if (target == NULL || bytes < sizeof bytes) return;
  memset(target, 0, bytes);
  memcpy(target, defaults, bytes < known_bytes ? bytes : known_bytes);
  memcpy(target, &bytes, sizeof bytes);
}

void definition_fill(const definition_kind *kind, void *target, const void *fields) {
  size_t struct_bytes;
  memcpy(&struct_bytes, target, sizeof struct_bytes);
  const size_t room = definition_capacity(kind, struct_bytes);
  if (room == 0) return;
  memcpy(target, fields, room);
  memcpy(target, &struct_bytes, sizeof struct_bytes);
}

void definition_answer(const definition_kind *kind, void *target, const void *fields) {
  definition_fill(kind, target, fields);
  size_t struct_bytes;
  memcpy(&struct_bytes, target, sizeof struct_bytes);
  if (struct_bytes == 0) memcpy(target, &kind->first_bytes, sizeof kind->first_bytes);
}
