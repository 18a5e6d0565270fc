/* disk.c: what the disk takes to keep 4 KiB: median of appends, each with fdatasync.
 *
 *     disk DIRECTORY    prints "fdatasync_us.p50 X" and "fdatasync_us.p99 X" */
#include "tests/bench/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define APPENDS 300
#define BYTES 4096

int main(int argc, char **argv)
{
	static char block[BYTES];
	double us[APPENDS];
	char path[1024];
	if (argc != 2)
		return 2;
	snprintf(path, sizeof(path), "%s/disk-XXXXXX", argv[1]);
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	unlink(path);
	memset(block, 'x', sizeof(block));
	for (int i = 0; i < APPENDS; i++) {
		uint64_t begin = clock_ns();
		if (write(fd, block, BYTES) != BYTES || fdatasync(fd) != 0)
			return 1;
		us[i] = (double)(clock_ns() - begin) / 1e3;
	}
	close(fd);
	printf("fdatasync_us.p50 %.1f\n", quantile(us, APPENDS, 0.5));
	printf("fdatasync_us.p99 %.1f\n", quantile(us, APPENDS, 0.99));
	return 0;
}
