#ifndef INGEST_WALK_H
#define INGEST_WALK_H

/* Called for each file; `path` is valid during the call.  Other than 0 stops the walk. */
typedef int walk_fn(const char *path, void *ctx);

/*
 * Calls `fn` for the files that a path on the command line means: a file or "-" for itself,
 * whatever it is; a folder for all regular files below it, in strcmp() order of their paths.
 *
 * In folders, what begins with a point and the folders of version control are left out, so are
 * pipes and devices.  A link to a file counts as that file unless the walk meets the file itself or
 * another link to it (latest.log -> run7.log); links to folders are not followed.
 *
 * 0; what `fn` returned if not 0; -1 and an input error for a path or a folder that cannot be read.
 */
int walk(const char *path, walk_fn *fn, void *ctx);

#endif
