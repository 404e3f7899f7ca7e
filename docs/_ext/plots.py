"""Tables and plots of docs/data, whose files are measured figures of benches/results with device and date in their first line.
Plots are SVG in the page: text and axes have the colour of the text around them, in the light as in the dark."""

import csv
import html
import math
import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

DATA = Path(__file__).resolve().parents[1] / "data"
WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 62, 130, 12, 44


def read(name):
    """(device and date, source, header, rows) of docs/data/<name>.csv."""
    lines = (DATA / f"{name}.csv").read_text().splitlines()
    header, *rows = csv.reader(lines[2:])
    return lines[0].removeprefix("# "), lines[1].removeprefix("# "), header, rows


class Data(SphinxDirective):
    required_arguments = 1

    def load(self):
        self.env.note_dependency(str(DATA / f"{self.arguments[0]}.csv"))
        device, source, header, rows = read(self.arguments[0])
        pattern = re.compile(self.options.get("rows", ""))
        rows = [row for row in rows if pattern.search(row[0])]
        if not rows:
            raise self.error(f"no row of {self.arguments[0]} is {pattern.pattern}")
        return device, source, header, rows

    def caption(self, device):
        return nodes.paragraph("", self.options.get("caption", "") + f" Measured on {device}.", classes=["measured"])


class Measured(Data):
    """A table of measured figures; `rows` is a regular expression for the first column."""

    option_spec = {"rows": directives.unchanged, "caption": directives.unchanged}

    def run(self):
        device, _, header, rows = self.load()
        kept = [k for k in range(len(header)) if any(row[k] for row in rows)]
        table, group = nodes.table(), nodes.tgroup(cols=len(kept))
        table += group
        for _ in kept:
            group += nodes.colspec(colwidth=1)
        head, body = nodes.thead(), nodes.tbody()
        group += [head, body]
        for place, row in [(head, header)] + [(body, row) for row in rows]:
            line = nodes.row()
            place += line
            for k in kept:
                text = {"": "–"}.get(row[k], row[k])
                line += nodes.entry("", nodes.paragraph("", text), classes=["number"] if k > 0 else [])
        return [table, self.caption(device)]


def scrolling(svg):
    """A picture that scrolls where the screen is narrower than its letters need."""
    return nodes.raw("", f'<div class="scrolling">{svg}</div>', format="html")


def legend(names):
    """The names of series above a plot that is wider than its screen; elsewhere the plot's own names are seen."""
    items = "".join(f'<span class="s{k}"><i></i>{html.escape(name)}</span>' for k, name in enumerate(names))
    return nodes.raw("", f'<div class="legend" aria-hidden="true">{items}</div>', format="html")


def number(text):
    return float(re.sub(r"[^0-9.].*$", "", text)) if re.match(r"[0-9.]", text) else None


def ticks(low, high):
    """Powers of ten and what lies between few of them."""
    steps = [1, 2, 5] if high / low < 2000 else [1]
    found = [10.0**power * step for power in range(-6, 10) for step in steps]
    return [tick for tick in found if low * 0.999 <= tick <= high * 1.001]


def shown(tick):
    """A number of an axis; large powers of two as such."""
    power = math.log2(tick)
    if tick >= 2**16 and power.is_integer():
        return "2" + f"{power:.0f}".translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    if tick >= 1e6:
        return f"{tick / 1e6:g} M"
    return f"{tick:,.0f}".replace(",", " ") if tick >= 1000 else f"{tick:g}"


class Lines(Data):
    """Columns over the first one, both axes logarithmic."""

    option_spec = {"rows": directives.unchanged, "columns": directives.unchanged_required, "x": directives.unchanged_required,
                   "y": directives.unchanged_required, "caption": directives.unchanged, "alt": directives.unchanged_required}

    def run(self):
        device, _, header, rows = self.load()
        wanted = [name.strip() for name in self.options["columns"].split(",")]
        series = []
        for name in wanted:
            k = header.index(name)
            points = [(number(row[0]), number(row[k])) for row in rows if number(row[k])]
            series.append((name, points))
        svg = self.svg(series)
        return [legend(wanted), scrolling(svg), self.caption(device)]

    def svg(self, series):
        xs = [x for _, points in series for x, _ in points]
        ys = [y for _, points in series for _, y in points]
        low, high = min(ys) * 0.8, max(ys) * 1.25

        def across(x):
            return LEFT + (WIDTH - LEFT - RIGHT) * math.log(x / min(xs)) / math.log(max(xs) / min(xs))

        def up(y):
            return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log(y / low) / math.log(high / low)

        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        out = [f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(self.options["alt"])}">']
        for tick in ticks(low, high):
            out.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{up(tick):.1f}" y2="{up(tick):.1f}"/>'
                       f'<text x="{LEFT - 6}" y="{up(tick) + 4:.1f}" text-anchor="end">{shown(tick)}</text>')
        last = -100.0
        for x in sorted(set(xs)):
            if across(x) - last > 44:
                last = across(x)
                out.append(f'<line class="grid" x1="{last:.1f}" x2="{last:.1f}" y1="{TOP}" y2="{bottom}"/>'
                           f'<text x="{last:.1f}" y="{bottom + 16}" text-anchor="middle">{shown(x)}</text>')
        out.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{html.escape(self.options["x"])}</text>'
                   f'<text transform="translate(12 {(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">'
                   f'{html.escape(self.options["y"])}</text>')
        labels = spread([up(points[-1][1]) for _, points in series])
        for k, ((name, points), at) in enumerate(zip(series, labels)):
            path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points)
            dots = "".join(f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3"/>' for x, y in points)
            end = across(points[-1][0])
            out.append(f'<g class="series s{k}"><polyline points="{path}"/>{dots}'
                       f'<line class="lead" x1="{end + 4:.1f}" y1="{up(points[-1][1]):.1f}" x2="{right + 10}" y2="{at:.1f}"/>'
                       f'<text x="{right + 14}" y="{at + 4:.1f}">{html.escape(name)}</text></g>')
        return "".join(out) + "</svg>"


def spread(places, gap=15):
    """The places with at least a gap between any two, as near as possible to where they were."""
    order = sorted(range(len(places)), key=lambda k: places[k])
    placed, last = list(places), -1e9
    for k in order:
        placed[k] = last = max(placed[k], last + gap)
    over = max(0.0, last - (HEIGHT - BOTTOM))
    return [place - over for place in placed]


class Bars(Data):
    """Horizontal bars, a group for each row and a bar for each column."""

    option_spec = {"rows": directives.unchanged, "columns": directives.unchanged_required, "x": directives.unchanged_required,
                   "limit": directives.unchanged, "caption": directives.unchanged, "alt": directives.unchanged_required}

    def run(self):
        device, _, header, rows = self.load()
        wanted = [name.strip() for name in self.options["columns"].split(",")]
        return [legend(wanted), scrolling(self.svg(wanted, header, rows)), self.caption(device)]

    def svg(self, wanted, header, rows):
        columns = [header.index(name) for name in wanted]
        limit = self.options.get("limit", "")
        most = max([number(row[k]) or 0 for row in rows for k in columns] + [number(limit) or 0]) * 1.12
        left, thick = 16 + 6.9 * max(len(row[0]) for row in rows), 13
        group = thick * len(columns) + 9
        height = group * len(rows) + 62
        wide = WIDTH - left - 20
        out = [f'<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{html.escape(self.options["alt"])}">']
        for k, name in enumerate(wanted):
            x = left + k * 110
            out.append(f'<g class="series s{k}"><rect x="{x}" y="4" width="11" height="11"/>'
                       f'<text x="{x + 16}" y="14">{html.escape(name)}</text></g>')
        for r, row in enumerate(rows):
            y = 26 + r * group
            out.append(f'<text x="{left - 8}" y="{y + thick * len(columns) / 2 + 4:.1f}" text-anchor="end">'
                       f'{html.escape(row[0])}</text>')
            for k, column in enumerate(columns):
                value = number(row[column])
                if value:
                    long, at = wide * value / most, y + k * thick
                    out.append(f'<g class="series s{k}"><rect x="{left}" y="{at}" width="{long:.1f}" height="{thick - 2}"/></g>'
                               f'<text class="value" x="{left + long + 4:.1f}" y="{at + 10}">{row[column]}</text>')
        bottom = 26 + group * len(rows)
        out.append(f'<line class="axis" x1="{left}" x2="{left}" y1="22" y2="{bottom}"/>')
        if limit:
            x = left + wide * number(limit) / most
            out.append(f'<line class="limit" x1="{x:.1f}" x2="{x:.1f}" y1="22" y2="{bottom}"/>'
                       f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{html.escape(limit)}</text>')
        out.append(f'<text x="{left + wide / 2}" y="{height - 6}" text-anchor="middle">{html.escape(self.options["x"])}</text>')
        return "".join(out) + "</svg>"


class Picture(SphinxDirective):
    """docs/pictures/<name>.svg in the page, so that it has the page's colours."""

    required_arguments = 1
    option_spec = {"caption": directives.unchanged_required}

    def run(self):
        path = DATA.parent / "pictures" / f"{self.arguments[0]}.svg"
        self.env.note_dependency(str(path))
        return [scrolling(path.read_text()), nodes.paragraph("", self.options["caption"], classes=["measured"])]


def setup(app):
    app.add_directive("measured", Measured)
    app.add_directive("lines", Lines)
    app.add_directive("bars", Bars)
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True}
