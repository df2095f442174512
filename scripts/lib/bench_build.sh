# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts that measure: what is measured is optimised and stripped, as in a package, in build/bench.

# build_bench TARGET...
build_bench() {
  cmake -S . -B build/bench -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_FLAGS_RELEASE='-O2 -DNDEBUG' \
    -D CMAKE_EXE_LINKER_FLAGS=-s -D SWEETSPOT_TESTS=OFF -D SWEETSPOT_BENCH=ON >/dev/null
  cmake --build build/bench --parallel "$(nproc)" --target "$@"
}

# What else the machine had to do belongs to the figures.
say_load() {
  echo "load of the machine before the run: $(cut -d ' ' -f 1-3 /proc/loadavg) on $(nproc) processors"
}
