# SPDX-License-Identifier: Apache-2.0
"""The completion of a program in bash."""

from .values import values_of

HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion of {name} in bash, made by scripts/generate-manuals from `{name} --help`.

{function}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}{variables}
  # bash splits --option=value into three words.
  [ "$current" != = ] || current=
  [ "$previous" != = ] || previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  COMPREPLY=()
"""

FIND_COMMAND = """\
  for ((index = 1; index < COMP_CWORD; index++)); do
    case ${{COMP_WORDS[index]}} in
      {valued}) ((++index)) ;;{wrapped}
      {commands}) [ -n "$command" ] || command=${{COMP_WORDS[index]}} ;;
    esac
  done
"""

# What follows is completed as that command's own line, where bash-completion is loaded.
WRAPPED = """
      --)
        if declare -F _command_offset >/dev/null; then
          _command_offset $((index + 1))
        else
          mapfile -t COMPREPLY < <(compgen -c -f -- "$current")
        fi
        return
        ;;"""


def script(command):
    function = "_" + command.name.replace("-", "_")
    variables = " command='' index" if command.subcommands else ""
    out = HEAD.format(name=command.name, function=function, variables=variables)
    everywhere = [option for option in command.options() if option.names[-1] not in ("--help", "--version")]
    if command.subcommands:
        out += FIND_COMMAND.format(
            valued="|".join(_valued_names(command)),
            wrapped=WRAPPED if any(each.name == "run" for each in command.subcommands) else "",
            commands="|".join(each.name for each in command.subcommands),
        )
    out += _values(command)
    if not command.subcommands:
        return out + "  " + _offer_words(command.options(), []) + "\n}\n\n" + f"complete -F {function} {command.name}\n"
    out += "  case $command in\n"
    for each in command.subcommands:
        shared = everywhere if command.name == "sweetspot" else []
        out += _words(each.name, each.options() + shared, [])
    out += _words("''", command.options(), [each.name for each in command.subcommands])
    out += "  esac\n}\n\n"
    return out + f"complete -F {function} {command.name}\n"


def _all_options(command):
    return command.options() + [option for each in command.subcommands for option in each.options()]


def _valued_names(command):
    return sorted({name for option in _all_options(command) if option.value and not option.is_positional for name in option.names})


def _values(command):
    """One case for each option that takes a value; nothing is offered where anything may stand."""
    cases = {}
    for owner in [command, *command.subcommands]:
        for option in owner.options():
            if option.value and not option.is_positional:
                prefix = f"'{owner.name} '" if owner is not command else "*' '" if command.subcommands else ""
                for name in option.names:
                    cases.setdefault(_offer(values_of(option)), []).append(f"{prefix}{name}")
    subject = '"$command $previous"' if command.subcommands else "$previous"
    out = f"  case {subject} in\n"
    for offer, patterns in sorted(cases.items(), key=lambda item: item[1]):
        out += f"    {' | '.join(patterns)})\n{offer}      return\n      ;;\n"
    return out + "  esac\n"


def _offer(values):
    compgen = {
        "files": "-f",
        "folders": "-d",
        "groups": "-g",
        "words": f"-W '{' '.join(values.words)}'",
        "listed": f"-W \"$({values.command} 2>/dev/null | awk 'NR > 1 {{ print $1 }}')\"",
        "processes": '-W "$(ps -u "$(id -u)" -o pid= 2>/dev/null)"',
    }.get(values.kind)
    if not compgen:
        return ""
    paths = "      compopt -o filenames 2>/dev/null\n" if values.kind in ("files", "folders") else ""
    return f'      mapfile -t COMPREPLY < <(compgen {compgen} -- "$current")\n{paths}'


def _words(pattern, options, commands):
    """Options and commands; a positional argument that is a path, unless an option has begun."""
    offer = _offer_words(options, commands)
    paths = [option for option in options if option.is_positional and values_of(option).kind == "folders"]
    if not paths:
        return f"    {pattern}) {offer} ;;\n"
    return (
        f"    {pattern})\n      if [[ $current == -* ]]; then\n        {offer}\n      else\n"
        f'        mapfile -t COMPREPLY < <(compgen -d -- "$current")\n        compopt -o filenames 2>/dev/null\n      fi\n      ;;\n'
    )


def _offer_words(options, commands):
    names = [name for option in options if not option.is_positional for name in option.names if name.startswith("--")]
    return f"mapfile -t COMPREPLY < <(compgen -W '{' '.join(commands + names)}' -- \"$current\")"
