# SPDX-License-Identifier: Apache-2.0
"""A browser shows the page of `sweetspot report`: drawn, light and dark, narrow and on paper, without a complaint.

Usage: report_browser_test.py SWEETSPOT; exit status 77: skipped, no chromium.
"""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

import report_page

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if not BROWSER:
    print("skipped: no chromium here; the Debian package chromium (80 MB) brings it")
    sys.exit(77)
PROGRAM = sys.argv.pop(1)
COMPLAINT = re.compile(r"^.*:CONSOLE.*$", re.MULTILINE)
LIGHT_GROUND, DARK_GROUND = (0xFF, 0xFF, 0xFF), (0x14, 0x18, 0x1F)
LIGHT_BAR, DARK_BAR = (0x1F, 0x5F, 0xD0), (0x6E, 0xA8, 0xFE)


def unfiltered(rows, pixel):
    """PNG's five filters undone (RFC 2083, 6)."""
    above = bytes(len(rows[0]) - 1)
    for row in rows:
        kind, line = row[0], bytearray(row[1:])
        if kind == 1:
            for i in range(pixel, len(line)):
                line[i] = (line[i] + line[i - pixel]) & 255
        elif kind == 2:
            line = bytearray((a + b) & 255 for a, b in zip(line, above))
        elif kind == 3:
            for i, up in enumerate(above):
                left = line[i - pixel] if i >= pixel else 0
                line[i] = (line[i] + (left + up) // 2) & 255
        elif kind == 4:
            for i, up in enumerate(above):
                left, corner = (line[i - pixel], above[i - pixel]) if i >= pixel else (0, 0)
                to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                nearest = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
                line[i] = (line[i] + nearest) & 255
        yield line
        above = line


def colours(png):
    """How many pixels have which colour."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    if depth != 8 or kind not in (2, 6):
        raise AssertionError(f"a screenshot of depth {depth} and kind {kind}")
    pixel = 3 if kind == 2 else 4
    data, place = b"", 8
    while place < len(png):
        length = struct.unpack(">I", png[place:place + 4])[0]
        if png[place + 4:place + 8] == b"IDAT":
            data += png[place + 8:place + 8 + length]
        place += length + 12
    raw, step = zlib.decompress(data), width * pixel + 1
    counts = {}
    for line in unfiltered([raw[i * step:(i + 1) * step] for i in range(height)], pixel):
        for i in range(0, len(line), pixel):
            colour = tuple(line[i:i + 3])
            counts[colour] = counts.get(colour, 0) + 1
    return counts


class InABrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.made.cleanup)
        cls.folder = pathlib.Path(cls.made.name)
        cls.page = report_page.make_page(PROGRAM, cls.folder)

    def browse(self, page, *options, size=(900, 1000)):
        """Opens a page; what the browser printed, and what it said of the page."""
        # Without its sandbox, since root has none and nothing is opened but what this test has made.
        done = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
             f"--user-data-dir={self.folder}/profile", "--enable-logging=stderr", f"--window-size={size[0]},{size[1]}", *options, page.as_uri()],
            capture_output=True, text=True, timeout=120, check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, COMPLAINT.findall(done.stderr)

    def screenshot(self, *options):
        picture = self.folder / "picture.png"
        picture.unlink(missing_ok=True)
        _, complaints = self.browse(self.page, f"--screenshot={picture}", *options)
        self.assertEqual(complaints, [])
        return colours(picture.read_bytes())

    def test_the_browser_has_every_point_and_no_complaint(self):
        text, complaints = self.browse(self.page, "--dump-dom")
        self.assertEqual(complaints, [])
        page = report_page.Page(text)
        self.assertEqual(page.points(), report_page.POINTS)
        self.assertEqual(list(page.root.all("script")), [])

    def test_a_complaint_would_be_seen(self):
        page = self.folder / "complains.html"
        page.write_text("<!DOCTYPE html><title>x</title><script>console.error('seen')</script>")
        self.assertIn("seen", "\n".join(self.browse(page, "--dump-dom")[1]))

    def test_by_day_it_is_light(self):
        seen = self.screenshot("--blink-settings=preferredColorScheme=1")
        self.assertEqual(max(seen, key=seen.get), LIGHT_GROUND)
        self.assertGreater(seen.get(LIGHT_BAR, 0), 100)
        self.assertGreater(len(seen), 50, "letters and lines have soft edges")

    def test_by_night_it_is_dark(self):
        seen = self.screenshot("--blink-settings=preferredColorScheme=0")
        self.assertEqual(max(seen, key=seen.get), DARK_GROUND)
        self.assertGreater(seen.get(DARK_BAR, 0), 100)
        self.assertNotIn(LIGHT_BAR, seen)

    def test_on_a_narrow_screen_only_tables_scroll_sideways(self):
        page = self.folder / "measured.html"
        text = re.sub(r"<meta http-equiv[^>]*>", "", self.page.read_text())
        ask = "document.title = document.documentElement.scrollWidth + ' of ' + document.documentElement.clientWidth"
        page.write_text(text.replace("</body>", f"<script>{ask}</script></body>"))
        shown, _ = self.browse(page, "--dump-dom", size=(390, 800))
        title = next(report_page.Page(shown).root.all("title")).text
        needed, there = map(int, title.split(" of "))
        self.assertLessEqual(needed, there)
        self.assertLess(there, 600, "the window is narrow")

    def test_it_prints(self):
        paper = self.folder / "report.pdf"
        _, complaints = self.browse(self.page, f"--print-to-pdf={paper}", "--no-pdf-header-footer")
        self.assertEqual(complaints, [])
        self.assertGreaterEqual(len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes())), 2)


if __name__ == "__main__":
    unittest.main()
