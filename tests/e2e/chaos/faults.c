/* Faults of a machine, for a process that is started with LD_PRELOAD: slow syncs, a disk that became read-only, a clock
   that jumped. They are read from the three numbers of the file $FAULTS at each call; what lies under $FAULTS_UNDER is on
   that disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

struct faults { int64_t sync_ms, read_only, ahead_ns; };
static volatile struct faults *faults;
static const char *under;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULTS");
    int file = path ? REAL(open)(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *seen = mmap(NULL, sizeof(struct faults), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (seen != MAP_FAILED) { under = getenv("FAULTS_UNDER"); faults = seen; }
}

static int refuses(const char *path) {
    return faults && faults->read_only && under && path && strncmp(path, under, strlen(under)) == 0;
}

static int refuses_file(int file) {
    char link[64], path[PATH_MAX];
    if (!faults || !faults->read_only) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return refuses(path);
}

static void dawdle(void) {
    if (!faults || faults->sync_ms <= 0) return;
    struct timespec pause = {faults->sync_ms / 1000, faults->sync_ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

#define ROFS return (errno = EROFS, -1)

int fsync(int file) { dawdle(); return REAL(fsync)(file); }
int fdatasync(int file) { dawdle(); return REAL(fdatasync)(file); }
ssize_t write(int file, const void *from, size_t size) { if (refuses_file(file)) ROFS; return REAL(write)(file, from, size); }
ssize_t pwrite(int file, const void *from, size_t size, off_t at) { if (refuses_file(file)) ROFS; return REAL(pwrite)(file, from, size, at); }
ssize_t pwrite64(int file, const void *from, size_t size, off64_t at) { if (refuses_file(file)) ROFS; return REAL(pwrite64)(file, from, size, at); }
int ftruncate(int file, off_t size) { if (refuses_file(file)) ROFS; return REAL(ftruncate)(file, size); }
int ftruncate64(int file, off64_t size) { if (refuses_file(file)) ROFS; return REAL(ftruncate64)(file, size); }
int rename(const char *from, const char *to) { if (refuses(from) || refuses(to)) ROFS; return REAL(rename)(from, to); }
int unlink(const char *path) { if (refuses(path)) ROFS; return REAL(unlink)(path); }
int mkdir(const char *path, mode_t mode) { if (refuses(path)) ROFS; return REAL(mkdir)(path, mode); }

static int writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT; }
static mode_t mode_of(int flags, va_list rest) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); mode_t mode = mode_of(flags, rest); va_end(rest); \
        if (writes(flags) && refuses(path)) ROFS; \
        return REAL(name)(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPEN_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); mode_t mode = mode_of(flags, rest); va_end(rest); \
        if (writes(flags) && refuses(path)) ROFS; \
        return REAL(name)(folder, path, flags, mode); \
    }
OPEN_AT(openat)
OPEN_AT(openat64)

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = REAL(clock_gettime);
    int failed = real(clock, now);
    if (!failed && faults && faults->ahead_ns && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t moment = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec + faults->ahead_ns;
        now->tv_sec = moment / 1000000000;
        now->tv_nsec = moment % 1000000000;
    }
    return failed;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec moment;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &moment)) return -1;
    now->tv_sec = moment.tv_sec;
    now->tv_usec = moment.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec moment;
    clock_gettime(CLOCK_REALTIME, &moment);
    if (now) *now = moment.tv_sec;
    return moment.tv_sec;
}
