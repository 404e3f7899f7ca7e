"""What the pages need beyond Markdown: the C interface from include/gpumex.h, the help texts of MATLAB, examples in every
language that has one, and links from each name of the library to where it is described."""

import re
import textwrap
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Parser, directives
from docutils.utils import new_document
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import header

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "include/gpumex.h"
INTERFACE = header.read(HEADER)
DECLARATIONS = INTERFACE.declarations
ENUMERATORS = {m.name: d.name for d in DECLARATIONS.values() if d.kind == "enum" for m in d.members}
NAMES = set(DECLARATIONS) | set(ENUMERATORS)
MATLAB = {path.stem for path in (ROOT / "matlab/+gpumex").glob("*.m")}
STATUSES = {m.name.removeprefix("GPUMEX_STATUS_") for m in DECLARATIONS["gpumex_status"].members}
# Files and packages that begin like a function.
NOT_OF_THE_HEADER = {"gpumex_mex", "gpumex_matlab", "gpumex_core", "gpumex_kernels", "gpumex_call", "gpumex_gateway"}
LANGUAGES = [("c", "C", "c"), ("cpp", "C++", "cpp"), ("m", "MATLAB, Octave", "matlab"), ("rs", "Rust", "rust")]
PROJECT_FILES = {
    "README.md": "index", "CONTRIBUTING.md": "project/contributing", "CHANGELOG.md": "project/changelog",
    "SECURITY.md": "project/security", "THIRD_PARTY.md": "project/licences", "benches/RESULTS.md": "project/results",
    "lab/README.md": "textbook/exercises", "lab/LECTURER.md": "textbook/lecturer", "docs/memory.md": "memory", "docs/reliability.md": "reliability",
} | {f"benches/results/{path.name}": f"project/results/{path.stem}" for path in (ROOT / "benches/results").glob("*.md")}
log = logging.getLogger(__name__)


# ---- reStructuredText of a declaration

def escaped(text):
    """Text of a doc comment: backticks are code, all else is plain."""
    parts = re.split(r"(`[^`]+`)", text)
    code = lambda part: f"``{part.strip('`').strip()}``"  # noqa: E731
    return "".join(code(part) if part[:1] == "`" and len(part) > 1 else re.sub(r"([\\*|_<>`])", r"\\\1", part) for part in parts)


def all_of(doc, tag):
    return [header.one_line(text) for text in doc.all(tag)]


def indented(lines, by=3):
    return [" " * by + line if line else "" for line in lines]


def top_level(text):
    """The parts of a text between semicolons outside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == ";" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def statuses(text):
    """`0 or a gpumex_status: NULL_POINTER (ctx); CUDA. next is ...` as a list."""
    head, colon, tail = text.partition(": ")
    end = re.search(r"\.(?= [A-Za-z]|$)(?![^()]*\))", tail)
    listed, rest = (tail[:end.start()], tail[end.end():].strip()) if end else (tail, "")
    parts = top_level(listed)
    names = [re.match(r"[A-Z_]{4,}(?= \(|$)", part) for part in parts]
    if not colon or not all(name and name[0] in STATUSES for name in names):
        return [escaped(text)]
    lines = [escaped(head) + ":", ""]
    for part, name in zip(parts, names):
        lines.append(f"- :c:enumerator:`{name[0]} <GPUMEX_STATUS_{name[0]}>`" + escaped(part[len(name[0]):]))
    return lines + (["", escaped(rest)] if rest else [])


def notes(doc):
    lines = []
    for note in all_of(doc, "note"):
        if note.startswith("Memory: "):
            rows = re.match(r"Memory: CPU (.*?); CUDA (.*?); arrays on the host (.*?)\.?$", note)
            lines += ["**Memory**, :doc:`in bytes </memory>`:", ""]
            lines += [f"- {name}: {escaped(row)}" for name, row in zip(("CPU", "CUDA", "more for arrays on the host"), rows.groups())]
            lines.append("")
        else:
            lines += [escaped(note), ""]
    for source in all_of(doc, "see"):
        lines += [f"*Source:* {escaped(source)}", ""]
    return lines


def paragraphs(doc):
    lines = [escaped(doc.brief), ""]
    for text in doc.paragraphs:
        lines += [escaped(text), ""] if not text.startswith("- ") else [text[:2] + escaped(text[2:]), ""]
    return lines


def fields_of(doc):
    lines = []
    for param in all_of(doc, "param"):
        name, _, text = param.partition(" ")
        lines.append(f":param {name}: {escaped(text)}")
    for text in all_of(doc, "return"):
        first, *rest = statuses(text)
        lines += [f":returns: {first}"] + indented(rest)
    return lines + [""]


def parameters(doc):
    """Parameters and statuses, outside a directive of the C domain."""
    lines = ["**Parameters**", ""]
    for param in all_of(doc, "param"):
        name, _, text = param.partition(" ")
        lines += [f"``{name}``", f"   {escaped(text)}", ""]
    for text in all_of(doc, "return"):
        first, *rest = statuses(text)
        lines += [f"**Returns** {first}"] + rest + [""]
    return lines


def entry(one):
    """The C domain's directive for a declaration."""
    kind = {"opaque": "struct", "callback": "type"}.get(one.kind, one.kind)
    body = paragraphs(one.doc) + fields_of(one.doc) + notes(one.doc)
    for member in one.members:
        body += [f".. c:{member.kind}:: {member.signature}", ""] + indented(paragraphs(member.doc))
    return [f".. c:{kind}:: {one.signature}", ""] + indented(body) + [""]


def options_table(one):
    """The fields that a caller may set, a row each."""
    lines = [f"Fields of :c:struct:`{one.name}`, all 0 by default:", "", ".. list-table::", "   :header-rows: 1", "",
             "   * - field", "     - type", "     - meaning"]
    for member in one.members:
        if member.name not in ("size", "reserved"):
            kind = member.signature.removesuffix(member.name).strip()
            lines += [f"   * - :c:member:`{member.name} <{one.name}.{member.name}>`", f"     - ``{kind}``",
                      f"     - {escaped(' '.join([member.doc.brief] + member.doc.paragraphs))}"]
    return lines + [""]


def parse(directive, lines):
    """Nodes of reStructuredText, from a page in Markdown."""
    document = new_document(directive.state.document["source"], directive.state.document.settings)
    document.reporter = directive.state.document.reporter
    Parser().parse("\n".join(lines), document)
    for message in document.findall(nodes.system_message):
        log.warning(message.astext(), location=directive.get_location())
    return document.children


class Group(SphinxDirective):
    """All declarations of one @defgroup, functions first; `gpumex_types`: what has no group."""

    required_arguments = 1
    kinds = ["function", "opaque", "struct", "callback", "enum", "macro"]

    def run(self):
        self.env.note_dependency(str(HEADER))
        group = "" if self.arguments[0] == "gpumex_types" else self.arguments[0]
        mine = [one for one in DECLARATIONS.values() if one.doc.group == group]
        if not mine:
            raise self.error(f"no group {self.arguments[0]} in the header")
        lines = []
        for one in sorted(mine, key=lambda one: self.kinds.index(one.kind)):
            if not one.name.endswith("_OPTIONS_INIT"):
                lines += entry(one)
        return parse(self, lines)


class Initialisers(SphinxDirective):
    """The macros GPUMEX_…_INIT, as one list."""

    def run(self):
        lines = []
        for one in DECLARATIONS.values():
            if one.kind == "macro" and one.name.endswith("_OPTIONS_INIT"):
                lines += entry(one)
        return parse(self, lines)


class Introduction(SphinxDirective):
    """The contract: what the header says of all functions."""

    def run(self):
        self.env.note_dependency(str(HEADER))
        lines = []
        for text in INTERFACE.introduction.paragraphs:
            bold = re.match(r"\*\*(.+?)\*\* ?", text)
            lines += [(f"**{bold[1]}** " if bold else "") + escaped(text[bold.end():] if bold else text), ""]
        return parse(self, lines)


class Interface(SphinxDirective):
    """Functions of an operation with their option structs, as in the API reference, on the operation's page."""

    required_arguments = 1
    optional_arguments = 9

    def run(self):
        self.env.note_dependency(str(HEADER))
        lines = []
        for name in self.arguments:
            if name not in DECLARATIONS:
                raise self.error(f"{name} is not in the header")
            doc = DECLARATIONS[name].doc
            lines += [f".. c:alias:: {name}", ""] + paragraphs(doc) + parameters(doc)
            options = DECLARATIONS.get(f"{name}_options")
            lines += (options_table(options) if options else []) + notes(doc)
        return parse(self, lines)


class Summary(SphinxDirective):
    """A table of a group's functions."""

    required_arguments = 1

    def run(self):
        mine = [one for one in DECLARATIONS.values() if one.doc.group == self.arguments[0] and one.kind == "function"]
        lines = [".. list-table::", "   :widths: auto", ""]
        for one in mine:
            lines += [f"   * - :c:func:`{one.name}`", f"     - {escaped(one.doc.brief)}"]
        return parse(self, lines)


# ---- examples and help texts

class Examples(SphinxDirective):
    """docs/examples/<operation>.{c,cpp,m,rs} in tabs, and what they print."""

    required_arguments = 1

    def run(self):
        name = self.arguments[0]
        folder = ROOT / "docs/examples"
        tabs = [language for language in LANGUAGES if (folder / f"{name}.{language[0]}").exists()]
        if not tabs:
            raise self.error(f"docs/examples has no {name}")
        lines = [".. tab-set::", "   :sync-group: language", ""]
        for ending, title, lexer in tabs:
            lines += [f"   .. tab-item:: {title}", f"      :sync: {ending}", "",
                      f"      .. literalinclude:: /examples/{name}.{ending}", f"         :language: {lexer}", ""]
        lines += ["It prints", "", f".. literalinclude:: /examples/{name}.out", "   :language: none", ""]
        return parse(self, lines)


class Kernel(SphinxDirective):
    """An excerpt of a kernel, moved to the left: lines of the preprocessor go with the next one, remarks come nearer."""

    required_arguments = 1
    option_spec = {"start-at": directives.unchanged_required, "end-before": directives.unchanged_required,
                   "caption": directives.unchanged_required}

    def run(self):
        path = ROOT / self.arguments[0]
        self.env.note_dependency(str(path))
        start, end = self.options["start-at"], self.options["end-before"]
        _, found, text = path.read_text().partition(start)
        text, ended, _ = text.partition(end)
        if not (found and ended):
            raise self.error(f"{path.name} lacks {start} or {end}")
        lines = to_the_left((" " * indent_before(path, start) + start + text).rstrip().split("\n"))
        while lines[-1].startswith(("//", "template")):
            lines.pop()
        return parse(self, [".. code-block:: cuda", f"   :caption: {self.options['caption']}", "", *indented(lines)])


def indent_before(path, start):
    line = next(line for line in path.read_text().splitlines() if start in line)
    return len(line) - len(line.lstrip())


def to_the_left(lines):
    for k in reversed(range(len(lines) - 1)):
        if lines[k].startswith("#"):
            lines[k] = re.match(" *", lines[k + 1])[0] + lines[k]
    lines = [re.sub(r"(\S) {2,}//", r"\1  //", line) for line in lines]
    return textwrap.dedent("\n".join(lines)).split("\n")


class MatlabHelp(SphinxDirective):
    """The help texts of matlab/+gpumex, a section each."""

    def run(self):
        sections = []
        for path in sorted((ROOT / "matlab/+gpumex").glob("*.m")):
            self.env.note_dependency(str(path))
            help_text = re.search(r"((?:^ *%.*\n)+)", path.read_text(), re.M)[1]
            lines = [re.sub(r"^ *% ?", "", line) for line in help_text.rstrip("\n").split("\n")]
            section = nodes.section(ids=[f"matlab-{path.stem}"], names=[f"gpumex.{path.stem}"])
            title = nodes.title()
            title += nodes.literal("", f"gpumex.{path.stem}", classes=["matlab-title"])
            section += title
            section += nodes.paragraph("", re.sub(r"^\w+ +", "", lines[0]))
            text = "\n".join(lines[1:])
            section += nodes.literal_block(text, text, language="none", classes=["help"])
            sections.append(section)
        return sections


# ---- links

class Links(SphinxTransform):
    """Names of the library in text and code become links; a name that the header lacks is a warning."""

    default_priority = 700
    word = re.compile(r"\b(gpumex_\w+|GPUMEX_\w+)\b")

    def apply(self):
        if self.document.settings.env.docname.startswith("project/"):
            return
        for literal in list(self.document.findall(nodes.literal)):
            if self.may_link(literal):
                self.link_literal(literal)
        for text in list(self.document.findall(nodes.Text)):
            if self.may_link(text) and self.word.search(text.astext()):
                self.link_text(text)

    def may_link(self, node):
        barred = (nodes.reference, addnodes.pending_xref, nodes.title, nodes.literal_block, addnodes.desc_signature,
                  nodes.literal, nodes.raw, nodes.comment, nodes.image)
        parent = node.parent
        while parent is not None:
            if isinstance(parent, barred):
                return False
            parent = parent.parent
        return True

    def link_literal(self, literal):
        text = literal.astext()
        name = re.sub(r" ?\(.*\)$", "", text)
        if name in NAMES:
            literal.replace_self(c_link(self.env, name, literal.deepcopy()))
        elif text.startswith("gpumex.") and text.removeprefix("gpumex.") in MATLAB:
            link = addnodes.pending_xref("", literal.deepcopy(), refdomain="", reftype="gpumex-matlab", reftarget=text,
                                         refdoc=self.env.docname, refexplicit=True)
            literal.replace_self(link)
        elif re.fullmatch(r"gpumex_[a-z0-9_]+", text) and text not in NOT_OF_THE_HEADER:
            log.warning("%s is not in include/gpumex.h", text, location=literal)

    def link_text(self, text):
        parts = []
        for part in self.word.split(text.astext()):
            node = nodes.Text(part)
            parts.append(c_link(self.env, part, node) if part in NAMES else node)
        text.parent.replace(text, parts)


def c_link(env, name, content):
    return addnodes.pending_xref("", content, refdomain="", reftype="gpumex-c", reftarget=name, refdoc=env.docname)


def place(node):
    """Page and anchor of a name, which the C domain would find as well, a hundred times slower."""
    name = node["reftarget"]
    if node["reftype"] == "gpumex-matlab":
        return "api/matlab", f"matlab-{name.removeprefix('gpumex.')}"
    owner = ENUMERATORS.get(name)
    one = DECLARATIONS[owner or name]
    page = one.doc.group.removeprefix("gpumex_") or "types"
    return f"api/{page}", f"c.{owner}.{name}" if owner else f"c.{name}"


def resolve(app, env, node, content):
    if not node["reftype"].startswith("gpumex-"):
        return None
    page, anchor = place(node)
    uri = "" if page == node["refdoc"] else app.builder.get_relative_uri(node["refdoc"], page)
    return nodes.reference("", "", content, internal=True, refuri=f"{uri}#{anchor}")


# ---- files of the repository as pages

def project_text(app, docname, source):
    """A page that says `<!-- file: CONTRIBUTING.md -->` is that file, and what stands below; links to other files of the repository fit the site."""
    included = re.match(r"<!-- file: (\S+) -->", source[0])
    folder = ""
    if included:
        path = ROOT / included[1]
        app.env.note_dependency(str(path), docname=docname)
        folder = str(Path(included[1]).parent)
        source[0] = path.read_text() + source[0][included.end():]
    elif docname in ("memory", "reliability"):
        folder = "docs"
    else:
        return
    source[0] = re.sub(r"!?\[([^\]]*)\]\((?!https?:|#|mailto:)([^)]+)\)", lambda link: relinked(link, folder), source[0])


def relinked(link, folder):
    target = str((ROOT / folder / link[2].partition("#")[0]).resolve().relative_to(ROOT))
    page = PROJECT_FILES.get(target)
    return f"[{link[1]}](/{page}.md)" if page else f"{link[1]} (`{target}`)"


def setup(app):
    app.add_directive("c-group", Group)
    app.add_directive("c-initialisers", Initialisers)
    app.add_directive("c-introduction", Introduction)
    app.add_directive("c-summary", Summary)
    app.add_directive("interface", Interface)
    app.add_directive("examples", Examples)
    app.add_directive("kernel", Kernel)
    app.add_directive("matlab-help", MatlabHelp)
    app.add_transform(Links)
    app.connect("missing-reference", resolve)
    app.connect("source-read", project_text)
    return {"parallel_read_safe": True}
