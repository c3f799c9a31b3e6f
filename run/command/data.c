/* SPDX-License-Identifier: Apache-2.0
 * Data files, found when the program runs. */
#include "data.h"

#include <stdio.h>
#include <unistd.h>

#include "cosim/device/folder.h"
#include "run/command/tool.h"

static const struct folder_places places = {"HEDDLE_DATA", {DATA_FOLDER, NULL}, DATA_FOLDER_INSTALLED};

static bool below(const char *folder, const char *name, char *path, size_t bytes) {
  const int len = snprintf(path, bytes, "%s/%s", folder, name);
  return len > 0 && len < (int)bytes && access(path, R_OK) == 0;
}

bool data_has(const char *name, char *path, size_t bytes) {
  char folder[3072];
  return folder_find(&places, folder, sizeof folder) && below(folder, name, path, bytes);
}

bool data_path(const char *name, char *path, size_t bytes) {
  char folder[3072];
  if (!folder_find(&places, folder, sizeof folder)) {
    tool_error("no folder %s beside the program, nor %s; HEDDLE_DATA can name one", DATA_FOLDER, DATA_FOLDER_INSTALLED);
    return false;
  }
  if (below(folder, name, path, bytes)) return true;
  tool_error("%s: no %s there; HEDDLE_DATA can name another folder", folder, name);
  return false;
}
