ARGS = ('disc', 0.7),
WRT = 'shape',


def f(shape):
    match shape:
        case ('square', side):
            return side * side
        case ('disc', r):
            return 3.0 * r * r
    return 0.0


# --- normal
def f(shape):
    c = is_sequence(shape) and len(shape) == 2 and shape[0] == "square"
    if c:
        side = shape[1]
        result = side * side
        result5 = result
    else:
        c2 = is_sequence(shape) and len(shape) == 2 and shape[0] == "disc"
        if c2:
            r = shape[1]
            t = 3.0 * r
            result2 = t * r
            result4 = result2
        else:
            result3 = 0.0
            result4 = result3
        result5 = result4
    return result5


# --- reverse
def dfdshape(shape, bf=1.0):
    c = is_sequence(shape) and len(shape) == 2 and shape[0] == "square"
    if c:
        side = shape[1]
        result = side * side
        result5 = result
    else:
        c2 = is_sequence(shape) and len(shape) == 2 and shape[0] == "disc"
        if c2:
            r = shape[1]
            t = 3.0 * r
            result2 = t * r
            result4 = result2
        else:
            result3 = 0.0
            result4 = result3
        result5 = result4

    bf = check_number(result5, bf)
    # Grad of: match shape:
    if c:
        # Grad of: return side * side
        bside = 2 * bf * side
        bshape2 = init_grad(shape)
        bshape2[1] += bside
    else:
        if c2:
            # Grad of: return 3.0 * r * r
            bt = bf * r
            br = bf * t + bt * 3.0
            bshape = init_grad(shape)
            bshape[1] += br
        else:
            bshape = init_grad(shape)
        bshape2 = bshape
    bshape3 = bshape2
    return astype(bshape3, shape)


# --- optimized
def dfdshape(shape, bf=1.0):
    c = is_sequence(shape) and len(shape) == 2 and shape[0] == "square"
    if c:
        side = shape[1]
        result = side * side
    else:
        c2 = is_sequence(shape) and len(shape) == 2 and shape[0] == "disc"
        if c2:
            r = shape[1]
            t = 3.0 * r
            result = t * r
        else:
            result = 0.0

    bf = check_number(result, bf)
    # Grad of: match shape:
    if c:
        # Grad of: return side * side
        bside = 2 * bf * side
        bshape = init_grad(shape)
        bshape[1] += bside
    elif c2:
        # Grad of: return 3.0 * r * r
        br = bf * t + 3.0 * (bf * r)
        bshape = init_grad(shape)
        bshape[1] += br
    else:
        bshape = init_grad(shape)
    return astype(bshape, shape)
