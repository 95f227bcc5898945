"""Nim arithmetic: Conway's field, in numbers, in arrays and in text."""

from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graphgame import nimbers
from graphgame.cli import main
from graphgame.errors import LimitError, ParseError
from tests.brute import least_missing
from tests.notations import table

PUBLISHED = table("nim-multiplication")
numbers = st.integers(0, 2**300) | st.integers(0, 300)
nonzero = numbers.filter(bool)


@cache
def defined(a, b):
    """Return the product by its definition: the least number that the smaller products leave out."""
    return least_missing({defined(x, b) ^ defined(a, y) ^ defined(x, y) for x in range(a) for y in range(b)})


def test_published_inverses():
    expected = PUBLISHED["nim inverse n=1..16"]["expected"]
    assert [nimbers.inverse(a) for a in range(1, 17)] == expected


def test_published_products():
    record = PUBLISHED["products"]
    assert [nimbers.product(a, b) for a, b in record["input"]["pairs"]] == record["expected"]


def test_the_definition():
    assert [[nimbers.product(a, b) for b in range(36)] for a in range(36)] == [
        [defined(a, b) for b in range(36)] for a in range(36)
    ]


@pytest.mark.parametrize("k", range(12))
def test_powers_of_fermat(k):
    fermat = 2 ** (2**k)
    assert nimbers.product(fermat, fermat) == fermat * 3 // 2
    assert nimbers.product(fermat, fermat - 1) == fermat * (fermat - 1)


@given(numbers, numbers, numbers)
def test_field(a, b, c):
    assert nimbers.product(a, b) == nimbers.product(b, a)
    assert nimbers.product(a, nimbers.product(b, c)) == nimbers.product(nimbers.product(a, b), c)
    assert nimbers.product(a, b ^ c) == nimbers.product(a, b) ^ nimbers.product(a, c)
    assert (nimbers.product(a, 0), nimbers.product(a, 1)) == (0, a)


@given(nonzero)
def test_inverse(a):
    assert nimbers.product(a, nimbers.inverse(a)) == 1


@given(numbers)
def test_square_root(a):
    root = nimbers.square_root(a)
    assert nimbers.product(root, root) == a
    assert nimbers.square_root(nimbers.product(a, a)) == a


@given(st.integers(0, 10**6), st.integers(0, 12))
def test_powers_are_repeated_products(a, exponent):
    expected = 1
    for _ in range(exponent):
        expected = nimbers.product(expected, a)
    assert nimbers.power(a, exponent) == expected


@given(st.integers(1, 2**64 - 1), st.integers(-(10**30), 10**30), st.integers(-(10**30), 10**30))
def test_powers_of_any_size(a, m, n):
    assert nimbers.product(nimbers.power(a, m), nimbers.power(a, n)) == nimbers.power(a, m + n)
    assert nimbers.power(a, 2**64 - 1) == 1


@given(st.integers(2**64, 2**300), st.integers(0, 2**600))
def test_powers_by_squares(a, exponent):
    expected = 1
    for digit in f"{exponent:b}":
        expected = nimbers.product(expected, expected)
        if digit == "1":
            expected = nimbers.product(expected, a)
    assert nimbers.power(a, exponent) == expected


def test_powers_of_a_thousand_bits():
    a, order = 3**630, 2**1024 - 1
    assert (a.bit_length() > 990, nimbers.power(a, order), nimbers.power(a, order - 1)) == (True, 1, nimbers.inverse(a))
    assert nimbers.power(a, 2**1023) == nimbers.square_root(a)


@given(
    st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 300), max_size=8),
    st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 300), max_size=8),
)
def test_arrays(first, second):
    found = nimbers.product(np.array(first, np.uint64)[:, None], np.array(second, np.uint64))
    assert found.tolist() == [[nimbers.product(a, b) for b in second] for a in first]


@given(
    st.lists(st.tuples(st.integers(0, 2**64 - 1) | st.integers(0, 300), st.integers(-(2**63), 2**63 - 1)), max_size=8)
)
def test_arrays_of_powers(pairs):
    pairs = [(base, exponent) for base, exponent in pairs if base or exponent >= 0]
    bases, exponents = np.array(pairs, object).reshape(-1, 2).T
    found = nimbers.power(bases.astype(np.uint64), exponents.astype(np.int64))
    assert found.tolist() == [nimbers.power(base, exponent) for base, exponent in pairs]
    roots = nimbers.square_root(bases.astype(np.uint64))
    assert roots.tolist() == [nimbers.square_root(base) for base, _ in pairs]
    nonzero = [base for base, _ in pairs if base]
    assert nimbers.inverse(np.array(nonzero, np.uint64)).tolist() == list(map(nimbers.inverse, nonzero))


def test_powers_with_one_exponent_or_one_base():
    assert nimbers.power(np.arange(1, 4), 2).tolist() == [1, 3, 2]
    assert nimbers.power(2, [[0, 1, 2], [3, 4, -1]]).tolist() == [[1, 2, 3], [1, 2, 3]]
    assert nimbers.power(np.zeros(3, int), [0, 1, 15]).tolist() == [1, 0, 0]
    assert nimbers.square_root(np.zeros((0, 2), int)).shape == (0, 2)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64])
def test_arrays_of_small_integers(dtype):
    assert nimbers.product(np.array([4, 19], dtype), np.array([4, 23], dtype)).tolist() == [6, 86]


@pytest.mark.parametrize(
    "work", [nimbers.inverse, nimbers.square_root, lambda a: nimbers.product(a, 1), lambda a: nimbers.power(a, 2)]
)
def test_wrong_numbers(work):
    with pytest.raises(ValueError, match="invalid number -1"):
        work(-1)
    with pytest.raises(LimitError, match=f"at most {nimbers.MAX_BITS}"):
        work(1 << nimbers.MAX_BITS)


def test_no_inverse_of_0():
    for work in (nimbers.inverse, lambda a: nimbers.power(a, -1)):
        with pytest.raises(ZeroDivisionError, match="0 has no nim inverse"):
            work(0)
        with pytest.raises(ZeroDivisionError, match="0 has no nim inverse"):
            work(np.array([1, 0]))
    assert [nimbers.power(0, exponent) for exponent in (0, 1, 5)] == [1, 0, 0]


@pytest.mark.parametrize(("array", "message"), [([-1, 2], "invalid number -1"), ([0.5], "invalid dtype float64")])
def test_wrong_arrays(array, message):
    with pytest.raises(ValueError, match=message):
        nimbers.product(np.array(array), np.array([1]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", 7),
        ("4*4 + 19*23", 6 ^ 86),
        ("(4 + 4*4) * 19", nimbers.product(4 ^ 6, 19)),
        ("1/2/2", nimbers.inverse(nimbers.product(2, 2))),
        ("sqrt(6)", 4),
        ("sqrt(2)**2", 2),
        ("2*4**2", nimbers.product(2, 6)),
        ("5**-1*5", 1),
        ("14^21", 27),
        ("14 xor 21", 27),
        ("14xor 21", 27),
        ("2^3", 1),
        ("2**3", 1),
        ("4**3", nimbers.product(4, 6)),
        ("4^3", 7),
        ("2 ^ 3*5 + 1", 2 ^ nimbers.product(3, 5) ^ 1),
        ("2*4**2 ^ 9", nimbers.product(2, 6) ^ 9),
        ("mex{0,1,2,4}", 3),
        ("mex(0, 1, 2, 4)", 3),
        ("mex{}", 0),
        ("mex()", 0),
        ("mex{1}", 0),
        ("mex{0, 0}", 1),
        ("mex{mex{0, 1}, 2*2, 0, 1^0} + 8", 4 ^ 8),
        (" 12 + sqrt ( 1 + 1 ) ", 12),
        ("(4**3)**2", nimbers.power(4, 6)),
    ],
)
def test_expressions(text, expected):
    assert nimbers.evaluate(text) == expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected a number"),
        ("7*(9+)", 6, "expected a number"),
        ("3 4", 3, "expected +, *, /, ^, **, xor or the end of the expression"),
        ("2 x 3", 3, "expected a number, +, *, /, ^, **, xor, sqrt, mex, a comma or a bracket"),
        ("1/(2+2)", 3, "division by 0"),
        ("0**-2", 4, "division by 0"),
        ("2**(3)", 4, "expected an integer as the exponent"),
        ("2**3**2", 5, "an exponent is one integer: a power of a power is written (a**b)**c"),
        ("2**-3**2", 6, "(a**b)**c"),
        ("2^", 3, "expected a number"),
        ("2^-1", 3, "expected a number"),
        ("1 xor", 6, "expected a number"),
        ("1 xor2", 3, "expected a number, +"),
        ("mex", 4, "expected { or ("),
        ("mex{1, }", 8, "expected a number"),
        ("mex{1 2}", 7, "expected , or }"),
        ("mex{1)", 6, "expected , or }"),
        ("mex(1}", 6, "expected , or )"),
        ("-1", 1, "expected a number"),
        ("sqrt 5", 6, "expected ("),
        ("(1 + 2", 7, "expected )"),
        ("__import__('os')", 1, "expected a number"),
    ],
)
def test_wrong_expressions(text, column, message):
    with pytest.raises(ParseError) as caught:
        nimbers.evaluate(text)
    assert (caught.value.column, message in caught.value.message) == (column, True), caught.value


@pytest.mark.parametrize("text", ["(" * 3000 + "1", "9" * 3000, "2**" + "9" * 3000, "sqrt(" * 200 + "1", "mex{" * 200])
def test_limits_of_expressions(text):
    with pytest.raises(LimitError, match="at most"):
        nimbers.evaluate(text)


class TestCommandLine:
    def answer(self, *arguments):
        result = CliRunner().invoke(main, ["nimber", *arguments])
        return result.exit_code, result.output

    def test_expression(self):
        assert self.answer("4*4 + 19*23") == (0, f"{6 ^ 86}\n")

    @pytest.mark.parametrize(
        ("expression", "latex"),
        [
            ("14^21", r"14 \oplus 21 = 27"),
            ("14 xor 21 + 1", r"14 \oplus 21 \oplus 1 = 26"),
            ("2 * 3", r"2 \otimes 3 = 1"),
            ("2*4 ** -1", rf"2 \otimes 4^{{-1}} = {nimbers.product(2, 15)}"),
            ("mex{0, mex(0,1)}", r"\operatorname{mex}\{0, \operatorname{mex}(0, 1)\} = 1"),
            ("sqrt(6)**5/7", r"\operatorname{sqrt}(6)^{5}/7 = 13"),
        ],
    )
    def test_latex(self, expression, latex):
        assert self.answer(expression, "--latex") == (0, f"${latex}$\n")

    def test_help_says_which_sign_is_a_power(self):
        assert "4^3 is 7, 4**3 is" in self.answer("--help")[1]

    def test_table(self):
        assert self.answer("--table", "4") == (0, "0 0 0 0\n0 1 2 3\n0 2 3 1\n0 3 1 2\n")

    def test_errors(self):
        code, said = self.answer("7*(9+)")
        assert (code, said) == (2, "graphgame: error: 1:6: expected a number\n    7*(9+)\n         ^\n")
        assert self.answer()[0] == self.answer("7", "--table", "4")[0] == self.answer("--table", "257")[0] == 2
