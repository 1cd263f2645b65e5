/* Records of the tool: rows of structs as members of JSON objects and as lines of CSV, by one table of columns. */
#ifndef GRAZE_RECORD_COLUMNS_H
#define GRAZE_RECORD_COLUMNS_H

#include "json_writer.h"

#include "graze/graze.h"

#include <stddef.h>

/* The version of the schemas in docs/schema. It increases when a member is removed or renamed, or changes its type or
 * meaning. A new member does not change it, but must be added to the schema: docs/reference/records.md. */
enum { RECORD_SCHEMA_VERSION = 1 };

/* The type of a value, and how it is written. A text that is NULL, and a value that is not found, is an empty cell of
 * CSV and no member of JSON. */
typedef enum column_kind {
  COLUMN_U32,
  COLUMN_U64,
  COLUMN_BOOL,   /* in CSV: yes or no */
  COLUMN_FLAG32, /* uint32_t or uint64_t, written like a bool */
  COLUMN_FLAG64,
  COLUMN_TEXT,   /* const char * */
  COLUMN_HASH,   /* uint64_t, as 16 hexadecimal digits */
  COLUMN_REAL,   /* double with 17 digits, which read back as the same double */
  COLUMN_SHORT,  /* double with 6 digits in CSV */
  COLUMN_TIME,   /* double with 4 decimal places */
  COLUMN_VECTOR, /* double[3]: an array; in CSV three cells NAME_x, NAME_y, NAME_z */
  COLUMN_SERIES  /* a column_series of times: an array; in CSV a cell with blanks between */
} column_kind;

typedef struct column_series {
  const double *first;
  size_t count, stride; /* in bytes */
} column_series;

/* A value that is computed: false if the row has none. */
typedef bool column_finder(const void *row, void *value_out);

typedef struct record_column {
  const char *name;
  column_kind kind;
  size_t offset;       /* of the value in the row, unless */
  column_finder *find; /* this is not NULL */
  unsigned needs;      /* it is written if all these bits are wanted */
} record_column;

/* Bits of `needs`; other bits belong to the table. */
enum { COLUMN_JSON = 1, COLUMN_CSV = 2, COLUMN_OTHER = 4 };

/* The kind of a member by its type. */
#define COLUMN_KIND(type, member)                                                                                      \
  _Generic(((type *)NULL)->member, unsigned                                                                            \
           : COLUMN_U32, unsigned long                                                                                 \
           : sizeof(unsigned long) == 8 ? COLUMN_U64 : COLUMN_U32, unsigned long long                                  \
           : COLUMN_U64, bool                                                                                          \
           : COLUMN_BOOL, double                                                                                       \
           : COLUMN_REAL, double *                                                                                     \
           : COLUMN_VECTOR, char *                                                                                     \
           : COLUMN_TEXT, const char *                                                                                 \
           : COLUMN_TEXT)

/* The function of a value that every row has: an expression of `row`. */
#define COLUMN_FINDER(name, value_type, row_type, ...)                                                                 \
  static bool name(const void *given, void *value_out) {                                                               \
    const row_type *row = given;                                                                                       \
    *(value_type *)value_out = (__VA_ARGS__);                                                                          \
    return true;                                                                                                       \
  }

/* Columns of a table, which ends with a column without a name: a member, also one of another kind than that of its
 * type, and a computed value; those with `needs` are not always written. */
#define COLUMN(name, type, member) COLUMN_AS(0, name, COLUMN_KIND(type, member), type, member)
#define COLUMN_IN(needs, name, type, member) COLUMN_AS(needs, name, COLUMN_KIND(type, member), type, member)
#define COLUMN_FLAG(name, type, member)                                                                                \
  COLUMN_AS(0, name,                                                                                                   \
            sizeof((type *)NULL)->member == sizeof(bool)       ? COLUMN_BOOL                                           \
            : sizeof((type *)NULL)->member == sizeof(uint32_t) ? COLUMN_FLAG32                                         \
                                                               : COLUMN_FLAG64,                                        \
            type, member)
#define COLUMN_AS(needs, name, kind, type, member)                                                                     \
  { name, kind, offsetof(type, member), NULL, needs }
#define COLUMN_FOUND(name, kind, find) COLUMN_FOUND_IN(0, name, kind, find)
#define COLUMN_FOUND_IN(needs, name, kind, find)                                                                       \
  { name, kind, 0, find, needs }

/* Writes the members of a row; COLUMN_JSON is wanted in any case. */
void columns_write_members(const record_column *columns, unsigned wanted, const void *row, json_writer *json);

/* Breaks the line and writes a row as an object, an element of an array. */
void columns_write_object(const record_column *columns, unsigned wanted, const void *row, json_writer *json);

/* Write the names of the columns, and a row, both without a line end; COLUMN_CSV is wanted in any case. A cell is empty
 * unless all bits of its column are also among `known`. */
void columns_write_header(const record_column *columns, unsigned wanted, FILE *stream);
void columns_write_cells(const record_column *columns, unsigned wanted, unsigned known, const void *row, FILE *stream);

/* Writes text, quoted as in RFC 4180 if it contains a comma, a quote or a line end. */
void csv_write_text(const char *text, FILE *stream);

/* Writes numbers with 17 digits. */
void csv_write_reals(const double *numbers, size_t count, const char *between, FILE *stream);

/* Begins the object of a record and writes the members "graze", "schema_version" and "record"; its schema is
 * docs/schema/RECORD.json. Ends it. */
json_writer record_begin(const char *record, FILE *stream);
void record_end(json_writer *json);

/* Write the stages as members of "timings_ms", which stays open, and the counters as "counters". */
void record_begin_timings(const graze_timings *timings, json_writer *json);
void record_write_counters(const graze_counters *counters, json_writer *json);

#endif
