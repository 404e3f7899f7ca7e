"""What include/gpumex.h declares, with its doc comments: functions, option structs, the overview of the file."""

import os
import re
from dataclasses import dataclass, field

COMMENT = re.compile(r"/\*\*(.*?)\*/", re.S)
TAG = re.compile(r"^@(\w+) ?", re.M)


@dataclass
class Doc:
    """A doc comment: its text (brief and what follows), and its tags in their order."""

    brief: str = ""
    text: str = ""
    tags: list = field(default_factory=list)  # (tag, text)

    def all(self, tag):
        return [text for name, text in self.tags if name == tag]


@dataclass
class Function:
    name: str
    prototype: str
    doc: Doc


@dataclass
class Header:
    overview: Doc
    groups: dict  # group: its title
    functions: list
    structs: dict  # name: [(field, Doc)]
    version: str
    time: int  # SOURCE_DATE_EPOCH, or when the file was written


def doc_of(comment):
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().split("\n")]
    parts = TAG.split("\n".join(lines))  # text, tag, text, tag, text ...
    doc = Doc(text=parts[0].strip())
    for tag, text in zip(parts[1::2], parts[2::2]):
        if tag == "brief":
            brief, _, rest = text.partition("\n\n")
            doc.brief, doc.text = " ".join(brief.split()), rest.strip()
        else:
            doc.tags.append((tag, text.strip()))
    return doc


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    version = re.search(r'define GPUMEX_VERSION "(.*)"', text)[1]
    written = int(os.environ.get("SOURCE_DATE_EPOCH") or os.path.getmtime(path))
    found = Header(Doc(), {}, [], {}, version, written)
    for comment in COMMENT.finditer(text):
        doc, behind = doc_of(comment[1]), text[comment.end() :].lstrip()
        if declaration := re.match(r"GPUMEX_API\s+(?:GPUMEX_NODISCARD\s+)?([^;{]*?(\w+)\(.*?\);)", behind, re.S):
            found.functions.append(Function(declaration[2], declaration[1], doc))
        elif struct := re.match(r"typedef struct (\w+) \{(.*?)\n\}", behind, re.S):
            found.structs[struct[1]] = fields_of(struct[2])
        elif doc.all("file"):
            found.overview = doc
            found.groups = dict(text.split(" ", 1) for text in doc.all("defgroup"))
    return found


def fields_of(body):
    pairs = re.findall(r"/\*\*(.*?)\*/\s*[^;]*?(\w+)(?:\[[^;]*\])?;", body, re.S)
    return [(name, doc_of(comment)) for comment, name in pairs]
