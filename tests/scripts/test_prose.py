# SPDX-License-Identifier: Apache-2.0
"""scripts/wrap_prose.py: which paragraphs it wraps, and which it leaves alone."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
import wrap_prose  # noqa: E402

WORDS = "four " * 25  # 125 columns
LEFT = f"""# {WORDS}
| {WORDS} |
```sh
{WORDS}
```
<!-- a table -->
{WORDS}
<!-- end -->

{WORDS}{'x' * 3}  
a line that ends in two spaces

{'x' * 120}

    first {WORDS}
    second {WORDS}
"""


class Prose(unittest.TestCase):
    def page(self, text, fix):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.md")
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                wrong = wrap_prose.page(path, fix)
            with open(path, encoding="utf-8") as now:
                return wrong, said.getvalue().replace(folder, ""), now.read()

    def test_a_paragraph_and_an_item_are_wrapped(self):
        text = f"short\n\n{WORDS.strip()}\n- {WORDS}\n  and more\n- another\n"
        wrong, said, now = self.page(text, False)
        self.assertEqual((wrong, now), (2, text))
        self.assertIn("/page.md:3: wider than 100 columns", said)
        self.assertIn("/page.md:4: ", said)
        _, _, now = self.page(text, True)
        self.assertEqual(now.split("\n")[2:], [
            " ".join(["four"] * 20), " ".join(["four"] * 5),
            "- " + " ".join(["four"] * 19), "  " + " ".join(["four"] * 6 + ["and", "more"]), "- another", ""])
        self.assertEqual(self.page(now, False)[0], 0)

    def test_what_is_no_prose_is_left(self):
        self.assertEqual(self.page(LEFT, False)[:2], (0, ""))
        self.assertEqual(self.page(LEFT, True)[2], LEFT)

    def test_no_line_may_become_an_item(self):
        text = "x" * 99 + " - and a dash that would stand first\n"
        self.assertEqual(self.page(text, True)[2], text)
        text = "four " * 19 + "last - and a dash that would stand first\n"
        _, _, now = self.page(text, True)
        self.assertEqual(now.split("\n"), [("four " * 19).strip(), "last - and a dash that would stand first", ""])


if __name__ == "__main__":
    unittest.main()
