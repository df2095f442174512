# SPDX-License-Identifier: Apache-2.0
"""Energies of whole fine-tuning jobs as the paper's authors published them, joules over VDD_GPU_SOC + VDD_CPU_CV.

Source: github.com/esainulab/slmdvfs, commit 9e14047 (numbers only), Jetson AGX Orin 64 GB, one run per point. The paper is
J.-G. Park, S. Zholdybayev, A. Amangeldi, A. Zhanuzakova, "Energy-Efficient GPU DVFS for Fine-Tuning of SLMs on
Resource-constrained Embedded Devices", 2026.
"""

SOURCE = "github.com/esainulab/slmdvfs, commit 9e14047"
CLOCKS_MHZ = (306, 408, 510, 612, 714, 816, 918, 1020, 1122, 1224, 1300.5)

PINNED_J = {
    "deberta-v2-xlarge/sst2": dict(
        zip(CLOCKS_MHZ, (55292, 47512, 43026, 41044, 40927, 40982, 42053, 44379, 46298, 49987, 52476))
    ),
    "deberta-v2-xlarge/qnli": dict(
        zip(CLOCKS_MHZ, (693591, 596670, 545931, 536504, 539312, 549624, 572218, 610476, 641276, 698391, 737041))
    ),
    "pythia-14m/qnli": dict(zip(CLOCKS_MHZ, (2108, 2027, 2032, 2070, 2099, 2254, 2362, 2531, 2663, 2704, 2864))),
}

# Power mode MAXN, the kernel's own governor, no pin.
MAXN_J = {"deberta-v2-xlarge/sst2": 52317, "deberta-v2-xlarge/qnli": 552289, "pythia-14m/qnli": 2091}


def clock_mhz(hertz):
    """The clock of the published table nearest to a clock of the board (612000000 or 611980000 Hz: 612)."""
    return min(CLOCKS_MHZ, key=lambda mhz: abs(mhz - hertz / 1e6))


def saving(workload, share_of_steps):
    """Saving against MAXN, as a fraction, of a job that did these shares of its steps at these clocks (MHz)."""
    whole = sum(share_of_steps.values())
    joules = sum(share / whole * PINNED_J[workload][mhz] for mhz, share in share_of_steps.items())
    return 1 - joules / MAXN_J[workload]
