/* A pose file as CSV or JSON: the placement of each object, and the frame if it has frames. */
#ifndef GRAZE_POSE_TABLE_H
#define GRAZE_POSE_TABLE_H

#include "placement.h"

#include <stdint.h>

typedef struct pose_row {
  char *object; /* as given; owned */
  size_t line;
  uint64_t frame; /* 0 if the file has no frames */
  placement placed;
} pose_row;

/* Zeroed: no rows. */
typedef struct pose_table {
  pose_row *rows; /* in the order of the file; frames never decrease */
  size_t count, capacity;
  bool has_frames;
} pose_table;

/* Reads a pose file. CSV begins with a header: "object" or "frame,object", then m00 to m23 or m33, row by row, or
 * tx,ty,tz,qw,qx,qy,qz. A name that ends in .json is a JSON file with "format": "graze-poses". False after a complaint
 * that names file, line, object and value. `only_regular` refuses CSV in pipes and devices, for names that come from a
 * file. Call pose_table_release in any case. */
bool pose_table_read(const char *path, bool only_regular, pose_table *table_out);

/* The same for CSV in memory, which is modified. */
bool pose_table_read_csv(const char *path, char *bytes, size_t size, pose_table *table_out);

/* Appends a row with a copy of the name; false after a complaint. */
bool pose_table_append(pose_table *table, const char *object, size_t line, uint64_t frame, const placement *placed);
void pose_table_release(pose_table *table);

#endif
