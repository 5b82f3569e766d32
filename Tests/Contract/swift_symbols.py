"""What Swift files declare, and which symbols their doc comments link to.

It reads the text alone, and knows no compiler: enough to see that a linked symbol was renamed or is gone.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

NAME = r"`?\w+`?"
TYPE = r"struct|class|enum|actor|protocol|extension"
# In the order in which they are tried at a place of the code.
TOKENS = re.compile(
    rf"(?P<open>\{{)|(?P<close>\}})"
    rf"|\b(?P<kind>{TYPE})\s+(?!func\b|var\b|let\b)(?P<type>[\w.]+)(?P<rest>[^{{}}]*?)(?=\{{)"
    rf"|\b(?P<call>func\s+(?:{NAME}|[^\s\w(]+)|init[?!]?|subscript)\s*(?:<[^(]*?>)?\s*(?=\()"
    rf"|\b(?P<value>(?:static\s+|class\s+)?(?:var|let)\s+|typealias\s+|associatedtype\s+)(?P<names>{NAME}|\()"
    rf"|\bcase\s+(?P<cases>{NAME}[^\n{{}}]*)")
LINK = re.compile(r"``([^`\s]+)``")


def plain(text: str) -> str:
    """The code without its comments and the insides of its texts; lines stay where they are."""
    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match[0])
    return re.sub(r'(#*)"""[\s\S]*?"""\1|(#*)"(?:\\.|[^"\\\n])*"\2|//[^\n]*|/\*[\s\S]*?\*/', blank, text)


def parenthesis(code: str, start: int) -> str:
    """What is between the parenthesis at `start` and its end."""
    depth = 0
    for place in range(start, len(code)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(code[place], 0)
        if depth == 0:
            return code[start + 1:place]
    return ""


def parts(text: str) -> list[str]:
    """The text between commas that stand in no parenthesis."""
    found, depth = [""], 0
    for character in text.replace("->", "  "):
        depth += {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}.get(character, 0)
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return [part for part in found if part.strip()]


def labels(parameters: str, isSubscript: bool = False) -> str:
    """`(_:of:)`, as a link writes it."""
    names = []
    for part in parts(parameters):
        name, colon, _ = re.sub(r"@\w+(\([^)]*\))?", "", part).partition(":")
        words = re.findall(r"\w+", name)
        # The values of a case may have no names.
        names.append("_" if not colon or isSubscript and len(words) == 1 else words[0])
    return "(" + "".join(name + ":" for name in names) + ")"


@dataclass
class Symbols:
    """By the name of a type, its members; what stands outside of types has the name ``""``."""
    members: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    above: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, scope: str, name: str, arguments: str | None = None) -> None:
        name = name.strip("`")
        self.members[scope].update({name} if arguments is None else {name, name + arguments})

    def of(self, scope: str) -> set[str]:
        """The members of a type, with those of what it conforms to."""
        found, todo, done = set[str](), [scope], set[str]()
        while todo:
            name = todo.pop()
            if name not in done:
                done.add(name)
                found |= self.members[name]
                todo.extend(self.above[name])
        return found

    def read(self, text: str) -> list[tuple[int, list[str]]]:
        """Adds what a file declares. Returns for each place where a scope begins or ends, and the types around it."""
        code, stack, scopes = plain(text), [""], [(0, [""])]
        pending: str | None = None
        for token in TOKENS.finditer(code):
            inside = next(name for name in reversed(stack) if name is not None)
            if token["open"]:
                stack.append(pending if pending is not None else None)
                pending = None
            elif token["close"]:
                if len(stack) > 1:
                    stack.pop()
            elif token["type"]:
                pending = token["type"].split(".")[-1]
                if token["kind"] != "extension":
                    self.add(inside, pending)
                else:
                    self.above[pending].update(token["type"].split(".")[:-1])
                self.above[pending].update(re.findall(r"\w+", token["rest"]))
            elif token["call"]:
                name = token["call"].removeprefix("func").strip().rstrip("?!")
                start = code.index("(", token.end("call"))
                self.add(inside, name, labels(parenthesis(code, start), name == "subscript"))
            elif token["names"]:
                line = code[token.start("names"):code.find("\n", token.start("names"))]
                for name in re.findall(r"\w+", parenthesis(line, 0)) if line[0] == "(" else re.findall(
                        rf"(?:^|,)\s*({NAME})(?=\s*[:,=])", line) + [token["names"]]:
                    self.add(inside, name)
            elif token["cases"]:
                start = token.start("cases")
                end = re.compile(r"[^,]\n|\Z").search(code, start)
                for part in parts(code[start:end.end() if end else None]):
                    name = re.match(rf"\s*({NAME})\s*(\(?)", part)
                    if name:
                        self.add(inside, name[1], labels(parenthesis(part, name.end() - 1)) if name[2] else None)
            if token["open"] or token["close"]:
                scopes.append((token.end(), [name for name in stack if name is not None]))
        return scopes


@dataclass
class Link:
    place: str
    text: str
    #: The types around the comment, and the one that it describes.
    around: list[str]


def read(folder: Path) -> tuple[Symbols, list[Link]]:
    """The symbols of all files, and the links of their doc comments and of the articles beside them."""
    symbols, links = Symbols(), list[Link]()
    for file in sorted(folder.rglob("*.swift")):
        text = file.read_text()
        scopes = symbols.read(text)
        for comment in re.finditer(r"(?:^[ \t]*///.*\n)+", text, re.M):
            around = next(names for start, names in reversed(scopes) if start <= comment.start())
            declared = re.match(rf"(?:[ \t]*@.*\n)*.*\b(?:{TYPE})\s+([\w.]+)", text[comment.end():])
            for link in LINK.finditer(comment[0]):
                line = text.count("\n", 0, comment.start() + link.start()) + 1
                links.append(Link(
                    f"{file.relative_to(folder)}:{line}", link[1],
                    around + (declared[1].split(".") if declared else [])))
    for article in sorted(folder.rglob("*.md")):
        for number, line in enumerate(article.read_text().split("\n"), 1):
            links += [Link(f"{article.relative_to(folder)}:{number}", link[1], []) for link in LINK.finditer(line)]
    return symbols, links


def dangling(folder: Path) -> list[Link]:
    """The links that name nothing which is declared."""
    symbols, links = read(folder)
    modules = {path.name for path in folder.iterdir()}
    declared = {name for members in symbols.members.values() for name in members}

    def isThere(link: Link) -> bool:
        first, *rest = [re.sub(r"-.*", "", part) for part in link.text.split("/")]
        # Of the standard library nothing is known.
        if first == "Swift":
            return True
        if not rest:
            return first in modules or any(first in symbols.of(scope) for scope in ["", *link.around])
        if first in modules and rest[0] not in symbols.of(first):
            first, *rest = rest
        scopes = [first, *rest]
        return first in declared and all(name in symbols.of(scope) for scope, name in pairwise(scopes))

    return [link for link in links if not isThere(link)]
