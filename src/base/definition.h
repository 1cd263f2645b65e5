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
  size_t first_bytes; /* of its first version: none is shorter */
  size_t known_bytes; /* of the library's */
  void (*init)(void *target, size_t bytes);
} definition_kind;

/* Fills target, of known_bytes, from the caller's struct; NULL means the default one where it may be left out. */
graze_result definition_read(const definition_kind *kind, const void *given_or_null, bool optional, void *target);

/* The same for a struct that the library fills: how many bytes of it may be written. A size of 0, as in a zeroed
 * struct, stands for the first version. 0, and a message, where the size cannot be. */
size_t definition_room(const definition_kind *kind, size_t struct_bytes);

/* Fills a caller's list as far as it reaches; its size stays. Nothing is written where the size cannot be. */
void definition_fill(const definition_kind *kind, void *target, const void *fields);

/* The same for an answer that is no list. A size of 0 becomes that of the bytes written: 0 says that no call filled it.
 */
void definition_answer(const definition_kind *kind, void *target, const void *fields);

/* What every maker does: zeros in all of the caller's bytes, the defaults over those that both know, and the size. */
void definition_write(void *target, size_t bytes, const void *defaults, size_t known_bytes);

/* The bytes up to the end of a field: of a first version that ended with it. */
#define BYTES_THROUGH(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* The maker of a struct, by the fields of which the default is not zero. */
#define MAKER(type, ...)                                                                                               \
  void type##_init(void *target, size_t bytes) {                                                                       \
    const type defaults = {__VA_ARGS__};                                                                               \
    definition_write(target, bytes, &defaults, sizeof defaults);                                                       \
  }

/* Its row. A field that is appended later changes nothing here but its default. No struct may end in padding, which
 * would become a field unseen. */
#define DEFINITION(name, type, last_field, words, maker_words)                                                         \
  _Static_assert(BYTES_THROUGH(type, last_field) % sizeof(void *) == 0, "a struct must not end in padding");           \
  const definition_kind name##_definition = {words, maker_words, BYTES_THROUGH(type, last_field), sizeof(type),        \
                                             type##_init}

/* The row of a struct that the library fills. It has no maker: a zeroed one will do. */
#define ANSWER(name, type, last_field, words)                                                                          \
  _Static_assert(BYTES_THROUGH(type, last_field) % sizeof(void *) == 0, "an answer must not end in padding");          \
  const definition_kind name##_definition = {words, "{0}", BYTES_THROUGH(type, last_field), sizeof(type), NULL}

#endif
