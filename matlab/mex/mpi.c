/* mpi.c - the libraries that connect to MPI, one for each MPI (packaging/mpi), of which a process loads at most one.
 *
 * GPUMEX_MPI in the environment names it, openmpi or mpich, or its path; else it is that of the launcher which started the process, else
 * that of the MPI that the process has loaded. It lies beside this MEX file, or where the system looks for libraries. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gateway.h"

static mpi_library loaded;

static int is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

static int is_in_process(const char *library)
{
    return dlopen(library, RTLD_LAZY | RTLD_NOLOAD) != NULL;
}

int is_launched_by_mpi(void)
{
    return is_set("GPUMEX_MPI") || is_set("OMPI_COMM_WORLD_SIZE") || is_set("PMI_SIZE") || is_set("PMI_RANK") || is_set("PMIX_RANK");
}

int32_t launched_ranks(void)
{
    const char *size = getenv(is_set("OMPI_COMM_WORLD_SIZE") ? "OMPI_COMM_WORLD_SIZE" : "PMI_SIZE");
    return size == NULL ? 0 : (int32_t)strtol(size, NULL, 10);
}

static const char *kind_of_mpi(void)
{
    if (is_set("GPUMEX_MPI"))
        return getenv("GPUMEX_MPI");
    if (is_set("OMPI_COMM_WORLD_SIZE"))
        return "openmpi";
    if (is_set("PMI_SIZE") || is_set("PMI_RANK") || is_in_process("libmpi.so.12") || is_in_process("libmpich.so.12"))
        return "mpich";
    return "openmpi";
}

/* The folder of this MEX file, with a slash at its end. */
static void own_folder(char *folder, size_t capacity)
{
    Dl_info info;
    folder[0] = '\0';
    if (dladdr((const void *)&loaded, &info) == 0 || info.dli_fname == NULL)
        return;
    const char *end = strrchr(info.dli_fname, '/');
    snprintf(folder, capacity, "%.*s", end == NULL ? 0 : (int)(end - info.dli_fname) + 1, info.dli_fname);
}

/* Symbols of an MPI are for all, since it loads parts of itself that want them. */
static void *open_library(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

static void *open_kind(const char *kind)
{
    char folder[3072], path[3200];
    own_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%slibgpumex_%s.so", folder, kind);
    void *library = open_library(path);
    if (library == NULL)
        library = open_library(path + strlen(folder));
    if (library == NULL)
        fail("noMpi", "libgpumex_%s.so, which connects to MPI, is neither in %s nor where the system looks for libraries (%s); "
                      "build_gpumex_mpi builds it with the mpicc of that MPI", kind, folder, dlerror());
    return library;
}

const mpi_library *load_mpi(void)
{
    if (loaded.open != NULL)
        return &loaded;
    const char *kind = kind_of_mpi();
    void *library = strchr(kind, '/') == NULL ? open_kind(kind) : open_library(kind);
    if (library == NULL)
        fail("noMpi", "%s", dlerror());
    *(void **)&loaded.place = dlsym(library, "gpumex_mpi_place");
    *(void **)&loaded.close = dlsym(library, "gpumex_mpi_close");
    *(void **)&loaded.open = dlsym(library, "gpumex_mpi_open");
    if (loaded.place == NULL || loaded.close == NULL || loaded.open == NULL) {
        loaded.open = NULL;
        fail("noMpi", "%s is no library of gpumex for MPI", kind);
    }
    return &loaded;
}
