# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by scripts/build-packages: a chroot with Debian 12, a cross compiler and the libraries of the other architecture.
# On the machine itself such libraries would be in the way of its own: there, installing a foreign compiler removes the native.

# shellcheck disable=SC2154  # `root` and `jobs` come from steps.sh
cross_chroot() {
  printf '%s/.cache/chroots/cross-%s' "$root" "$1"
}

cross_chroot_packages() {
  local architecture=$1 package
  printf '%s\n' "crossbuild-essential-$architecture" debhelper cmake ninja-build "pkgconf:$architecture" ccache
  # Headers that are the same everywhere, then libraries of the other architecture.
  printf '%s\n' libexpected-dev nlohmann-json3-dev libcli11-dev
  for package in libspdlog-dev libfmt-dev libsystemd-dev libsqlite3-dev libfuse3-dev; do printf '%s\n' "$package:$architecture"; done
}

# make_cross_chroot ARCHITECTURE: makes it unless there is one with these very packages.
make_cross_chroot() {
  local architecture=$1 tree packages log
  tree=$(cross_chroot "$architecture")
  packages=$(cross_chroot_packages "$architecture" | paste --serial --delimiters=,)
  if [ "$(id -u)" -ne 0 ]; then
    echo "cross-building for $architecture works in a chroot, which needs root: sudo $0 $architecture"
    return 1
  fi
  if [ "$(cat "$tree.packages" 2>/dev/null)" = "$packages" ]; then
    echo "there is one: $tree"
    return
  fi
  command -v mmdebstrap >/dev/null || scripts/install-dependencies --build-only --also mmdebstrap \
    --also debian-archive-keyring || return 1
  rm -rf "$tree" "$tree.packages"
  mkdir -p "$(dirname "$tree")"
  log=$tree.log
  if ! mmdebstrap --variant=minbase --architectures="$(dpkg --print-architecture),$architecture" --include="$packages" \
    --keyring=/usr/share/keyrings/debian-archive-keyring.gpg --aptopt='APT::Install-Recommends "0"' \
    bookworm "$tree" ${SWEETSPOT_DEBIAN_MIRROR:+"$SWEETSPOT_DEBIAN_MIRROR"} >"$log" 2>&1; then
    echo "mmdebstrap failed; is there a network? $(grep -m 1 '^E:' "$log" || tail -n 1 "$log")"
    return 1
  fi
  printf '%s' "$packages" >"$tree.packages"
}

# build_in_chroot ARCHITECTURE FOLDER: FOLDER/source becomes packages in FOLDER. The mounts are this command's own, and go
# with it however it ends.
# shellcheck disable=SC2154
build_in_chroot() {
  local architecture=$1 folder=$2 tree cache
  tree=$(cross_chroot "$architecture")
  cache=${CCACHE_DIR:-$tree.ccache}
  mkdir -p "$tree/build" "$tree/ccache" "$cache"
  # shellcheck disable=SC2016  # expanded by the inner shell
  unshare --mount --pid --fork --kill-child bash -ec '
    tree=$1 folder=$2 cache=$3 architecture=$4 jobs=$5
    mount --bind "$folder" "$tree/build"
    mount --bind "$cache" "$tree/ccache"
    mount -t proc proc "$tree/proc"
    exec env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
      CCACHE_DIR=/ccache CCACHE_BASEDIR=/build/source CCACHE_NOHASHDIR=1 CCACHE_COMPILERCHECK=content \
      chroot "$tree" sh -ec "cd /build/source && dpkg-buildpackage --host-arch=$architecture --no-check-builddeps \
        --build=binary --no-sign --jobs=$jobs -Pcross,nocheck"
  ' bash "$tree" "$folder" "$cache" "$architecture" "$jobs"
}
