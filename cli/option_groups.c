/* The table of options that are not under the first heading. */
#include "option_groups.h"

#include <string.h>

/* The first matching row counts: rows of a command precede those of all commands. */
static const struct {
  const char *command, *option;
  option_group group;
} rows[] = {
    /* In bench, methods are a main subject; its studies are research. */
    {"bench", "method", OPTION_USUAL},
    {"bench", "backend", OPTION_USUAL},
    {"bench", "figures", OPTION_OUTPUT},
    {"bench", "passes", OPTION_RESEARCH},
    {"bench", "folder", OPTION_RESEARCH},
    {"bench", "share", OPTION_RESEARCH},
    {"bench", "all", OPTION_RESEARCH},
    {"bench", "seed", OPTION_RESEARCH},
    {"bench", "approach", OPTION_RESEARCH},
    {"bench", "configurations", OPTION_RESEARCH},
    {NULL, "poses", OPTION_PLACEMENT},
    {NULL, "rotate", OPTION_PLACEMENT},
    {NULL, "move", OPTION_PLACEMENT},
    {NULL, "output", OPTION_OUTPUT},
    {NULL, "json", OPTION_OUTPUT},
    {NULL, "csv", OPTION_OUTPUT},
    {NULL, "details", OPTION_OUTPUT},
    {NULL, "contacts", OPTION_OUTPUT},
    {NULL, "regions", OPTION_OUTPUT},
    {NULL, "curves", OPTION_OUTPUT},
    {NULL, "faces", OPTION_OUTPUT},
    {NULL, "bcf", OPTION_OUTPUT},
    {NULL, "picture", OPTION_OUTPUT},
    {NULL, "report", OPTION_OUTPUT},
    {NULL, "plot", OPTION_OUTPUT},
    {NULL, "carried", OPTION_OUTPUT},
    {NULL, "picture-frame", OPTION_PICTURE},
    {NULL, "camera", OPTION_PICTURE},
    {NULL, "up", OPTION_PICTURE},
    {NULL, "crease", OPTION_PICTURE},
    {NULL, "zoom-to", OPTION_PICTURE},
    {NULL, "backend", OPTION_MACHINE},
    {NULL, "device", OPTION_MACHINE},
    {NULL, "threads", OPTION_MACHINE},
    {NULL, "memory", OPTION_MACHINE},
    {NULL, "allow-large", OPTION_MACHINE},
    {NULL, "explain", OPTION_RESEARCH},
    {NULL, "candidates", OPTION_RESEARCH},
    {NULL, "test", OPTION_RESEARCH},
    {NULL, "method", OPTION_RESEARCH},
    {NULL, "tree-builder", OPTION_RESEARCH},
    {NULL, "clusters", OPTION_RESEARCH},
    {NULL, "axis", OPTION_RESEARCH},
    {NULL, "metric", OPTION_RESEARCH},
    {NULL, "simd", OPTION_RESEARCH},
    {NULL, "compare-methods", OPTION_RESEARCH},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

option_group option_group_of(const char *command, const char *option) {
  for (size_t i = 0; i < ROW_COUNT; ++i) {
    const bool of_command = rows[i].command == NULL || strcmp(rows[i].command, command) == 0;
    if (of_command && strcmp(rows[i].option, option) == 0) return rows[i].group;
  }
  return OPTION_USUAL;
}

const char *option_group_heading(option_group group) {
  static const char *const headings[OPTION_GROUPS] = {
      [OPTION_USUAL] = "Options",   [OPTION_PLACEMENT] = "Placement",         [OPTION_OUTPUT] = "Output",
      [OPTION_PICTURE] = "Picture", [OPTION_MACHINE] = "Backend and threads", [OPTION_RESEARCH] = "Research"};
  return headings[group];
}

bool option_groups_row(size_t number, const char **command_out, const char **option_out) {
  if (number >= ROW_COUNT) return false;
  *command_out = rows[number].command;
  *option_out = rows[number].option;
  return true;
}
