"""What is asked for of a derivative."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Options:
    """What is asked for; the meaning of each is that of the arguments of `tangent.grad`.

    first : the first element of a returned tuple is what is differentiated
    scalar : the result has to be a number
    default : value of the seed when none is given; None where it is required
    ones : a seed that is a number is spread over the shape of the result
    values : 'none', 'after' (gradients, then the value, flat) or 'before' (value, then the gradients as one item)
    aux : the result is a pair, of which the second is handed on beside the gradients
    bare : a single gradient comes without a tuple around it
    in_complex : in complex form, whatever the text of the function shows
    memory : loops keep no more than a budget that is set when running
    batched : tangents have an axis of directions in front
    nan_safe : what is known not to take part contributes zero, whatever it is multiplied by
    fuse : chains of elementwise operations in the adjoint become kernels of CuPy's
    target : what compiles the functions, see `numba.options.Flags`; None for CPython
    classes : those that take part by arguments, see `analysis.kinds`
    kinds : (name of a parameter of the derivative, its kind) for those that are known
    presuming : powers of floats are taken for floats, and asked whether they are, see `normal.typed.powers`
    in_python : what Numba compiles is run by CPython, callees too
    later : others may run between the forward and the backward pass; see `frontend.nested.Settings`
    rows : all rows of the Jacobian, 'made' or written into arrays that are 'given'; see `derive_rows`
    """
    optimized: bool = True
    motion: str = 'joint'
    mode: str = 'reverse'
    check_dims: bool = True
    scalar: bool = True
    first: bool = True
    default: object = 1.0
    ones: bool = False
    values: str = 'none'
    aux: bool = False
    bare: bool = True
    in_complex: bool = False
    memory: bool = False
    fuse: bool = False
    batched: bool = False
    nan_safe: bool = False
    verbose: int = 0
    target: object = None
    in_python: bool = False
    rows: object = None
    classes: frozenset = frozenset()
    kinds: tuple = ()
    presuming: bool = False
    later: bool = False

    @property
    def runs_plain(self):
        """Whether CPython runs what is asked for, in the form that a derivative has by itself."""
        return not (self.target or self.in_python or self.in_complex or self.memory or self.fuse or self.batched
                    or self.nan_safe or self.rows)

    @property
    def reads_kinds(self):
        """Whether the text of such a derivative would be another for known kinds of arguments."""
        plain = self.mode == 'reverse' and self.motion == 'joint' and self.optimized
        return plain and not (self.in_complex or self.memory or self.fuse or self.batched or self.nan_safe or self.rows
                              or self.target)
