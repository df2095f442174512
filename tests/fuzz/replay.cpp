// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/properties.hpp"

// A main() for a fuzz target in an ordinary build: runs the target with the empty input, with every file of the folders
// named and with each of their beginnings, which cost nothing to have. Names the file at hand when a promise breaks.
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::filesystem::path> files_below(int count, char** folders) {
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < count; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(folders[i])) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  const auto files = files_below(argc - 1, argv + 1);
  (void)LLVMFuzzerTestOneInput(nullptr, 0);
  std::size_t runs = 1;
  for (const auto& path : files) {
    std::cout << path.filename().string() << std::endl;  // flushed: what is printed last before an abort is the culprit
    const Bytes whole = content_of(path);
    // A copy of exact size each, so that the address sanitizer sees a read behind its end.
    for (std::size_t size = whole.size();; size = size * 3 / 4) {
      const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      (void)LLVMFuzzerTestOneInput(part.data(), part.size());
      ++runs;
      if (size == 0) break;
    }
  }
  std::cout << runs << " runs over " << files.size() << " files\n";
  return files.empty() ? 1 : 0;
}
