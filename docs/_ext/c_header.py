"""Reads include/gpumex.h: its introduction, and each documented declaration with its group."""

import re
from dataclasses import dataclass, field
from pathlib import Path

TAG = re.compile(r"^@(brief|param|return|note|see|ingroup|file|defgroup)\b ?")
COMMENT = re.compile(r"/\*\*(?P<doc>.*?)\*/\s*(?P<code>(?:(?!/\*\*).)*)", re.S)
TYPEDEF = re.compile(r"typedef (enum|struct) (\w+) \{(?P<body>.*?)\n\} \2;", re.S)


@dataclass
class Doc:
    """A doc comment: paragraphs of the description, and tagged paragraphs in their order."""

    brief: str = ""
    paragraphs: list = field(default_factory=list)
    tags: list = field(default_factory=list)  # (tag, text)
    group: str = ""

    def all(self, tag):
        return [text for name, text in self.tags if name == tag]


@dataclass
class Declaration:
    kind: str  # function, struct, enum, opaque, callback, macro
    name: str
    signature: str
    doc: Doc
    members: list = field(default_factory=list)  # Declarations of kind member or enumerator


def lines_of(comment):
    return [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.split("\n")]


def parse_doc(comment):
    doc, blocks = Doc(), [[]]
    for line in lines_of(comment):
        if TAG.match(line) or not line.strip() or re.match(r"- ", line):
            blocks.append([])
        if line.strip():
            blocks[-1].append(line.strip())
    for block in filter(None, blocks):
        text = " ".join(block)
        tag = TAG.match(text)
        text = TAG.sub("", text)
        if tag is None:
            doc.paragraphs.append(text)
        elif tag[1] == "brief":
            doc.brief = text
        elif tag[1] == "ingroup":
            doc.group = text
        else:
            doc.tags.append((tag[1], text))
    if not doc.brief and doc.paragraphs:
        doc.brief = doc.paragraphs.pop(0)
    return doc


def members_of(body, kind):
    found = []
    for comment, code in re.findall(r"/\*\*(.*?)\*/\s*([^/]*?[;,])", body, re.S):
        code = " ".join(code.rstrip(";,").split())
        name = re.match(r"\w+", code)[0] if kind == "enumerator" else re.search(r"(\w+)(\[\d+\])?$", code)[1]
        found.append(Declaration(kind, name, plain(code), parse_doc(comment)))
    return found


def plain(code):
    """C without the word struct, the attributes and line breaks."""
    code = re.sub(r"\bGPUMEX_(API|NODISCARD)\b|\bstruct (?=gpumex_)", "", code)
    return " ".join(code.split()).rstrip(";")


def declaration(doc, code):
    code = re.sub(r"^(#(if|endif)[^\n]*\n)+", "", code).strip()
    if code.startswith("typedef struct") and "{" not in code.split(";")[0]:
        name = re.match(r"typedef struct \w+ (\w+);", code)[1]
        return Declaration("opaque", name, name, doc)
    if code.startswith("typedef") and "(*" in code.split(";")[0]:
        name = re.search(r"\(\*(\w+)\)", code)[1]
        return Declaration("callback", name, plain(code.split(";")[0]).removeprefix("typedef "), doc)
    if code.startswith("#define"):
        macro = re.match(r"#define (\w+(?:\([^)]*\))?)", code)[1]
        return Declaration("macro", macro.split("(")[0], macro, doc)
    if "GPUMEX_API" in code.split(";")[0]:
        signature = plain(code.split(";")[0])
        return Declaration("function", re.search(r"(\w+)\(", signature)[1], signature, doc)
    return None


def read(path):
    """The paragraphs of the file's introduction, [(group, title)], and {name: Declaration} in the header's order."""
    text = Path(path).read_text()
    introduction = text[text.index("/**") + 3:text.index("*/")]
    intro = parse_doc(introduction)
    groups = re.findall(r"@defgroup (\w+) (.+)", introduction)
    text = text[text.index("*/") + 2:]
    found = {}
    for match in TYPEDEF.finditer(text):
        kind, name = match[1], match[2]
        start = text.rfind("/**", 0, match.start())
        doc = parse_doc(text[start + 3:text.index("*/", start)])
        members = members_of(match["body"], "enumerator" if kind == "enum" else "member")
        found[name] = (start, Declaration(kind, name, name, doc, members))
    outside = TYPEDEF.sub(lambda match: " " * len(match[0]), text)
    for match in COMMENT.finditer(outside):
        one = declaration(parse_doc(match["doc"]), match["code"])
        if one and one.name not in found:
            found[one.name] = (match.start(), one)
    ordered = sorted(found.values(), key=lambda item: item[0])
    return intro.paragraphs, groups, {one.name: one for _, one in ordered}
