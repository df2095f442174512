# SPDX-License-Identifier: Apache-2.0
"""The completion of a program in zsh."""

from .values import values_of

HEAD = """\
#compdef {name}
# SPDX-License-Identifier: Apache-2.0
# Completion of {name} in zsh, made by scripts/generate-manuals from `{name} --help`.
"""

COMMANDS = """
{function}() {{
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C -S \\
{options}
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
{commands}
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
{cases}
      esac
      ;;
  esac
}}

{function} "$@"
"""

PLAIN = """
_arguments -S \\
{options}
"""


def script(command):
    head = HEAD.format(name=command.name)
    if not command.subcommands:
        return head + PLAIN.format(options=_specs(command.options(), "  "))
    everywhere = [option for option in command.options() if option.names[-1] not in ("--help", "--version")]
    cases = ""
    for each in command.subcommands:
        shared = everywhere if command.name == "sweetspot" else []
        specs = _specs(each.options() + shared, " " * 12)
        if each.name in ("run", "sweep"):
            specs += " \\\n" + " " * 12 + "'*:::command:_normal'"
        cases += f"        {each.name})\n          _arguments -S \\\n{specs}\n          ;;\n"
    return head + COMMANDS.format(
        function="_" + command.name.replace("-", "_"),
        options=_specs(command.options(), "    ") + " \\",
        commands="\n".join(f"        {_quoted(each.name + ':' + each.sentence())}" for each in command.subcommands),
        cases=cases.rstrip("\n"),
    )


def _specs(options, indent):
    return " \\\n".join(indent + _spec(option) for option in options)


def _spec(option):
    if option.is_positional:
        return _quoted(f"{'*' if option.repeatable else ''}:{option.names[0]}:{_action(option)}")
    repeat = "*" if option.repeatable else ""
    description = _escaped(option.description)
    if not option.value:
        exclusive = "(- *)" if option.names[-1] in ("--help", "--version") else ""
        return _each_name(option, lambda name: f"{exclusive}{repeat}{name}[{description}]")
    value = f":{_escaped(option.value)}:{_action(option)}"
    return _each_name(option, lambda name: f"{repeat}{name}{'=' if name.startswith('--') else ''}[{description}]{value}")


def _each_name(option, spec):
    return " ".join(_quoted(spec(name)) for name in option.names)


def _action(option):
    values = values_of(option)
    return {
        "files": "_files",
        "folders": "_files -/",
        "groups": "_groups",
        "processes": "_pids",
        "words": f"({' '.join(values.words)})",
        "listed": f"($({values.command} 2>/dev/null | awk 'NR > 1 {{ print $1 }}'))",
        "free": " ",
    }[values.kind]


def _escaped(text):
    for letter in "\\[]:":
        text = text.replace(letter, "\\" + letter)
    return text


def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"
