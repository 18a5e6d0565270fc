/* process_usage.c: asks the kernel, through getrusage(2) and /proc/self. */
#include "server/util/process_usage.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t time_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

static void read_memory(struct process_usage *usage)
{
	unsigned long long total = 0, resident = 0;
	const long page = sysconf(_SC_PAGESIZE);
	FILE *file = fopen("/proc/self/statm", "re");
	if (!file)
		return;
	if (page > 0 && fscanf(file, "%llu %llu", &total, &resident) == 2) {
		usage->virtual_bytes = total * (unsigned long long)page;
		usage->resident_bytes = resident * (unsigned long long)page;
	}
	fclose(file);
}

/* Counts the open files, without the descriptor that this takes itself. */
static uint64_t count_files(void)
{
	uint64_t entries = 0;
	DIR *folder = opendir("/proc/self/fd");
	if (!folder)
		return 0;
	for (const struct dirent *entry; (entry = readdir(folder));)
		entries += entry->d_name[0] != '.';
	closedir(folder);
	return entries > 0 ? entries - 1 : 0;
}

void process_usage_read(struct process_usage *usage)
{
	struct rusage used;
	struct rlimit files;
	*usage = (struct process_usage){.open_files = count_files()};
	read_memory(usage);
	if (getrusage(RUSAGE_SELF, &used) == 0)
		usage->cpu_ns = time_ns(&used.ru_utime) + time_ns(&used.ru_stime);
	if (getrlimit(RLIMIT_NOFILE, &files) == 0)
		usage->open_files_max =
			files.rlim_cur == RLIM_INFINITY ? UINT64_MAX : files.rlim_cur;
}

unsigned process_cores(void)
{
	cpu_set_t cores;
	return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (unsigned)CPU_COUNT(&cores) : 1;
}
