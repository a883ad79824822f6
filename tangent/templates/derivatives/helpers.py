"""What is known of the functions of the run time that emitted texts call (see `runtime.facts`), beside their derivatives.

Those that stand here are older than the decorator `facts.helper`, which says the same beside a function.
"""
from tangent.runtime.facts import note

# Gradients in the shape and dtype of what they belong to

note('unbroadcast(b, x)', like='x', casts=True, shape_of='x', view='b', shares='b', linear=True, each=True, directions=True)
note('astype(b, x)', like='x', casts=True, shape_of='x', view='b', shares='b', linear=True, each=True)
note('unreduce_like(array, original_array)', like='original_array', casts=True, shape_of='original_array', shares='array',
     linear=True, each=True)
note('unreduce(array, shape)', shares='array', linear=True)
note('broadcast_like(d, x)', directions=True)
note('grown_like(d, x)', directions=True)
note('copy(x)', like='x', fresh=True, copies=True, linear=True, each=True, directions=True)
note('copy_alike(x)', like='x', fresh=True, copies=True, linear=True, each=True, directions=True)
note('array_copy(x)', like='x', fresh=True, copies=True)
note('copy_along(d, x)', like='x', fresh=True, copies=True, linear=True, each=True, directions=True)
note('float_array(dx)', copies=True)
note('conjugated(y, by)', each=True)
note('own_gradient(b)', like='b')
note('init_grad(x)', like='x', casts=True, shape_of='x', fresh=True, harmless=True, listed=True)
note('zero_gradient(x)', like='x', casts=True, fresh=True)
note('add_grad(left, right)', directions=True)
note('add_at(bx, index, v)', like='bx', pure=False, writes='bx', in_place=True, shares='bx')
note('array_size(x)', shape_of='x', fresh=True)
note('last_at(b, index)', fresh=True)

# Adjoints that are like an argument

note('''unconvolve unarray uncumsum uncumprod unsort unrepeat untile unpad untake untake_along_axis undiag undiagonal untrace
    undiff unitem undet unmatrix_power unreal unimag dot_left matmul_left tensordot_left inner_left
    cross_left''', like=1)
note('dot_right matmul_right tensordot_right inner_right cross_right uninterp_nodes', like=2)
note('uninterp unaverage', like=3)
note('ties shares product_of_others middle centred nancentred norm_slope', like=0)
note('''dot_left dot_right matmul_left matmul_right tensordot_left tensordot_right inner_left inner_right uneinsum unkron ties
    cross_left cross_right share product_of_others cofactors push_cofactors uncumsum uncumprod unsort norm_slope
    grad_dot''', fresh=True)
note('unlist undict unzip unturned unreversed unenumerate unsorted undisplaced without joined_part unrepeated', view=0)
note('gradient_like', view=1)
note('unstack unconcatenate unhstack unblock unsum unproduct undist unextreme unarray', listed=True)

# Checks and the tape: their place counts

note('check_dims(y, by)', pure=False, harmless=True, shares='by')
note('check_number(y, by)', pure=False, harmless=True, shares='by', shape_of='y')
note('check_ones(y, by)', pure=False, harmless=True, shares='by')
note('check_scalar(by)', pure=False, harmless=True, shares='by', like='by')
note('check_floats(x)', pure=False, harmless=True, shape_of='x')
note('check_apart check_element', pure=False, harmless=True)
note('of_forward(found)', pure=False, harmless=True, shares='found')
note('check_pair check_recomputed check_numpy check_rows', pure=False)
note('Stack', fresh=True, harmless=True)
note('split_here', harmless=True)
note('push pop', pure=False, directions=True)
note('pushforward remove_both pairs_apart', pure=False, directions=True)
note('overwrite', writes=0, followed=True)
note('sort_both remove_both', followed=True)
note('add_into(out, index, values)', writes='out', values='values', followed=True)
note('sort_both overwrite put_row row_from_zero', pure=False)

# Several directions at once

note('''push_stack pop_stack drained partial_tangent captured dict_tangent no_keys each_direction each_pushed directions
    to_directions count_directions zero_directions from_directions push_enumerated tangent_called''', directions=True)

# Parameters that may be containers; of the other helpers all are numbers and arrays

note('check_dims', structured=('y', 'by'))
note('copy copy_alike copy_along', structured=('source',))
note('astype', structured=('array', 'x'))
note('add_grad', structured=('left', 'right'))
note('add_at', structured=('bx',))
note('unarray init_grad zero_tangent', structured=('x',))
note('check_tangent', structured=('x', 'g'))
note('broadcast_like grown_like', structured=('g', 'x'))
note('unadd_at unadd_at_from dict_keys', structured=())
