"""Hypothesis strategies for random games."""

from hypothesis import strategies as st


@st.composite
def dags(draw, max_vertices=12, max_edges=40):
    """Draw {vertex: [options]} over shuffled vertices 0..n-1, parallel edges and isolated vertices included."""
    n = draw(st.integers(1, max_vertices))
    name = draw(st.permutations(range(n)))
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] != pair[1])
    edges = draw(st.lists(pairs, max_size=max_edges if n > 1 else 0))
    options = {vertex: [] for vertex in range(n)}
    for a, b in edges:
        options[name[max(a, b)]].append(name[min(a, b)])
    return options


@st.composite
def dags_with_tokens(draw, max_vertices=7, max_edges=14, max_tokens=3):
    options = draw(dags(max_vertices, max_edges))
    return options, draw(st.lists(st.sampled_from(sorted(options)), max_size=max_tokens))


@st.composite
def dags_with_sums(draw, max_vertices=8, max_edges=12):
    """Draw ({vertex: [options]}, sum vertices); a sum may have a part twice, the options of a position are distinct."""
    options = draw(dags(max_vertices, max_edges))
    sums = draw(st.sets(st.sampled_from(sorted(options))))
    return {v: ends if v in sums else sorted(set(ends)) for v, ends in options.items()}, sums


@st.composite
def decided_dags(draw):
    """Draw ({vertex: [options]}, sum vertices, {position that ends all play: outcome}, two tokens)."""
    lower = {v: st.lists(st.integers(0, v - 1), min_size=1, max_size=3) for v in range(1, draw(st.integers(4, 9)))}
    options = {0: []} | {v: draw(row) for v, row in lower.items()}
    sums = draw(st.sets(st.sampled_from(sorted(lower)), max_size=2))
    positions = [vertex for vertex in options if vertex not in sums]
    decided = draw(st.dictionaries(st.sampled_from(positions[:-1]), st.sampled_from("PN"), min_size=1, max_size=3))
    tokens = draw(st.lists(st.sampled_from(positions), min_size=2, max_size=2))
    options = {v: row if v in sums else [] if v in decided else sorted(set(row)) for v, row in options.items()}
    return options, sums, decided, tokens


@st.composite
def digraphs_with_sums(draw, max_vertices=5, max_sums=3):
    """Draw ({vertex: [options]}, sum vertices), perhaps with cycles, but none through a sum; sums may hold sums."""
    options, sums = {}, set()
    for _ in range(draw(st.integers(1, max_sums))):
        below, n = sorted(options), draw(st.integers(1, max_vertices))
        new = range(len(options), len(options) + n)
        ends = st.lists(st.sampled_from([*below, *new]), unique=True, max_size=3)
        options |= {vertex: sorted(draw(ends)) for vertex in new}
        sums.add(len(options))
        options[len(options)] = sorted(draw(st.lists(st.sampled_from([*below, *new]), max_size=2)))
    top = len(options)
    return {**options, top: draw(st.lists(st.integers(0, top), unique=True, max_size=3))}, sums


@st.composite
def digraphs(draw, max_vertices=6):
    """Draw {vertex: [options]} over 0..n-1, perhaps with cycles and with moves from a vertex to itself."""
    n = draw(st.integers(1, max_vertices))
    ends = st.lists(st.integers(0, n - 1), unique=True, max_size=n)
    return {vertex: sorted(draw(ends)) for vertex in range(n)}
