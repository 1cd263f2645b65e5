/* The places of the pairs of a check, as columns of CSV and members of JSON. */
#ifndef GRAZE_CHECK_DETAILS_H
#define GRAZE_CHECK_DETAILS_H

#include "check_outcome.h"
#include "json_writer.h"

/* Writes the header of the additional columns. */
void check_details_write_header(const check_outcome *outcome, FILE *stream);

/* Writes a line for each pair: its columns, then names, a point (empty for candidates), and corners. With a clearance,
 * the distance precedes the names, and the nearest points of both primitives replace the point. */
void check_details_write_csv(const check_outcome *outcome, FILE *stream,
                             void (*write_columns)(const graze_pair *pair, FILE *stream));

/* Writes a point of each pair, or with a clearance its distance and nearest points, unless they are candidates; with
 * details also the corners of its primitives. */
void check_details_write_json(const check_outcome *outcome, json_writer *json);

#endif
