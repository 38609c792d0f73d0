"""Guides in reStructuredText and in AsciiDoc: which text is code, and where it stands."""

from __future__ import annotations

import pytest
from pages import RUN, children, shells, texts
from reading import quoted


@pytest.mark.parametrize(
    "page",
    [
        f".. code-block:: bash\n\n   {RUN}\n\ntext\n",
        f".. code:: sh\n   :linenos:\n   :name: x\n\n   {RUN}\n",
        f".. sourcecode:: shell\n\n\t{RUN}\n",
        f".. prompt:: bash $\n\n   {RUN}\n",
        f".. parsed-literal::\n\n   {RUN}\n",
        f".. tabs::\n\n   .. tab:: one\n\n      .. code-block:: console\n\n         $ {RUN}\n",
        f".. note::\n\n   Run this::\n\n      {RUN}\n\n   more\n",
        f"Run::\n\n    {RUN}\n\ntext\n",
        f".. highlight:: bash\n\n::\n\n  {RUN}\n",
        f".. code-block:: bash\r\n\r\n   {RUN}\r\n",
    ],
)
def test_blocks_of_restructuredtext(page):
    (child,) = children(page, "a.rst", "rst")
    assert (child.language, child.text.strip()) == ("shell", RUN)
    assert quoted(page, child.span(0, len(RUN))) == RUN


@pytest.mark.parametrize(
    "page",
    [
        f".. a comment\n\n   .. code-block:: bash\n\n      {RUN}\n",
        f"..\n   Run::\n\n      {RUN}\n",
        f"Run\n\n    {RUN}\n",
        f"See ``{RUN}``.\n",
        "Example::\n\n    a picture\n",
        f".. code-block:: json\n\n   {RUN}\n",
        f".. code-block:: bash\n{RUN}\n",
    ],
)
def test_what_is_no_code_in_restructuredtext(page):
    assert texts(page, "a.rst", "rst") == []


def test_a_block_of_restructuredtext_keeps_inner_indentation_and_blank_lines():
    page = ".. code-block:: yaml\n\n   a:\n\n     b: 1\n\n\ntext\n"
    assert texts(page, "a.rst", "rst") == [("yaml", "a:\n\n  b: 1\n")]


@pytest.mark.parametrize(
    "page",
    [
        f"[source,bash]\n----\n{RUN}\n----\n",
        f'[source, bash, subs="attributes"]\n.Title\n----\n{RUN}\n----\n',
        f"[,console]\n----\n$ {RUN}\n----\n",
        f"[source%nowrap,sh]\n----\n{RUN}\n----\n",
        f"```bash\n{RUN}\n```\n",
        f"----\n{RUN}\n----\n",
        f"....\n$ {RUN}\nanswer\n....\n",
        f"[source,bash]\n{RUN}\n\ntext\n",
    ],
)
def test_blocks_of_asciidoc(page):
    (child,) = children(page, "a.adoc", "asciidoc")
    assert (child.language, child.text) == ("shell", f"{RUN}\n")
    assert quoted(page, child.span(0, len(RUN))) == RUN


@pytest.mark.parametrize(
    "page",
    [
        f"////\n{RUN}\n////\n",
        f"Run `{RUN}`.\n",
        f"----\na picture: {RUN}\n----\n",
        f"[source,json]\n----\n{RUN}\n----\n",
        f"[source,bash]\n\n{RUN}\n",
    ],
)
def test_what_is_no_code_in_asciidoc(page):
    assert texts(page, "a.adoc", "asciidoc") == []


def test_a_longer_line_of_hyphens_is_not_the_end_of_a_block():
    page = f"[source,bash]\n----\n-----\n{RUN}\n----\ntext\n"
    assert shells(page, "a.adoc", "asciidoc") == [f"-----\n{RUN}\n"]
