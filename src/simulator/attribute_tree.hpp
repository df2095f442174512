// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace sweetspot {

constexpr mode_t read_only = 0444;
constexpr mode_t writable = 0644;

using NodeId = std::uint64_t;

/// One open file, as attributes that answer each opener differently need it (DIR/control).
struct Opening {
  std::uint64_t id = 0;
  std::string program;  ///< comm of the process
};

/// Text, or an errno.
using Shown = tl::expected<std::string, int>;
using Show = std::function<Shown(const Opening&)>;
/// Takes one whole write; returns an errno, 0 = accepted.
using Store = std::function<int(std::string_view, const Opening&)>;

struct AttributeNode {
  enum class Kind { directory, link, attribute };
  Kind kind = Kind::directory;
  std::string path;  ///< from the mount, "/sys/class"
  NodeId parent = 0;
  mode_t mode = 0755;
  uid_t uid = 0;
  gid_t gid = 0;
  bool attached = true;
  std::map<std::string, NodeId> children;
  std::string target;
  Show show;
  Store store;
  bool constant = false;  ///< always reads the same
};

/// Directories, links and attributes as sysfs has them. Nodes are never destroyed: one that was detached answers ENODEV
/// to those who hold it open and is found by nobody else. Parents are made as needed. Knows no FUSE.
class AttributeTree {
 public:
  AttributeTree(uid_t uid, gid_t gid);

  NodeId add_directory(const std::string& path);
  /// `target` is from the mount ("/sys/…"); stored as sysfs does, relative to the link.
  void add_link(const std::string& path, const std::string& target);
  /// `target` as it is to be read.
  void add_relative_link(const std::string& path, std::string target);
  void add_attribute(const std::string& path, mode_t mode, Show show, Store store = nullptr);
  /// An attribute that always reads the same: `text` and a newline.
  void add_text(const std::string& path, const std::string& text);
  /// Bytes as they are (device tree strings).
  void add_bytes(const std::string& path, std::string bytes);
  /// Takes a node and everything below it out. Silent when it does not exist.
  void detach(const std::string& path);

  [[nodiscard]] const AttributeNode& node(NodeId id) const { return nodes_.at(id); }
  [[nodiscard]] AttributeNode& node(NodeId id) { return nodes_.at(id); }
  [[nodiscard]] bool exists(NodeId id) const { return id < nodes_.size(); }
  /// 0 when there is none. The root is 1, as in FUSE.
  [[nodiscard]] NodeId child(NodeId parent, std::string_view name) const;
  /// The node of that very path, links not followed; 0 when there is none.
  [[nodiscard]] NodeId exactly(std::string_view path) const;
  /// Paths of all attributes and links at or below `path`.
  [[nodiscard]] std::vector<std::string> leaves_below(const std::string& path) const;
  /// Follows links; 0 when a part is missing.
  [[nodiscard]] NodeId resolve(std::string_view path) const;

 private:
  NodeId add(const std::string& path, AttributeNode::Kind kind, mode_t mode);
  [[nodiscard]] NodeId resolve_within(std::string_view path, int links_left) const;
  void detach_below(NodeId id);
  void collect_leaves(NodeId id, std::vector<std::string>& paths) const;

  uid_t uid_;
  gid_t gid_;
  std::vector<AttributeNode> nodes_;
};

inline constexpr NodeId root_node = 1;

}  // namespace sweetspot
