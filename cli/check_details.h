/* Where the pairs of a check are, as columns of CSV and members of JSON. */
#ifndef GRAZE_CHECK_DETAILS_H
#define GRAZE_CHECK_DETAILS_H

#include "check_outcome.h"
#include "json_writer.h"

/* What follows the columns of pairs in the header of the CSV. */
void check_details_write_header(const check_outcome *outcome, FILE *stream);

/* A line for each pair: its columns, then names, a point, which is empty for candidates, and corners. With a clearance
 * the distance comes before the names, and the nearest points of both primitives take the place of the point. */
void check_details_write_csv(const check_outcome *outcome, FILE *stream,
                             void (*write_columns)(const graze_pair *pair, FILE *stream));

/* A point of each pair, or with a clearance its distance and nearest points, unless they are candidates; with details
 * the corners of its primitives. */
void check_details_write_json(const check_outcome *outcome, json_writer *json);

#endif
