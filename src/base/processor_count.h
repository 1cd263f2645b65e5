/* processor_count: how many processors this process may use at the same time.
 *
 * Containers and batch systems restrict a process by affinity, or by a quota of processor time of its control group
 * (cgroup, version 2 or 1). More workers would only compete for these processors. Read once for a set of workers, from
 * a few small files of the kernel, which need not exist. */
#ifndef GRAZE_BASE_PROCESSOR_COUNT_H
#define GRAZE_BASE_PROCESSOR_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For the calling thread: the lower of affinity and quota; at least 1. */
uint32_t processor_count(void);

/* The functions below are parts of it, which tests call with their own texts and folders. UINT32_MAX means no quota. */

/* The quota in `cpu.max` of version 2: "quota period", or "max period"; rounded up to whole processors, at least 1. */
uint32_t processor_quota_from_max(const char *text);

/* The same for version 1, from the texts of `cpu.cfs_quota_us` (negative: none) and `cpu.cfs_period_us`. */
uint32_t processor_quota_from_times(const char *quota_text, const char *period_text);

/* The path of the control group in the text of /proc/self/cgroup: that of version 2 ("0::/path"), or for version 1 the
 * one with the controller `cpu` ("4:cpu,cpuacct:/path"). False if there is none, or it does not fit. */
bool processor_group_path(const char *text, int version, char *path_out, size_t path_bytes);

/* The lowest quota of the group and its ancestors; `root` is where groups are mounted, /sys/fs/cgroup. For a path that
 * the mount does not show, as in a container, its nearest visible ancestor is used. */
uint32_t processor_group_quota(const char *group_text, const char *root);

#endif
