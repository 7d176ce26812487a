/* A disk that loses everything that was not synced.
 *
 * Loaded before libc (LD_PRELOAD). For files in the folder DISK it keeps, in the folder DURABLE, what would be left after a
 * loss of power: data/INODE is a file as it was when it was last synced, names/NAME says which file a name stands for. A
 * name is durable when its file was synced, or its folder; a name that was removed or changed, when its folder was.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(const char *path, const char *from, const char *text) {
    /* Write a file in one step: from another file, or a text. */
    char half[PATH_MAX], buffer[65536];
    ssize_t count;
    snprintf(half, sizeof half, "%s/half", getenv("DURABLE"));
    int out = open(half, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (from) {
        int in = open(from, O_RDONLY);
        while ((count = read(in, buffer, sizeof buffer)) > 0)
            if (write(out, buffer, count) != count) abort();
        close(in);
    } else if (write(out, text, strlen(text)) < 0) {
        abort();
    }
    close(out);
    if (rename(half, path)) abort();
}

static void name_it(const char *durable, const char *name, ino_t inode) {
    char path[PATH_MAX], number[32];
    snprintf(path, sizeof path, "%s/names/%s", durable, name);
    snprintf(number, sizeof number, "%lu", (unsigned long)inode);
    put(path, NULL, number);
}

static int is_named(const char *durable, ino_t inode) {
    char folder[PATH_MAX], path[PATH_MAX], number[32] = "";
    snprintf(folder, sizeof folder, "%s/names", durable);
    DIR *names = opendir(folder);
    int found = 0;
    for (struct dirent *one; names && (one = readdir(names));) {
        snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
        FILE *file = one->d_name[0] == '.' && !one->d_name[1] ? NULL : fopen(path, "r");
        if (!file) continue;
        if (fgets(number, sizeof number, file) && strtoul(number, NULL, 10) == inode) found = 1;
        fclose(file);
    }
    if (names) closedir(names);
    return found;
}

static void sync_names(const char *durable, const char *disk) {
    char path[PATH_MAX];
    struct stat about;
    snprintf(path, sizeof path, "%s/names", durable);
    DIR *names = opendir(path);
    for (struct dirent *one; names && (one = readdir(names));) {
        snprintf(path, sizeof path, "%s/%s", disk, one->d_name);
        if (one->d_type == DT_REG && lstat(path, &about)) {
            snprintf(path, sizeof path, "%s/names/%s", durable, one->d_name);
            unlink(path);
        }
    }
    if (names) closedir(names);
    DIR *there = opendir(disk);
    for (struct dirent *one; there && (one = readdir(there));)
        if (one->d_type == DT_REG) name_it(durable, one->d_name, one->d_ino);
    if (there) closedir(there);
}

static void synced(int number) {
    const char *disk = getenv("DISK"), *durable = getenv("DURABLE");
    char link[64], path[PATH_MAX], kept[PATH_MAX];
    struct stat about;
    snprintf(link, sizeof link, "/proc/self/fd/%d", number);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!disk || !durable || length < 0 || fstat(number, &about)) return;
    path[length] = 0;
    if (strncmp(path, disk, strlen(disk))) return;
    pthread_mutex_lock(&lock);
    if (S_ISDIR(about.st_mode)) {
        sync_names(durable, disk);
    } else {
        snprintf(kept, sizeof kept, "%s/data/%lu", durable, (unsigned long)about.st_ino);
        put(kept, link, NULL);
        if (!is_named(durable, about.st_ino)) name_it(durable, strrchr(path, '/') + 1, about.st_ino);
    }
    pthread_mutex_unlock(&lock);
}

int fsync(int number) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    int status = real(number);
    if (!status) synced(number);
    return status;
}

int fdatasync(int number) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    int status = real(number);
    if (!status) synced(number);
    return status;
}
