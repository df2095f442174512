// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/store/past_job.hpp"

namespace sweetspot {

std::string history_path(const std::string& state_folder) {
  return state_folder + "/history.db";
}

}  // namespace sweetspot
