/* The names of all lists GRAZE_*_LIST of the other headers, through functions: for bindings, which have no macros, and
 * for tools.
 *
 * Every list has the same shape. Its entries are numbered from 0 to one less than its count; a name or description is
 * text that lasts as long as the library, and NULL past the end. The value of an entry is that of its enumeration, -1
 * past the end; it is the entry's number but for scopes. Methods have their functions in methods.h, graze_method_count,
 * _name and _description, and backends in host.h. */
#ifndef GRAZE_NAMES_H
#define GRAZE_NAMES_H

#include "graze/graze.h"
#include "graze/regions.h"
#include "graze/sphere_tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------ enumerations */

/* graze_result: "OK", "INVALID_ARGUMENT", ...; the description is graze_result_text. */
GRAZE_API size_t graze_result_count(void);
GRAZE_API const char *graze_result_name(size_t number);
GRAZE_API const char *graze_result_description(size_t number);
GRAZE_API int graze_result_value(size_t number);

/* graze_kind: "triangle", ...; for many of them graze_kind_text. */
GRAZE_API size_t graze_kind_count(void);
GRAZE_API const char *graze_kind_name(size_t number);
GRAZE_API int graze_kind_value(size_t number);

/* graze_threading: "auto", ... */
GRAZE_API size_t graze_threading_count(void);
GRAZE_API const char *graze_threading_name(size_t number);
GRAZE_API int graze_threading_value(size_t number);

/* graze_simd: "auto", ... */
GRAZE_API size_t graze_simd_count(void);
GRAZE_API const char *graze_simd_name(size_t number);
GRAZE_API int graze_simd_value(size_t number);

/* graze_tree_builder: "auto", ... */
GRAZE_API size_t graze_tree_builder_count(void);
GRAZE_API const char *graze_tree_builder_name(size_t number);
GRAZE_API int graze_tree_builder_value(size_t number);

/* graze_tree_update: "auto", ... */
GRAZE_API size_t graze_tree_update_count(void);
GRAZE_API const char *graze_tree_update_name(size_t number);
GRAZE_API int graze_tree_update_value(size_t number);

/* graze_sphere_builder: "neural_gas", ... */
GRAZE_API size_t graze_sphere_builder_count(void);
GRAZE_API const char *graze_sphere_builder_name(size_t number);
GRAZE_API int graze_sphere_builder_value(size_t number);

/* graze_axis: "principal", ... */
GRAZE_API size_t graze_axis_count(void);
GRAZE_API const char *graze_axis_name(size_t number);
GRAZE_API int graze_axis_value(size_t number);

/* graze_distance: "l2", ... */
GRAZE_API size_t graze_distance_count(void);
GRAZE_API const char *graze_distance_name(size_t number);
GRAZE_API int graze_distance_value(size_t number);

/* graze_scope: "between", ...; its values begin at 1. */
GRAZE_API size_t graze_scope_count(void);
GRAZE_API const char *graze_scope_name(size_t number);
GRAZE_API int graze_scope_value(size_t number);

/* graze_neighbours: "skip", ... */
GRAZE_API size_t graze_neighbours_count(void);
GRAZE_API const char *graze_neighbours_name(size_t number);
GRAZE_API int graze_neighbours_value(size_t number);

/* graze_test: "sat", ... */
GRAZE_API size_t graze_test_count(void);
GRAZE_API const char *graze_test_name(size_t number);
GRAZE_API int graze_test_value(size_t number);

/* graze_force: "volume", ... */
GRAZE_API size_t graze_force_count(void);
GRAZE_API const char *graze_force_name(size_t number);
GRAZE_API int graze_force_value(size_t number);

/* graze_clash: "touching", ... */
GRAZE_API size_t graze_clash_count(void);
GRAZE_API const char *graze_clash_name(size_t number);
GRAZE_API int graze_clash_value(size_t number);

/* ------------------------------------------------------------------------------------------------ what a frame cost */

/* Stages, and the milliseconds of one of them: 0 past the end, and of NULL. */
GRAZE_API size_t graze_stage_count(void);
GRAZE_API const char *graze_stage_name(size_t number);
GRAZE_API const char *graze_stage_description(size_t number);
GRAZE_API double graze_timings_value(const graze_timings *timings, size_t stage);

/* Counters, and one of them likewise. */
GRAZE_API size_t graze_counter_count(void);
GRAZE_API const char *graze_counter_name(size_t number);
GRAZE_API const char *graze_counter_description(size_t number);
GRAZE_API uint64_t graze_counters_value(const graze_counters *counters, size_t counter);

#ifdef __cplusplus
}
#endif

#endif
