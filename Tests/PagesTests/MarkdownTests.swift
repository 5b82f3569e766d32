import Testing

@testable import Pages

@Suite struct MarkdownTests {
    private let markdown = Markdown { ["Webhooks": "Web & hooks"][$0] }

    @Test(arguments: [
        ("two `a<b` codes `c`", "two <code>a&lt;b</code> codes <code>c</code>"),
        ("a ``Symbol`` of DocC", "a <code>Symbol</code> of DocC"),
        ("**strong** and *stressed*", "<strong>strong</strong> and <em>stressed</em>"),
        ("[here](https://a.example/?b=1&c=2)", "<a href=\"https://a.example/?b=1&amp;c=2\">here</a>"),
        ("[`code`](/docs)", "<a href=\"/docs\"><code>code</code></a>"),
        ("<doc:Webhooks>", "<a href=\"/docs/Webhooks\">Web &amp; hooks</a>"),
        ("[them](doc:Webhooks#At-once)", "<a href=\"/docs/Webhooks#At-once\">them</a>"),
        ("<https://a.example>", "<a href=\"https://a.example\">https://a.example</a>"),
    ])
    func rendersSpans(text: String, html: String) {
        #expect(markdown.inline(text) == html)
    }

    @Test(arguments: ["2 * 3 * 4", "an odd ` mark", "[a] (b)", "a [b](", "x < y > z", "**", "[]()", "*"])
    func marksWithoutTheirOtherHalfAreText(text: String) {
        let escaped = text.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        #expect(markdown.inline(text) == escaped)
    }

    @Test(arguments: [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("[a](javascript:alert)", "a"), ("[a](JavaScript:alert)", "a"), ("[a](data:text/html,b)", "a"),
        ("[a](//evil.example)", "a"),
        ("<javascript:alert>", "&lt;javascript:alert&gt;"), ("<doc:Nothing>", "Nothing"), ("[a](doc:Nothing)", "a"),
        ("[a](https://b\"onclick=c)", "<a href=\"https://b&quot;onclick=c\">a</a>"),
        ("`<b>`", "<code>&lt;b&gt;</code>"), ("[<b>](/c)", "<a href=\"/c\">&lt;b&gt;</a>"),
    ])
    func nothingOfATextBecomesMarkup(text: String, html: String) {
        #expect(markdown.inline(text) == html)
    }

    @Test func rendersBlocks() {
        let text = """
            ## Once & again

            A paragraph
            of two lines.
            - an item
              that goes on
            - another
            1. first
            2. second

            ```sh
            echo "<a>" # | - `b`

            ```
            | name | |
            |---|---|
            | `a\\|b` | two  words |

            after
            """
        #expect(
            markdown.html(text) == """
                <h2 id="Once-again">Once &amp; again</h2>
                <p>A paragraph of two lines.</p>
                <ul>
                <li>an item that goes on</li>
                <li>another</li>
                </ul>
                <ol>
                <li>first</li>
                <li>second</li>
                </ol>
                <pre tabindex="0"><code>echo &quot;&lt;a&gt;&quot; # | - `b`

                </code></pre>
                <div class="wide" tabindex="0"><table>
                <tr><th>name</th><td></td></tr>
                <tr><td><code>a|b</code></td><td>two words</td></tr>
                </table></div>
                <p>after</p>

                """)
    }

    @Test(arguments: ["", "\n\n", "```", "|", "- ", "#", "# ", "1.", "| a", "```\ncode"])
    func endsOnEveryText(text: String) {
        #expect(!markdown.html(text).contains("```"))
    }
}
