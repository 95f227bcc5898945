"""Long runs of simple vertices and edges are read in one step, with the same graph and the same errors."""

import json

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphgame.compiled.engine import has_numba
from graphgame.errors import GraphGameError
from graphgame.io import parse_game
from graphgame.io.source import Source
from graphgame.labs.formats import dot_graphs, node_link, positions, xml_graphs
from graphgame.labs.formats.xml_graphs import read

READERS = {"node-link": node_link, "graphml": xml_graphs, "gexf": xml_graphs, "dot": dot_graphs}

NAMES = st.sampled_from(["a", "b", "c", "1", "2", "node", "]", "},", "é", "a b", "&amp;", "<", "\\n", "-3", "007"])
KINDS = ["twice", "weight", "odd", "comment", "broken", "vertex", "undirected"]


def items(kinds):
    """Return lists of items: a kind and two names; half of the items are plain."""
    return st.lists(st.tuples(st.just("plain") | st.sampled_from(kinds), NAMES, NAMES), max_size=12)


ITEMS = items(KINDS)


def outcome(text, format, large, block=1 << 20, compiled=False):
    """Return what a reader makes of a text: a graph, or an error with its place."""
    module = READERS[format]
    with pytest.MonkeyPatch.context() as patch:
        if format != "dot":
            patch.setattr(module, "_RUNS_FROM", large)
        elif large > 0:
            patch.setattr(dot_graphs.Tokens, "plain_statements", lambda _: iter(()))
        if compiled:
            patch.setattr(dot_graphs, "use_compiled", lambda _: True)
            patch.setattr(dot_graphs, "_LEAST_LABELS_OF_RUN", 1)
            patch.setattr(positions, "use_compiled", lambda _: True)
        if hasattr(module, "BLOCK"):
            patch.setattr(module, "BLOCK", block)
        try:
            graph = parse_game(text, format)
        except GraphGameError as error:
            return str(error)
        sums = None if graph.sums is None else graph.sums.tolist()
        return list(graph), list(graph.edges(data=True)), sums


def same(text, format):
    slow = outcome(text, format, 1 << 60)
    for block in (40, 150, 1 << 20):
        assert outcome(text, format, -1, block) == slow
        if has_numba():
            assert outcome(text, format, -1, block, compiled=True) == slow
    return slow


def test_indices_of_nodes_with_names_in_json():
    nodes = [{"name": name} for name in (2, 1, 0)]
    text = json.dumps(
        {"directed": True, "nodes": nodes, "links": [{"source": 1, "target": 0}, {"source": 2, "target": 1}] * 2}
    )
    assert same(text, "node-link") == ([2, 1, 0], [(1, 2, {}), (0, 1, {})], None)


def json_text(items, declared, separators):
    edges = []
    for kind, source, target in items:
        edge = {"source": int(source) if source in "12" else source, "target": 2 if target == "2" else target}
        edge |= {"twice": {"multiplicity": 2}, "weight": {"weight": 0.5}, "odd": {"key": 1}}.get(kind, {})
        edges.append({"target": target} if kind == "broken" else edge)
    nodes = [{"id": name} for name in declared]
    return json.dumps({"directed": True, "nodes": nodes, "edges": edges}, separators=separators, ensure_ascii=False)


@given(ITEMS, st.lists(NAMES, max_size=8), st.sampled_from([(",", ":"), (", ", ": "), (",\n", ":")]))
def test_json(items, declared, separators):
    same(json_text(items, [1, 2, *declared], separators), "node-link")


XML = {
    "plain": '<edge source="{0}" target="{1}"/>',
    "twice": '<edge source="{0}" target="{1}"><data key="m">2</data></edge>',
    "weight": '<edge id="7" source="{0}" target="{1}" weight="0.5"></edge>',
    "odd": "<edge target='{1}' source='{0}'/>",
    "comment": '<!-- <edge source="{0}" target="{1}"/> -->',
    "broken": '<edge source="{0}"/>',
    "vertex": '<node id="{0}"/>',
    "undirected": '<edge source="{0}" target="{1}" directed="false" type="undirected"/>',
}


@st.composite
def xml_texts(draw):
    format, end = draw(st.sampled_from(["graphml", "gexf"])), draw(st.sampled_from(["", "\n  "]))
    escape = {"<": "&lt;", "&amp;": "&amp;", "\\n": "&#10;"}
    edges = end.join(XML[kind].format(*(escape.get(n, n) for n in names)) for kind, *names in draw(ITEMS))
    nodes = end.join(f'<node id="{escape.get(n, n)}"/>' for n in draw(st.lists(NAMES, max_size=8)))
    head = draw(st.sampled_from(["", '<?xml version="1.0" encoding="UTF-8"?>', "<?xml version='1.0'?>\n"]))
    if format == "gexf":
        return (
            f'{head}<gexf><graph defaultedgetype="directed"><nodes>{nodes}</nodes><edges>{edges}</edges></graph></gexf>'
        )
    keys = '<key id="m" for="edge" attr.name="multiplicity" attr.type="int">'
    keys += draw(st.sampled_from(["", "<default>2</default>"])) + "</key>"
    return f'{head}<graphml>{keys}<graph edgedefault="directed">{nodes}{end}{edges}</graph></graphml>'


@given(xml_texts(), st.integers(1, 50))
def test_xml(text, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Source, "blocks", lambda _: (text.encode()[i : i + size] for i in range(0, len(text) * 2, size)))
        blocks = outcome(text, "gexf" if "<gexf>" in text else "graphml", -1)
    whole = same(text, "gexf" if "<gexf>" in text else "graphml")
    assert blocks == whole or isinstance(whole, str)  # in small blocks the line of an error is not all at hand


def test_the_column_of_an_error_after_a_run_counts_characters():
    vertices = "".join(f'<node id="é🂡{number}"/>' for number in range(9))
    text = f'<graphml><graph edgedefault="directed">{vertices}<edge source="é🂡1" target="é🂡2"/><bad></graph></graphml>'
    message = same(text, "graphml")
    assert message.startswith(f"<text>:1:{text.index('</graph>') + 3}: not XML: mismatched tag")
    assert "é🂡8" in message


def test_the_encoding_of_xml_counts():
    rest = '<graphml><graph edgedefault="directed"><node id="Ã¼"/><edge source="Ã¼" target="Ã¼"/></graph></graphml>'
    text = f'<?xml version="1.0" encoding="iso-8859-1"?>{rest}'.encode("iso-8859-1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml_graphs, "_RUNS_FROM", -1)
        assert list(read(Source(text))) == ["Ã¼"]


DOT = {
    "plain": "{0} -> {1};",
    "twice": "{0} -> {1} [multiplicity=2];",
    "weight": "{0} -> {1} -> {0};",
    "odd": "{0}->{1}\n",
    "comment": "// {0} -> {1};\n",
    "broken": "{0} -> ;",
    "vertex": '{0} [label="x"];',
    "quoted": '"{0}" -> "{1}" [color=red]',
    "weighty": '"{0}" -> -7 [multiplicity="3", multiplicity=2] [label=x];',
    "position": '{0} [label="position=5", position="1\\n2"; position = "{0}"]; "{1}" [kind="legend"]',
    "badly": "{0} [multiplicity=x] {0} -> {1} [multiplicity=02]",
    "defaults": "node [position=q];",
    "undirected": "edge [multiplicity=2];",
    "number": "-1.5 -> .5; {0} -> 3.\n{1} 7",
    "list": '{0} -> Node1 [node_1="a;b" x=-3; y = z,]; "" -> {1}; {1} [kinds=x, multiplicity_=2, positions="{0}"]',
    "group": "subgraph s {{ {0} -> {1}; {0} {1} }} {0}",
}


@given(items([*DOT]), st.sampled_from(["", "node [kind=sum];", "subgraph {x -> y;}", "positions=str;"]), st.booleans())
@example([("plain", "node", "a")], "", False)
def test_dot(found, first, strict):
    body = " ".join(DOT[kind].format(*names) for kind, *names in found)
    same(f"{'strict ' * strict}digraph {{{first} {body}}}", "dot")


@pytest.mark.parametrize("format", READERS)
def test_what_networkx_and_this_package_write(format, tmp_path):
    graph = nx.DiGraph(
        [(f"p{u}", f"p{v}") for u, v in nx.gnp_random_graph(60, 0.4, seed=7, directed=True).edges if u > v]
    )
    path = tmp_path / "graph"
    if format == "node-link":
        path.write_text(json.dumps(nx.node_link_data(graph, edges="links")))
    elif format == "dot":
        nx.nx_pydot.write_dot(graph, path)
    else:
        getattr(nx, f"write_{format}")(graph, path)
    names, edges, _ = same(path.read_text(), format)
    assert set(names) == set(graph)
    assert {(u, v) for u, v, _ in edges} == set(graph.edges)


def test_labels_that_equal_the_ids_count_as_names():
    """A large file is read in runs of nodes, and then its positions must be those of a small file."""
    nodes = "".join(f'<node id="{node}" label="{node}"/>\n' for node in range(5000))
    text = f'<gexf><graph defaultedgetype="directed"><nodes>{nodes}<node id="5000" label="x"/></nodes></graph></gexf>'
    assert list(read(Source(text.encode()), "gexf"))[-2:] == ["4999", "x"]
