# SPDX-License-Identifier: Apache-2.0
"""What the tests of `sweetspot report` share: curves to report on, and a page as its elements."""

import html.parser
import pathlib
import subprocess

VOID = {"meta", "link", "img", "br", "hr", "input", "col"}

# A workload of five clocks with three runs each, times, and runs of the default governor; one of energies alone, whose
# name would be a program if it were not escaped.
HOSTILE = "</td><script>console.error('a name ran')</script>"
CLOCKS_MHZ = (306, 510, 612, 816, 1300.5)
ENERGIES_J = (690, 540, 530, 550, 740)
COLUMNS = "curve_id,platform,workload,layers,mean_sequence_length,gpu_freq_mhz,time_s,energy_j,energy_scope,source"


def curves():
    """The file's text."""
    lines = [COLUMNS]
    for run in range(3):
        for clock, energy in zip((*CLOCKS_MHZ, "MAXN"), (*ENERGIES_J, 560)):
            seconds = 20_000 / (clock if clock != "MAXN" else 1300) + run / 10
            lines.append(f"one,agx-orin-64,bert-large/qnli,24,51,{clock},{seconds},{energy + 4 * run},VDD_GPU_SOC+VDD_CPU_CV,simulated: test")
    for clock, energy in zip(CLOCKS_MHZ, ENERGIES_J):
        lines.append(f'two,agx-orin-64,"{HOSTILE}",6,14,{clock},,{energy},"{HOSTILE}","{HOSTILE}"')
    return "\n".join(lines) + "\n"


# Charts by the ids of their elements, and how many points each has.
POINTS = {"curve-1-energy": 5, "curve-1-time": 5, "curve-1-power": 5, "curve-2-energy": 5}


def sweetspot(program, *arguments, **options):
    """Runs the command apart from any service of this machine."""
    return subprocess.run(
        [program, "--socket", "/nonexistent/socket", *map(str, arguments)],
        capture_output=True, text=True, timeout=120, check=False, **options,
    )


def make_page(program, folder):
    """A page of these curves in the folder; its path."""
    folder = pathlib.Path(folder)
    (folder / "curves.csv").write_text(curves())
    page = folder / "report.html"
    done = sweetspot(program, "report", folder / "curves.csv", "--state-dir", folder, "-o", page)
    if done.returncode != 0:
        raise AssertionError(f"sweetspot report: status {done.returncode}: {done.stderr}")
    return page


class Element:
    def __init__(self, name, attributes, parent):
        self.name, self.attributes, self.parent = name, dict(attributes), parent
        self.children, self.text = [], ""

    def all(self, name):
        for child in self.children:
            if child.name == name:
                yield child
            yield from child.all(name)

    def classes(self):
        return (self.attributes.get("class") or "").split()


class Page(html.parser.HTMLParser):
    """The elements of a page; `faults` are tags that do not match."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.open = Element("", (), None)
        self.faults = []
        self.feed(text)
        self.close()
        if self.open is not self.root:
            self.faults.append(f"<{self.open.name}> is not closed")

    def handle_starttag(self, tag, attrs):
        element = Element(tag, attrs, self.open)
        self.open.children.append(element)
        if tag not in VOID:
            self.open = element

    def handle_startendtag(self, tag, attrs):
        self.open.children.append(Element(tag, attrs, self.open))

    def handle_endtag(self, tag):
        if self.open.name != tag:
            self.faults.append(f"</{tag}> within <{self.open.name}>")
            return
        self.open = self.open.parent

    def handle_data(self, data):
        self.open.text += data

    def points(self):
        """How many points each chart has, by the chart's id."""
        counts = {}
        for svg in self.root.all("svg"):
            points = [circle for circle in svg.all("circle") if "point" in circle.classes()]
            if points:
                counts[svg.attributes["id"]] = len(points)
        return counts
