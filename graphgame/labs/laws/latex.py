r"""Formulas in LaTeX, for a paper or a lesson.

>>> formula_latex("min(a, b) = floor(abs(a - b)*phi)")
'\\min(a, b) = \\left\\lfloor |a - b| \\varphi \\right\\rfloor'
"""

from __future__ import annotations

import ast

from graphgame.labs.laws.statements import parsed

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.BitXor: r"\oplus",
    ast.Eq: "=",
    ast.NotEq: r"\ne",
    ast.Lt: "<",
    ast.LtE: r"\le",
    ast.Gt: ">",
    ast.GtE: r"\ge",
    ast.In: r"\in",
    ast.NotIn: r"\notin",
    ast.And: r"\text{ and }",
    ast.Or: r"\text{ or }",
    ast.BitAnd: r"\mathbin{\&}",
    ast.BitOr: r"\mathbin{|}",
}
_LOOSE = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.UnaryOp)


def formula_latex(text: str) -> str:
    r"""Return a formula in LaTeX, to stand in mathematics.

    Examples
    --------
    >>> print(formula_latex("0 if n = 0 else 4*(n // 4) + (0, 2)[n % 2]"))
    \begin{cases} 0 & n = 0 \\ 4 \lfloor n / 4 \rfloor + (0, 2)_{n \bmod 2} & \text{else} \end{cases}
    """
    return _said(parsed(text))


def _said(tree: ast.AST) -> str:
    match tree:
        case ast.Name("phi"):
            return r"\varphi"
        case ast.Name(name):
            return name.replace("_", "'")
        case ast.Constant(value):
            return rf"\text{{{value}}}" if isinstance(value, bool) else str(value)
        case ast.BoolOp(operator, values):
            return f" {_SIGNS[type(operator)]} ".join(map(_said, values))
        case ast.UnaryOp(ast.Not(), operand):
            return rf"\text{{not }} {_tight(operand)}"
        case ast.UnaryOp(ast.USub(), operand):
            return f"-{_tight(operand)}"
        case ast.Compare(left, operators, others):
            signs = (_SIGNS.get(type(operator), "?") for operator in operators)
            return _said(left) + "".join(f" {sign} {_set(other)}" for sign, other in zip(signs, others, strict=True))
        case ast.BinOp(left, operator, right):
            return _joined(left, operator, right)
        case ast.IfExp(test, body, orelse):
            rows = [rf"{_said(body)} & {_said(test)}"]
            while isinstance(orelse, ast.IfExp):
                rows.append(rf"{_said(orelse.body)} & {_said(orelse.test)}")
                orelse = orelse.orelse
            rows.append(rf"{_said(orelse)} & \text{{else}}")
            return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"
        case ast.Tuple(items):
            return f"({', '.join(map(_said, items))})"
        case ast.Subscript(value, index):
            return f"{_said(value)}_{{{_said(index)}}}"
        case ast.Call(ast.Name("abs"), [part]):
            return f"|{_said(part)}|"
        case ast.Call(ast.Name("floor"), [part]):
            return rf"\left\lfloor {_said(part)} \right\rfloor"
        case ast.Call(ast.Name("sqrt"), [part]):
            return rf"\sqrt{{{_said(part)}}}"
        case ast.Call(ast.Name("g"), [part]):
            return f"g({_said(part)})"
        case ast.Call(ast.Name(name), parts):
            known = rf"\{name}" if name in ("min", "max", "gcd") else rf"\operatorname{{{name.replace('_', ' ')}}}"
            return f"{known}({', '.join(map(_said, parts))})"
    return rf"\text{{{ast.unparse(tree)}}}"


def _joined(left: ast.expr, operator: ast.operator, right: ast.expr) -> str:
    match operator:
        case ast.FloorDiv():
            return rf"\lfloor {_tight(left)} / {_tight(right)} \rfloor"
        case ast.Mod():
            return rf"{_tight(left)} \bmod {_tight(right)}"
        case ast.Div():
            return rf"\frac{{{_said(left)}}}{{{_said(right)}}}"
        case ast.Pow():
            return f"{_tight(left)}^{{{_said(right)}}}"
        case ast.Mult():
            return f"{_factor(left)} {_factor(right)}"
        case ast.Add():
            return f"{_said(left)} + {_said(right)}"
        case ast.Sub():
            loose = isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add | ast.Sub)
            return f"{_said(left)} - {_tight(right) if loose else _said(right)}"
        case ast.BitXor() if isinstance(left, ast.BinOp) and isinstance(left.op, ast.BitXor):
            return rf"{_said(left)} \oplus {_tight(right)}"
    return f"{_tight(left)} {_SIGNS.get(type(operator), '?')} {_tight(right)}"


def _factor(tree: ast.expr) -> str:
    whole = isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.FloorDiv | ast.Mult | ast.Div)
    return _said(tree) if whole else _tight(tree)


def _tight(tree: ast.expr) -> str:
    said = _said(tree)
    whole = isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.FloorDiv)
    return f"({said})" if isinstance(tree, _LOOSE) and not whole else said


def _set(tree: ast.expr) -> str:
    items = tree.elts if isinstance(tree, ast.Tuple | ast.List | ast.Set) else None
    return _said(tree) if items is None else rf"\{{{', '.join(map(_said, items))}\}}"
