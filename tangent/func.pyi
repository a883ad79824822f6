"""The forms of JAX and PyTorch, for type checkers; see `signatures.pyi`."""
from collections.abc import Callable, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, overload

from tangent.signatures import Derivative, Function
from tangent.signatures import grad_and_value as grad_and_value
from tangent.signatures import jacfwd as jacfwd
from tangent.signatures import jacrev as jacrev
from tangent.signatures import vmap as vmap

P = ParamSpec('P')
Q = ParamSpec('Q')
X = TypeVar('X')
R = TypeVar('R')

@overload
def grad(f: Function[X, P, Q, R], argnums: Literal[0] = ..., has_aux: Literal[False] = ...,
         holomorphic: Literal[False] = ..., allow_int: bool | None = ...) -> Derivative[Q, X]: ...
@overload
def grad(f: Callable[P, Any], argnums: int | Sequence[int] = ..., has_aux: bool = ..., holomorphic: bool = ...,
         allow_int: bool | None = ...) -> Derivative[P, Any]: ...
@overload
def value_and_grad(f: Function[X, P, Q, R], argnums: Literal[0] = ..., has_aux: Literal[False] = ...,
                   holomorphic: Literal[False] = ..., allow_int: bool | None = ...) -> Derivative[Q, tuple[R, X]]: ...
@overload
def value_and_grad(f: Callable[P, Any], argnums: int | Sequence[int] = ..., has_aux: bool = ..., holomorphic: bool = ...,
                   allow_int: bool | None = ...) -> Derivative[P, tuple[Any, Any]]: ...
@overload
def vjp(f: Callable[..., R], *primals: Any, has_aux: Literal[False] = ...) -> tuple[R, Callable[[Any], tuple[Any, ...]]]: ...
@overload
def vjp(f: Callable[..., Any], *primals: Any, has_aux: Literal[True]) -> tuple[Any, Callable[[Any], tuple[Any, ...]], Any]: ...
@overload
def jvp(f: Callable[..., R], primals: Sequence[Any], tangents: Sequence[Any],
        has_aux: Literal[False] = ...) -> tuple[R, Any]: ...
@overload
def jvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any],
        has_aux: Literal[True]) -> tuple[Any, Any, Any]: ...
@overload
def linearize(f: Callable[..., R], *primals: Any, has_aux: Literal[False] = ...) -> tuple[R, Callable[..., Any]]: ...
@overload
def linearize(f: Callable[..., Any], *primals: Any, has_aux: Literal[True]) -> tuple[Any, Callable[..., Any], Any]: ...
def hessian(f: Callable[P, Any], argnums: int | Sequence[int] = ..., has_aux: bool = ..., *, holomorphic: bool = ...,
            chunk_size: int | None = ...) -> Derivative[P, Any]: ...
