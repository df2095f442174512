# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by scripts/build-packages: a source tree that dpkg-buildpackage can build, made of this working tree.

project_version() {
  sed -n 's/^project(sweetspotd VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt
}

# The files git knows or would take; without git (an unpacked archive), all that is not generated.
list_sources() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard --deduplicate -z | while IFS= read -r -d '' file; do
      [ ! -e "$file" ] || printf '%s\0' "$file"
    done
  else
    find . \( -path ./build -o -path ./.cache \) -prune -o -type f -print0
  fi
}

# What is not part of the packages, and of no account for them: what tests, measures and checks the rest.
not_packaged=(tests bench .ci scripts)
# Of that, what says how the packages are made.
how_packages_are_made=(scripts/build-packages scripts/lib/package_source.sh scripts/lib/cross_chroot.sh)

# When the sources are from: the same sources make the same packages, byte for byte.
source_date() {
  git log -1 --format=%ct -- . "${not_packaged[@]/#/:!}" 2>/dev/null || stat --format=%Y CHANGELOG.md
}

# package_is_made_from VERSION: the same text for as long as a build would make the same packages.
package_is_made_from() {
  local excluded
  excluded=$(IFS='|' && printf '^(%s)/' "${not_packaged[*]}")
  {
    printf '%s\n' "$1" "${DEBFULLNAME:-}" "${DEBEMAIL:-}" "${SOURCE_DATE_EPOCH:-$(source_date)}"
    { list_sources | sed --null-data 's|^\./||' | grep --null-data --invert-match --extended-regexp "$excluded"
      printf '%s\0' "${how_packages_are_made[@]}"; } | sort --zero-terminated | xargs --null sha256sum
  } | sha256sum
}

# write_package_source FOLDER VERSION: an empty VERSION stands for the project's own.
write_package_source() {
  local folder=$1 version=${2:-$(project_version)} maintainer
  maintainer="${DEBFULLNAME:-The sweetspotd authors} <${DEBEMAIL:-sweetspotd@users.noreply.example.org}>"
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(source_date)}
  export SOURCE_DATE_EPOCH
  mkdir -p "$folder"
  list_sources | tar --create --null --files-from=- | tar --extract --directory="$folder"
  cp -r packaging/debian "$folder/debian"
  sed -i "s|@MAINTAINER@|$maintainer|" "$folder/debian/control"
  cat >"$folder/debian/changelog" <<TEXT
sweetspotd ($version) unstable; urgency=medium

  * What changed stands in CHANGELOG.md.

 -- $maintainer  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
TEXT
}
