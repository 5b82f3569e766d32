"""Each symbol that a doc comment of Sources links to is there, with these labels."""

from pathlib import Path

import pytest
from swift_symbols import dangling, read

SOURCES = Path(__file__).parents[2] / "Sources"

EXAMPLE = '''
/// Keeps notes; see ``%s``.
public final class Book<Note>: Sendable, Shelf where Note: Sendable {
    private(set) var (count, size) = (0, 0)
    let first: Int, last: Int
    static let limit = "}" // {
    enum Effect { case drop(Note, reason: String?), keep(Note), end }
    func add<T: Sendable>(
        _ note: Note, to pages: [String: Int] = [:], in place: borrowing T, _ body: @escaping (Int, Int) -> Void
    ) async throws {}
    init?(of text: String) { nil }
    subscript(place: Int) -> Note? { nil }
}
protocol Shelf { func close(); var name: String { get } }
extension Book.Effect { func run() {} }
func outside() {}
'''


def links(tmp_path, link: str) -> list[str]:
    (tmp_path / "Module").mkdir()
    (tmp_path / "Module/Book.swift").write_text(EXAMPLE % link)
    return [found.place for found in dangling(tmp_path)]


@pytest.mark.parametrize("link", [
    "Book", "Module", "outside()", "count", "size", "first", "last", "limit", "add(_:to:in:_:)", "Book/add(_:to:in:_:)", "init(of:)",
    "subscript(_:)", "Effect/drop(_:reason:)", "Book/Effect/keep(_:)", "Effect/end", "Effect/run()", "close()", "Book/name",
    "Module/Book/count", "Swift/Array/first", "add(_:to:in:_:)-(String)"])
def test_a_link_to_what_is_there_is_none_to_mend(link, tmp_path):
    assert links(tmp_path, link) == []


@pytest.mark.parametrize("link", [
    "Books", "outside(_:)", "counts", "add(_:to:in:)", "Book/run()", "init(_:)", "subscript(place:)", "Effect/drop(_:)", "drop(_:reason:)",
    "Shelf/count", "text", "note"])
def test_a_link_to_nothing_is_found(link, tmp_path):
    assert links(tmp_path, link) == ["Module/Book.swift:2"]


def test_all_links_lead_somewhere():
    assert [f"{link.place}: {link.text}" for link in dangling(SOURCES)] == []


def test_there_are_many():
    symbols, found = read(SOURCES)
    assert len(found) > 1000 and len(symbols.members) > 1000
