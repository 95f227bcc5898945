"""Integers that are numbered without gaps: the compiled and the plain form agree with sorting."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphgame.io.edge_stores import IntegerEdges
from tests.helpers import needs

NEAR = st.integers(-9, 60_000)
FAR = st.sampled_from([-(2**63) + 1, -(2**31), 2**31 - 1, 2**31, 2**62 + 1, 2**63 - 1])


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs("numba"))])
@given(
    edges=st.lists(st.tuples(NEAR | FAR, NEAR | FAR)) | st.lists(st.tuples(NEAR, NEAR)),
    others=st.lists(st.lists(NEAR | FAR)) | st.just([]),
)
@example(edges=[(5, 4), (4, 6)], others=[])
@example(edges=[], others=[[2**62 + 1], [2**62]])
@example(edges=[(-(2**31), -(2**31) + 1)], others=[[-(2**31) - 1]])
def test_every_integer_has_its_place_among_all(compiled, edges, others):
    store = IntegerEdges(None, 1)
    store.add(np.array(edges, np.int64).ravel())
    for integers in others:
        store.add_vertices(np.array(integers, np.int64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphgame.io.edge_stores.use_compiled", lambda _: compiled)
        source, target, labels = store.numbered()
    assert list(labels) == sorted(set().union(*edges, *others))
    assert list(zip(labels.take(source), labels.take(target), strict=True)) == edges
