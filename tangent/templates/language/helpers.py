"""What the compiler may know of the run-time functions that rules name."""

# The position of the argument whose shape and (float) dtype the result has.
LIKE = {
    'unbroadcast': 1, 'astype': 1, 'unreduce_like': 1, 'init_grad': 0,
    'dot_left': 1, 'dot_right': 2, 'matmul_left': 1, 'matmul_right': 2, 'tensordot_left': 1, 'tensordot_right': 2,
    'inner_left': 1, 'inner_right': 2, 'unconvolve': 1, 'unarray': 1, 'uncumsum': 1, 'uncumprod': 1, 'unsort': 1,
    'unrepeat': 1, 'untile': 1, 'unpad': 1, 'untake': 1, 'untake_along_axis': 1, 'undiag': 1, 'undiagonal': 1, 'untrace': 1,
    'undiff': 1, 'unitem': 1, 'uninterp': 3, 'unaverage': 3, 'ties': 0, 'shares': 0, 'product_of_others': 0, 'middle': 0,
    'undet': 1, 'unreal': 1, 'unimag': 1, 'centred': 0, 'nancentred': 0, 'norm_slope': 0,
}
