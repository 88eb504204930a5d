#ifndef BASE_WHOLE_FILE_H
#define BASE_WHOLE_FILE_H

#include "base/span.h"

/*
 * Writes a file whole or not at all: beside `path`, then renamed, so that no half of it is ever
 * seen there, also when the process is told to stop.  A device or a pipe is written into.  0, or -1 with an error that names the path.
 */
int whole_file_write(const char *path, struct span bytes);

#endif
