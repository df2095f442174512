# SPDX-License-Identifier: Apache-2.0
# Third-party libraries, each from the distribution's packages (scripts/install-dependencies names them).
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(spdlog 1.9 REQUIRED)
# spdlog and fmt as headers only: their shared libraries change names between distributions.
add_library(sweetspot_spdlog INTERFACE)
target_compile_definitions(sweetspot_spdlog INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
find_package(CLI11 REQUIRED)
pkg_check_modules(SYSTEMD REQUIRED IMPORTED_TARGET libsystemd>=249)
# The oldest with all that src/store uses, that of Ubuntu 22.04.
pkg_check_modules(SQLITE3 REQUIRED IMPORTED_TARGET sqlite3>=3.37)
pkg_check_modules(FUSE3 REQUIRED IMPORTED_TARGET fuse3>=3.10)
if(SWEETSPOT_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
