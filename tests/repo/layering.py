# SPDX-License-Identifier: Apache-2.0
"""Which module may include what. This table is the rule; docs/architecture.md explains it."""

import re

# Modules a module may use besides itself.
MODULES = {
    "core": set(),
    "wire": {"core"},
    "platform": {"core"},
    "store": {"core"},
    "analysis": {"core", "wire"},
    "service": {"core", "wire", "platform", "store"},
    "client": {"core", "wire", "platform"},
    "simulator": {"core"},
    "load": {"core"},
    "apps": {"core", "wire", "platform", "store", "analysis", "service", "client", "simulator", "load"},
}

# The service is used by the daemon's main() alone and has no public headers: these are the ones main() wires together.
HEADERS_BESIDE_SOURCES = {("apps", "service")}

# Libraries a module may use; `c` are the headers of libc and the kernel.
LIBRARIES = {
    "core": {"tl"},
    "wire": {"tl", "nlohmann"},
    "platform": {"tl", "c"},
    "store": {"tl", "c", "sqlite"},
    "analysis": {"tl"},
    "service": {"tl", "c", "systemd", "spdlog"},
    "client": {"tl", "c"},
    "simulator": {"tl", "c", "fuse"},
    "load": {"tl", "cuda"},
    "apps": {"tl", "c", "cli11", "spdlog", "systemd"},
}

# Seen in a .cpp only, so that whoever uses the module does not see them.
CPP_ONLY = {"nlohmann", "sqlite", "fuse", "cuda"}

# Parts of the standard library that would give a pure module a clock, a thread or a file.
PURE = {"core", "wire", "analysis"}
IMPURE_STANDARD = {
    "thread", "mutex", "shared_mutex", "condition_variable", "atomic", "future", "semaphore", "latch", "barrier",
    "stop_token", "fstream", "iostream", "filesystem", "csignal", "random",
}
IMPURE_CALLS = re.compile(
    r"\b(steady_clock|system_clock|high_resolution_clock)::now|\bgetenv\s*\(|\bstd::time\s*\(|\bclock_gettime\s*\(|\bstd::cerr\b"
)

LIBRARY_OF = [
    (re.compile(r"tl/"), "tl"),
    (re.compile(r"nlohmann/"), "nlohmann"),
    (re.compile(r"(spdlog|fmt)/"), "spdlog"),
    (re.compile(r"systemd/"), "systemd"),
    (re.compile(r"CLI/"), "cli11"),
    (re.compile(r"(fuse3/)?fuse(_\w+)?\.h$"), "fuse"),
    (re.compile(r"sqlite3\.h$"), "sqlite"),
    (re.compile(r"(cuda|cublas)_\w+\.h$"), "cuda"),
    (re.compile(r"[a-z_0-9]+$"), "standard"),
    (re.compile(r"(sys|linux|asm|arpa|net|netinet)/"), "c"),
    (re.compile(r"[a-z_0-9]+\.h$"), "c"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def module_of(path):
    parts = path.parts
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "sweetspot") and len(parts) > 3:
        return parts[2]
    return None


def library_of(header):
    return next((name for pattern, name in LIBRARY_OF if pattern.match(header)), "unknown")


def include_fault(module, path, header):
    """Why this module's file may not include this header, or None."""
    own = re.match(r"(?:sweetspot/)?(\w+)/", header)
    if own and own.group(1) in MODULES and header.endswith((".hpp", ".inc")):
        used = own.group(1)
        if used != module and used not in MODULES[module]:
            return f"{module} may not use {used}"
        public = header.startswith("sweetspot/") or (module, used) in HEADERS_BESIDE_SOURCES
        if used != module and not public:
            return f"{module} may not use a private header of {used}"
        return None
    if header.endswith((".hpp", ".inc")) and library_of(header) == "unknown":
        return None  # a private header beside the file
    library = library_of(header)
    if library == "standard":
        return f"{module} may not use <{header}>" if module in PURE and header in IMPURE_STANDARD else None
    if library not in LIBRARIES[module]:
        return f"{module} may not use {library}"
    if library in CPP_ONLY and path.suffix != ".cpp" and path.parts[0] == "include":
        return f"{library} belongs in a .cpp"
    return None


def faults(repository):
    found = []
    for path in repository.cpp("src", "include"):
        module = module_of(path)
        if module not in MODULES:
            found.append(f"{path}: no module of the table")
            continue
        for number, line in repository.lines(path):
            match = INCLUDE.match(line)
            fault = include_fault(module, path, match.group(2)) if match else None
            if fault:
                found.append(f"{path}:{number}: {fault}: {match.group(2)}")
            if module in PURE and IMPURE_CALLS.search(line):
                found.append(f"{path}:{number}: {module} has no clock and no environment: {line.strip()}")
    return found
