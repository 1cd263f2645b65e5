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

/* Of the calling thread: the lower of affinity and quota; at least 1. */
uint32_t processor_count(void);

/* From here on the parts of it, which tests call with texts and folders of their own. UINT32_MAX stands for no quota.
 */

/* The quota in `cpu.max` of version 2: "quota period", or "max period"; rounded up to whole processors, at least 1. */
uint32_t processor_quota_from_max(const char *text);

/* The same of version 1, from the texts of `cpu.cfs_quota_us` (negative: none) and `cpu.cfs_period_us`. */
uint32_t processor_quota_from_times(const char *quota_text, const char *period_text);

/* The path of the control group in the text of /proc/self/cgroup: that of version 2 ("0::/path"), or of version 1 the
 * one with the controller `cpu` ("4:cpu,cpuacct:/path"). False where there is none, or it does not fit. */
bool processor_group_path(const char *text, int version, char *path_out, size_t path_bytes);

/* The lowest quota of the group and of all groups around it; `root` is where groups are mounted, /sys/fs/cgroup. A path
 * that the mount does not show, as in a container, counts as the nearest one around it that is shown. */
uint32_t processor_group_quota(const char *group_text, const char *root);

#endif
