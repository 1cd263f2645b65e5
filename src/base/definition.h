/* Reads versioned structs of callers: their struct_bytes determine which fields are read over the defaults.
 *
 * A caller's struct may be shorter than the library's if the program is older; missing fields keep their defaults. It
 * may be longer if the program is newer; the unknown bytes must be zero, because the library cannot honour other
 * values. */
#ifndef GRAZE_BASE_DEFINITION_H
#define GRAZE_BASE_DEFINITION_H

#include "graze/graze.h"

typedef struct definition_kind {
  const char *what;   /* "the query" */
  const char *maker;  /* "graze_query_default()" */
  size_t first_bytes; /* of its first version, the shortest */
  size_t known_bytes; /* of the library's version */
  void (*init)(void *target, size_t bytes);
} definition_kind;

/* Fills target, of known_bytes, from the caller's struct; NULL means the default one if it is optional. */
graze_result definition_read(const definition_kind *kind, const void *given_or_null, bool optional, void *target);

/* The same for a struct that the library fills: returns how many bytes of it may be written. A size of 0, as in a
 * zeroed struct, means the first version. Returns 0 and sets a message if the size is invalid. */
size_t definition_capacity(const definition_kind *kind, size_t struct_bytes);

/* Fills a caller's list up to its size, which does not change. Writes nothing if the size is invalid. */
void definition_fill(const definition_kind *kind, void *target, const void *fields);

/* The same for a result that is not a list. A size of 0 is set to the bytes written, so 0 means that no call has filled
 * it. */
void definition_answer(const definition_kind *kind, void *target, const void *fields);

/* Implements every maker: zeros all of the caller's bytes, writes the defaults of fields that both know, and the
 * size. */
void definition_write(void *target, size_t bytes, const void *defaults, size_t known_bytes);

/* The bytes up to the end of a field: those of a first version that ended with it. */
#define BYTES_THROUGH(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* The maker of a struct, given the fields whose default is not zero. */
#define MAKER(type, ...)                                                                                               \
  void type##_init(void *target, size_t bytes) {                                                                       \
    const type defaults = {__VA_ARGS__};                                                                               \
    definition_write(target, bytes, &defaults, sizeof defaults);                                                       \
  }

/* The row of a struct. A field appended later changes only the default here. No struct may end in padding, which would
 * silently become a field. */
#define DEFINITION(name, type, last_field, words, maker_words)                                                         \
  _Static_assert(BYTES_THROUGH(type, last_field) % sizeof(void *) == 0, "a struct must not end in padding");           \
  const definition_kind name##_definition = {words, maker_words, BYTES_THROUGH(type, last_field), sizeof(type),        \
                                             type##_init}

/* The row of a struct that the library fills. It has no maker: a zeroed one is valid. */
#define ANSWER(name, type, last_field, words)                                                                          \
  _Static_assert(BYTES_THROUGH(type, last_field) % sizeof(void *) == 0, "an answer must not end in padding");          \
  const definition_kind name##_definition = {words, "{0}", BYTES_THROUGH(type, last_field), sizeof(type), NULL}

#endif
