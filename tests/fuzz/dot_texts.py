"""Random texts of directed graphs in DOT, and the vertices and edges that Graphviz and graphgame find in them."""

import random
from collections import Counter

import pygraphviz

from graphgame.io.source import Source
from graphgame.labs.formats.dot_graphs import DotGraph
from graphgame.labs.formats.positions import GraphBuilder

NAMES = ["a", "b", "c", '"d e"', '"a"', "1", "-2.5", ".5", "é", "Node1", '"node"', '"q\\"r"', '"x" + "y"', '"l\\\nm"']
GAPS = ["", "", " ", "\n", "\t", "/* c */", " // c\n"]


class Writer:
    """Writes a graph by chance."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def text(self):
        return self.rng.choice(["", "strict "]) + "Digraph" + self.rng.choice([" ", ' "a b"', " G "]) + self.body(0)

    def body(self, depth):
        statements = (self.statement(depth) for _ in range(self.rng.randint(0, 4 if depth else 7)))
        return "{" + "".join(statement + self.rng.choice([";", "\n", " ; "]) for statement in statements) + "}"

    def statement(self, depth):
        write = self.rng.choices([self.chain, self.ends, self.defaults, self.attribute, self.group], [5, 3, 2, 1, 1])[0]
        return write(depth) + (self.attributes() if write in (self.chain, self.ends) else "")

    def chain(self, depth):
        return f"{self.gap()}->{self.gap()}".join(self.ends(depth) for _ in range(self.rng.choice([2, 2, 3])))

    def ends(self, depth):
        if depth < 3 and self.rng.random() < 0.25:
            return self.group(depth)
        ports = ["", "", "", ":p", ":p:n", ':"q r"']
        return ",".join(self.name() + self.rng.choice(ports) for _ in range(self.rng.choice([1, 1, 1, 2])))

    def group(self, depth):
        name = self.rng.choice(["", "subgraph ", "subgraph s ", "subgraph s", "subgraph t "])
        return name + self.body(depth + 1)

    def defaults(self, _):
        return self.rng.choice(["node", "edge", "Graph"]) + (self.attributes() or "[]")

    def attribute(self, _):
        return f"color{self.gap()}={self.gap()}{self.name()}"

    def attributes(self):
        lists = (self.attribute_list() for _ in range(self.rng.choice([0, 0, 1, 2])))
        return "".join(self.gap() + text for text in lists)

    def attribute_list(self):
        values = {"kind": ["sum", "x", '""'], "multiplicity": ["1", "2", '"3"'], "color": NAMES}
        names = self.rng.choices(list(values), k=self.rng.randint(0, 3))
        items = [f"{name}{self.gap()}={self.gap()}{self.rng.choice(values[name])}" for name in names]
        return f"[{self.rng.choice([',', ' ; ', ' ']).join(items)}]"

    def name(self):
        return self.rng.choice(NAMES)

    def gap(self):
        return self.rng.choice(GAPS)


def found_by_graphviz(text):
    """Return {vertex: kind}, and a Counter of the edges as (start, end, multiplicity)."""
    graph = pygraphviz.AGraph(string=text)
    edges = ((*edge, edge.attr["multiplicity"] or "1") for edge in graph.edges_iter())
    return {str(node): node.attr["kind"] or "" for node in graph.nodes()}, Counter(edges)


class Builder(GraphBuilder):
    """Collects the edges in ``found``, as (start, end, multiplicity)."""

    def __init__(self):
        super().__init__(Source(b""))
        self.found = []

    def edge(self, start, end, multiplicity=1):
        self.found.append((start, end, str(multiplicity)))

    def add_edges(self, starts, ends):
        self.found += [(start, end, "1") for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def take_edges(self):
        found, self.found = self.found, []
        return [(start, end) for start, end, _ in found]

    def __len__(self):
        return len(self.found)


def found_by_graphgame(text):
    """Return the same as :func:`found_by_graphviz`."""
    builder = Builder()
    graph = DotGraph(Source(b""), text, builder)
    graph.read()
    names = list(builder.numbers)
    kinds = {name: graph.node_attributes["kind"].get(number, "") for name, number in builder.numbers.items()}
    edges = Counter((names[start], names[end], times) for start, end, times in builder.found)
    if text.startswith("strict") and not any(kinds.values()):
        edges = Counter(set(edges))  # without sums repeated edges are dropped when the graph is made
    return kinds, edges
