// SPDX-License-Identifier: Apache-2.0
#include "simulator/attribute_tree.hpp"

#include <filesystem>

namespace sweetspot {

namespace {
namespace fs = std::filesystem;
constexpr int most_links = 40;
}  // namespace

AttributeTree::AttributeTree(uid_t uid, gid_t gid) : uid_(uid), gid_(gid) {
  nodes_.emplace_back();  // 0 means "none"
  nodes_.emplace_back();
  nodes_.back().path = "";
  nodes_.back().parent = root_node;
  nodes_.back().uid = uid;
  nodes_.back().gid = gid;
}

NodeId AttributeTree::add(const std::string& path, AttributeNode::Kind kind, mode_t mode) {
  const auto slash = path.rfind('/');
  const NodeId parent = slash == 0 ? root_node : add_directory(path.substr(0, slash));
  const std::string name = path.substr(slash + 1);
  if (const NodeId old = child(parent, name); old != 0) detach_below(old);
  AttributeNode node;
  node.kind = kind;
  node.path = path;
  node.parent = parent;
  node.mode = mode;
  node.uid = uid_;
  node.gid = gid_;
  nodes_.push_back(std::move(node));
  const NodeId id = nodes_.size() - 1;
  nodes_[parent].children[name] = id;
  return id;
}

NodeId AttributeTree::add_directory(const std::string& path) {
  const auto slash = path.rfind('/');
  const NodeId parent = slash == 0 ? root_node : add_directory(path.substr(0, slash));
  const NodeId present = child(parent, path.substr(slash + 1));
  if (present != 0 && nodes_[present].kind == AttributeNode::Kind::directory) return present;
  return add(path, AttributeNode::Kind::directory, 0755);
}

void AttributeTree::add_link(const std::string& path, const std::string& target) {
  const NodeId id = add(path, AttributeNode::Kind::link, 0777);
  // sysfs climbs to a directory above both and always ends with the target's own name.
  const fs::path to(target);
  nodes_[id].target =
      (to.parent_path().lexically_relative(fs::path(path).parent_path()) / to.filename()).lexically_normal().string();
}

void AttributeTree::add_relative_link(const std::string& path, std::string target) {
  const NodeId id = add(path, AttributeNode::Kind::link, 0777);
  nodes_[id].target = std::move(target);
}

void AttributeTree::add_attribute(const std::string& path, mode_t mode, Show show, Store store) {
  const NodeId id = add(path, AttributeNode::Kind::attribute, mode);
  nodes_[id].show = std::move(show);
  nodes_[id].store = std::move(store);
}

void AttributeTree::add_text(const std::string& path, const std::string& text) {
  add_bytes(path, text + "\n");
}

void AttributeTree::add_bytes(const std::string& path, std::string bytes) {
  add_attribute(path, 0444, [bytes = std::move(bytes)](const Opening&) -> Shown { return bytes; });
  nodes_.back().constant = true;
}

void AttributeTree::detach(const std::string& path) {
  const auto slash = path.rfind('/');
  const NodeId parent = slash == 0 ? root_node : resolve(path.substr(0, slash));
  if (parent == 0) return;
  const NodeId id = child(parent, path.substr(slash + 1));
  if (id == 0) return;
  nodes_[parent].children.erase(path.substr(slash + 1));
  detach_below(id);
}

void AttributeTree::detach_below(NodeId id) {
  nodes_[id].attached = false;
  for (const auto& [name, below] : nodes_[id].children) detach_below(below);
  nodes_[id].children.clear();
}

NodeId AttributeTree::child(NodeId parent, std::string_view name) const {
  const auto& children = nodes_[parent].children;
  const auto found = children.find(std::string(name));
  return found == children.end() ? 0 : found->second;
}

NodeId AttributeTree::exactly(std::string_view path) const {
  NodeId at = root_node;
  for (const auto& part : fs::path(path)) {
    if (part.empty() || part == "/") continue;
    at = child(at, part.string());
    if (at == 0) return 0;
  }
  return at;
}

std::vector<std::string> AttributeTree::leaves_below(const std::string& path) const {
  std::vector<std::string> paths;
  if (const NodeId id = exactly(path); id != 0) collect_leaves(id, paths);
  return paths;
}

void AttributeTree::collect_leaves(NodeId id, std::vector<std::string>& paths) const {
  const AttributeNode& here = nodes_[id];
  if (here.kind != AttributeNode::Kind::directory) paths.push_back(here.path);
  for (const auto& [name, below] : here.children) collect_leaves(below, paths);
}

NodeId AttributeTree::resolve(std::string_view path) const {
  return resolve_within(path, most_links);
}

NodeId AttributeTree::resolve_within(std::string_view path, int links_left) const {
  if (links_left == 0) return 0;
  NodeId at = root_node;
  for (const auto& part : fs::path(path)) {
    if (part.empty() || part == "/" || part == ".") continue;
    at = part == ".." ? nodes_[at].parent : child(at, part.string());
    if (at == 0) return 0;
    if (nodes_[at].kind == AttributeNode::Kind::link) {
      at = resolve_within(nodes_[nodes_[at].parent].path + "/" + nodes_[at].target, links_left - 1);
      if (at == 0) return 0;
    }
  }
  return at;
}

}  // namespace sweetspot
