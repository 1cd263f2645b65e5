/* What a page of the viewer shows: frames with objects and what was found in them, collected in memory.
 *
 * The form is one of this tool and its page, which travel in one file: docs/guide/viewer.md. It is the bytes
 * "GRAZEPG1", the length of a JSON text as a little-endian 64-bit integer, the text, and sections of little-endian
 * numbers, each at a multiple of eight bytes. The text names sections by their number in its own list. */
#ifndef GRAZE_PAGE_RECORD_H
#define GRAZE_PAGE_RECORD_H

#include "json_writer.h"
#include "object_list.h"

#include "graze/distances.h"
#include "graze/regions.h"

#include <stdint.h>

/* Coordinates are as they were read, or rounded to float, half as large: for many frames. */
typedef enum page_precision { PAGE_EXACT, PAGE_ROUNDED } page_precision;

typedef struct page_section {
  const char *type; /* "u8", "u32", "f32" or "f64" */
  size_t offset, count;
  uint64_t content_hash;
} page_section;

/* All but `failed` belongs to page_record.c. */
typedef struct page_record {
  page_precision precision;
  char *text; /* of `stream` */
  size_t text_bytes;
  FILE *stream;
  json_writer json;
  uint8_t *bytes;
  size_t byte_count, byte_capacity;
  page_section *sections; /* each content once */
  size_t section_count, section_capacity;
  uint32_t *table; /* sections by content, open addressing; 0: free */
  size_t table_size;
  double center[3]; /* of the first frame */
  size_t frame_count;
  bool failed; /* memory is out */
} page_record;

/* What was found in a frame. Lists that were not made are NULL. */
typedef struct page_frame {
  const char *name; /* NULL: it has none */
  const object_list *objects;
  const graze_pairs *pairs;
  const graze_regions *regions;
  const graze_distances *distances; /* of the pairs */
  const graze_wrenches *wrenches;
  const graze_timings *timings;
  const graze_counters *counters;
  double frame_ms;
} page_frame;

/* What holds for all frames. */
typedef struct page_heading {
  const char *title, *method;
  const graze_query *query;
  const char *units; /* NULL: not said */
} page_heading;

/* Each returns false when memory is out. page_record_release is due whatever they return. */
bool page_record_begin(page_record *record, const page_heading *heading, page_precision precision);
bool page_record_add(page_record *record, const page_frame *frame);
bool page_record_end(page_record *record);
void page_record_release(page_record *record);

#endif
