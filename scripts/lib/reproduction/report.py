# SPDX-License-Identifier: Apache-2.0
"""The reproduction's answer: what was done, what came out, and the paper's figures beside it."""

import collections

from tables import figures_of, group_tables, mean, percent, policy_rows, table, task_table

PAPER = {
    "saving of MLG over MAXN, mean": "13.11 %",
    "saving of MLG over MAXN, most": "26.73 % (BERT-base, MNLI)",
    "saving of MLG over MAXN, models above 70 M": "above 22 %",
    "saving of MLG over MAXN, models up to 70 M": "varies, some lose",
    "MLG less than FFG, mean": "0.9 %",
    "accuracy by leave-one-out": "0.62",
}


def clock_text(hertz):
    return f"{hertz / 1e6:g} MHz"


def data_section(characterised):
    shapes = collections.Counter(curve["shape"] for curve in characterised)
    best = collections.Counter(curve["best_hz"] for curve in characterised)
    text = f"{len(characterised)} curves: " + ", ".join(f"{count} {shape}" for shape, count in sorted(shapes.items())) + ".\n\n"
    rows = [[clock_text(clock), str(best[clock])] for clock in sorted(best)]
    return text + table(("best clock", "configurations"), rows)


def trees_section(trees):
    rows = []
    for objective, (report, _) in trees.items():
        held_out, one = report["held_out"], report["one_clock"]
        rows.append([f"`{objective}`", *map(percent, (held_out["accuracy"], held_out["regret_mean"], held_out["regret_worst"]))])
    last = next(iter(trees.values()))[0]
    one = last["one_clock"]
    name = f"one clock for all, {clock_text(last['one_clock_hz'])}"
    rows.append([name, *map(percent, (one["accuracy"], one["regret_mean"], one["regret_worst"]))])
    text = table(("left out one by one", "right", "regret: mean", "worst"), rows)
    for objective, (_, tree) in trees.items():
        text += f"\n`--objective {objective}`:\n\n```text\n{tree}\n```\n"
    return text


def unseen_section(results, unseen, policies):
    text = group_tables(results, unseen, policies)
    moved = sum(row["frequency_hz"] == 1020e6 for row in figures_of(results, unseen, "mlg"))
    text += "Mean saving over MAXN by task:\n\n" + task_table(results, unseen, policies)
    return text + f"\nThe second stage of `mlg` (1020 MHz) answers for {moved} of the {len(unseen)}.\n"


def ours(results, unseen, accuracy):
    """The figures here by the names of the paper's."""
    saving = {each: results[each.curve_id, "mlg"]["saving_vs_maxn"] for each in unseen}
    large = [saving[each] for each in unseen if each.model.is_large]
    small = [saving[each] for each in unseen if not each.model.is_large]
    most = max(saving, key=saving.get)
    # Savings over MAXN of both policies give the ratio of their energies without the energies themselves.
    over_ffg = [
        1 - (1 - results[each.curve_id, "mlg"]["saving_vs_maxn"]) / (1 - results[each.curve_id, "ffg"]["saving_vs_maxn"])
        for each in unseen
    ]
    losing = sum(value < 0 for value in small)
    found = {
        "saving of MLG over MAXN, mean": percent(mean(saving.values()), 2),
        "saving of MLG over MAXN, most": f"{percent(saving[most], 2)} ({most.name})",
        "saving of MLG over MAXN, models above 70 M": f"{percent(mean(large))} in the mean, {percent(min(large))} to {percent(max(large))}" if large else "-",
        "saving of MLG over MAXN, models up to 70 M": (
            f"{percent(mean(small))} in the mean, {percent(min(small))} to {percent(max(small))}, {losing} of {len(small)} lose"
            if small
            else "-"
        ),
        "MLG less than FFG, mean": percent(mean(over_ffg)),
        "accuracy by leave-one-out": f"{accuracy:.2f}",
    }
    base = next((each for each in unseen if each.name == "bert-base/mnli"), None)
    if base:
        found["saving of MLG over MAXN, most"] += f"; bert-base/mnli: {percent(saving[base], 2)}"
    return found


def paper_section(results, unseen, accuracy):
    found = ours(results, unseen, accuracy)
    return table(("figure", "the paper, measured on a board", "here, simulated"), [[name, PAPER[name], found[name]] for name in PAPER])


def measured_section(results, policies):
    """On the authors' own published curves, which nothing here was fitted to but the step shapes and two of the 27 curves."""
    curves = sorted({curve for curve, _ in results if curve.startswith("orin-")})
    rows = []
    for curve in curves:
        rows.append([curve.removeprefix("orin-train-"), *(percent(results[curve, policy]["regret"]) for policy in policies.values())])
    return table(("regret on published curve", *policies), rows)


def swept_section(name, offline, swept):
    """A sweep through daemon and board beside the same curve worked out offline: {clock: joules} each."""
    rows = []
    for clock in offline:
        difference = swept[clock] / offline[clock] - 1 if clock in swept else None
        joules = f"{swept[clock]:,.0f}" if clock in swept else "-"
        rows.append([clock if clock == "MAXN" else f"{clock} MHz", f"{offline[clock]:,.0f}", joules, percent(difference)])
    best = [min((clock for clock in energies if clock != "MAXN"), key=energies.get) for energies in (offline, swept)]
    text = table((name, "offline, J", "swept, J", "difference"), rows)
    return text + f"\nBest clock offline {best[0]} MHz, swept {best[1]} MHz.\n"


def training_rows(results, training, policies):
    return table(
        ("policy", "saving: mean", "most", "least", "regret: mean", "worst", "slower than the fastest"),
        policy_rows(results, training, policies),
    )
