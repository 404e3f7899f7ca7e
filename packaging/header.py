"""What include/gpumex.h declares, with its doc comments, for the manual pages and the documentation site."""

import os
import re
from dataclasses import dataclass, field

TAG = re.compile(r"^@(\w+) ?", re.M)
COMMENT = re.compile(r"/\*\*(?P<doc>.*?)\*/\s*(?P<code>(?:(?!/\*\*).)*)", re.S)
TYPEDEF = re.compile(r"typedef (enum|struct) (\w+) \{(?P<body>.*?)\n\} \2;", re.S)


@dataclass
class Doc:
    """A doc comment: its first sentence, the text that follows, and its tags in their order, as they are written."""

    brief: str = ""
    text: str = ""
    tags: list = field(default_factory=list)  # (tag, text)

    def all(self, tag):
        return [text for name, text in self.tags if name == tag]

    @property
    def group(self):
        return next(iter(self.all("ingroup")), "")

    @property
    def paragraphs(self):
        """The text's paragraphs and items of lists, a line each."""
        return [one_line(part) for part in re.split(r"\n\s*\n|\n(?=- )", self.text) if part.strip()]


@dataclass
class Declaration:
    kind: str  # function, struct, enum, opaque, callback, macro, member, enumerator
    name: str
    code: str  # as it is written, without attributes
    doc: Doc
    members: list = field(default_factory=list)

    @property
    def signature(self):
        """The code in one line, without the word struct."""
        return one_line(re.sub(r"\bstruct (?=gpumex_)", "", self.code)).rstrip(";").removeprefix("typedef ")


@dataclass
class Header:
    introduction: Doc
    groups: dict  # group: its title
    declarations: dict  # name: Declaration, in the header's order
    version: str
    time: int  # SOURCE_DATE_EPOCH, or when the file was written

    def of_kind(self, kind):
        return [one for one in self.declarations.values() if one.kind == kind]


def one_line(text):
    return re.sub(r"\s*\n\s*", " ", text.strip())


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    introduction = COMMENT.search(text)
    doc = parse_doc(introduction["doc"])
    groups = dict(group.split(" ", 1) for group in doc.all("defgroup"))
    version = re.search(r'define GPUMEX_VERSION "(.*)"', text)[1]
    written = int(os.environ.get("SOURCE_DATE_EPOCH") or os.path.getmtime(path))
    return Header(doc, groups, declarations(text[introduction.start("code") :]), version, written)


def parse_doc(comment):
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().split("\n")]
    parts = TAG.split("\n".join(lines))  # text, tag, text, tag, text ...
    doc = Doc(text=parts[0].strip())
    for tag, text in zip(parts[1::2], parts[2::2]):
        if tag == "brief":
            doc.text = text.strip()
        else:
            doc.tags.append((tag, text.strip()))
    brief, _, rest = doc.text.partition("\n\n")
    doc.brief, doc.text = one_line(brief), rest.strip()
    return doc


def declarations(text):
    """Those of the types first, whose members have comments as well; then what is left."""
    found = []
    for match in TYPEDEF.finditer(text):
        kind, name = match[1], match[2]
        comment = text[text.rfind("/**", 0, match.start()) + 3 : match.start()].rstrip().removesuffix("*/")
        members = members_of(match["body"], "enumerator" if kind == "enum" else "member")
        found.append((match.start(), Declaration(kind, name, name, parse_doc(comment), members)))
    outside = TYPEDEF.sub(lambda match: " " * len(match[0]), text)
    for match in COMMENT.finditer(outside):
        if one := declaration(parse_doc(match["doc"]), match["code"]):
            found.append((match.start(), one))
    by_name = {}
    for _, one in sorted(found, key=lambda item: item[0]):
        by_name.setdefault(one.name, one)
    return by_name


def members_of(body, kind):
    found = []
    for comment, code in re.findall(r"/\*\*(.*?)\*/\s*([^/]*?)[;,]", body, re.S):
        name = re.match(r"\w+", code)[0] if kind == "enumerator" else re.search(r"(\w+)(\[\d+\])?$", code)[1]
        found.append(Declaration(kind, name, code, parse_doc(comment)))
    return found


def declaration(doc, code):
    """What stands behind a comment: a callback, a handle, a macro, a function, or nothing that is documented."""
    code = re.sub(r"^(#(if|endif)[^\n]*\n)+", "", code).strip()
    first = re.sub(r"\bGPUMEX_(API|NODISCARD)\b\s*", "", code.partition(";")[0]) + ";"
    if match := re.match(r"typedef [^;]*\(\*(\w+)\)", first):
        return Declaration("callback", match[1], first, doc)
    if match := re.match(r"typedef struct \w+ (\w+);", first):
        return Declaration("opaque", match[1], match[1], doc)
    if match := re.match(r"#define ((\w+)(?:\([^)]*\))?)", code):
        return Declaration("macro", match[2], match[1], doc)
    if "GPUMEX_API" in code.partition(";")[0]:
        return Declaration("function", re.search(r"(\w+)\(", first)[1], first, doc)
    return None
