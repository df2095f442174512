# SPDX-License-Identifier: Apache-2.0
"""Figures of the reproduction as Markdown."""


def percent(value, digits=1):
    return "-" if value is None else f"{100 * value:.{digits}f} %".replace("-0.0 %", "0.0 %")


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def figures_of(results, wanted, policy):
    return [results[configuration.curve_id, policy] for configuration in wanted]


def policy_rows(results, wanted, policies):
    """One row per policy: saving over MAXN (mean, most, least), regret (mean, worst)."""
    rows = []
    for name, policy in policies.items():
        figures = figures_of(results, wanted, policy)
        savings = [row["saving_vs_maxn"] for row in figures]
        regrets = [row["regret"] for row in figures]
        slow = [row["slowdown"] for row in figures]
        rows.append([name, *map(percent, (mean(savings), max(savings), min(savings), mean(regrets), max(regrets), mean(slow)))])
    return rows


POLICY_HEAD = ("policy", "saving: mean", "most", "least", "regret: mean", "worst", "slower than the fastest")


def groups(wanted):
    yield "All", wanted
    yield "Models above 70 M parameters", [each for each in wanted if each.model.is_large]
    yield "Models up to 70 M parameters", [each for each in wanted if not each.model.is_large]


def group_tables(results, wanted, policies):
    text = ""
    for title, members in groups(wanted):
        if members:
            rows = policy_rows(results, members, policies)
            text += f"**{title}** ({len(members)} configurations):\n\n" + table(POLICY_HEAD, rows) + "\n"
    return text


def task_table(results, wanted, policies):
    """Mean saving over MAXN per task."""
    rows = []
    for task in dict.fromkeys(each.task for each in wanted):
        members = [each for each in wanted if each.task == task]
        savings = [mean([row["saving_vs_maxn"] for row in figures_of(results, members, policy)]) for policy in policies.values()]
        rows.append([task.name, f"{task.mean_length:g}", *map(percent, savings)])
    return table(("task", "length", *policies), rows)
