// SPDX-License-Identifier: Apache-2.0
#pragma once

// libfuse wants the API version before its header.
#define FUSE_USE_VERSION 35
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wconversion"
#include <fuse_lowlevel.h>
#pragma GCC diagnostic pop
