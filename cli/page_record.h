/* The contents of a page of the viewer: frames with objects and results, collected in memory.
 *
 * The format is internal to this tool and its page, which are one file: docs/guide/viewer.md. It is the bytes
 * "GRAZEPG1", the length of a JSON text as a little-endian 64-bit integer, the text, and sections of little-endian
 * numbers, each at a multiple of eight bytes. The text refers to sections by their number in its own list. */
#ifndef GRAZE_PAGE_RECORD_H
#define GRAZE_PAGE_RECORD_H

#include "json_writer.h"
#include "object_list.h"

#include "graze/containment.h"
#include "graze/distances.h"
#include "graze/regions.h"

#include <stdint.h>

/* Coordinates are stored as read, or rounded to float in half the space, for many frames. */
typedef enum page_precision { PAGE_EXACT, PAGE_ROUNDED } page_precision;

typedef struct page_section {
  const char *type; /* "u8", "u32", "f32" or "f64" */
  size_t offset, count;
  uint64_t content_hash;
} page_section;

/* All members except `failed` are private to page_record.c. */
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
  bool failed; /* out of memory */
} page_record;

/* The results of a frame. Lists that were not made are NULL; without pairs there are no timings and counters. */
typedef struct page_frame {
  const char *name; /* NULL: none */
  const object_list *objects;
  const graze_pairs *pairs;
  const graze_regions *regions;
  const graze_distances *distances; /* of the pairs */
  const graze_wrenches *wrenches;
  const graze_containments *containments; /* objects inside others */
  const graze_crowding *crowding;         /* of the only object */
  const graze_timings *timings;
  const graze_counters *counters;
  double frame_ms;
} page_frame;

/* Data of all frames. */
typedef struct page_heading {
  const char *command; /* the command of the page: "check", "play", "pack", "analyze" or "bench" */
  const char *title;
  size_t more_files;  /* besides that of the title */
  const char *method; /* NULL, like the query: no search */
  const graze_query *query;
  bool solid;        /* objects inside others are part of the result */
  bool excludes;     /* some pairs of objects were excluded */
  const char *units; /* NULL: none */
  const char *up;    /* the axis that points up; NULL: y */
  /* Writes the JSON record of the command, as --json does; NULL: the frames contain everything. */
  void (*write_result)(const void *outcome, FILE *stream);
  const void *outcome;
} page_heading;

/* Each returns false when out of memory. Call page_record_release in any case. */
bool page_record_begin(page_record *record, const page_heading *heading, page_precision precision);
bool page_record_add(page_record *record, const page_frame *frame);
bool page_record_end(page_record *record);
void page_record_release(page_record *record);

#endif
