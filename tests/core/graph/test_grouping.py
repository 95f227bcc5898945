"""Grouping edges bucket by bucket and in threads gives what grouping them at once gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.compiled.engine import in_threads
from graphgame.graph import rows as csr
from tests.helpers import needs


@st.composite
def edges(draw):
    vertices = draw(st.integers(1, 40))
    ends = st.lists(st.tuples(*[st.integers(0, vertices - 1)] * 2), max_size=80)
    columns = np.array(draw(ends), np.int32).reshape(-1, 2).T
    sums = np.array(draw(st.lists(st.booleans(), min_size=vertices, max_size=vertices)))
    return *columns, vertices, draw(st.sampled_from([None, sums]))


@needs("numba")
@settings(max_examples=200, deadline=None)
@given(edges(), st.integers(1, 4), st.sampled_from([1, 2, 8]), st.sampled_from([1, 4, 16]))
def test_buckets_agree_with_the_plain_form(edges, threads, bucket, batch):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csr, "threads", lambda: threads)
        patch.setattr(csr, "BUCKET", bucket)
        patch.setattr(csr, "_BATCH", batch)
        patch.setattr(csr, "_ENTRIES_MOVED", 3)
        source, target, *_ = edges
        given = source.copy(), target.copy()
        found = csr.group_in_buckets(*edges, overwrite=False)
        rows, out_degree = csr._plain_group(*edges)
        for array, expected in zip(found, (*rows, out_degree), strict=True):
            np.testing.assert_array_equal(array, expected)
            assert array.dtype == expected.dtype
        np.testing.assert_array_equal((source, target), given)
        np.testing.assert_array_equal(csr.group_in_buckets(*edges, overwrite=True)[1], rows.indices)


@needs("numba")
@pytest.mark.parametrize("repeats", [1, 2])
def test_a_large_graph(repeats):
    random = np.random.default_rng(5)
    vertices = 3 * csr.BUCKET + 7
    source, target = (np.tile(random.integers(0, vertices, 300_000, np.int32), repeats) for _ in range(2))
    found = csr.group_in_buckets(source, target, vertices, None, overwrite=False)
    rows, out_degree = csr._plain_group(source, target, vertices, None)
    for array, expected in zip(found, (*rows, out_degree), strict=True):
        np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("parts", [[3], [3, 1, 2]])
def test_threads_keep_the_order_of_their_parts(parts):
    assert in_threads(lambda part: part * 10, parts) == [10 * part for part in parts]


def test_an_error_in_a_thread_is_raised():
    with pytest.raises(ZeroDivisionError):
        in_threads(lambda part: 1 // part, [1, 0])
