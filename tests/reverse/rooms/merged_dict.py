ARGS = {'rate': 0.1, 'scale': 2.0}, 0.7


def merged_dict(defaults, x):
    """Options by name: what is given replaces the default."""
    options = {**defaults, 'rate': x * x}
    return options['rate'] * options['scale']


# --- normal
def merged_dict(defaults, x):
    """Options by name: what is given replaces the default."""
    t = x * x
    options = {**defaults, "rate": t}
    t2 = options["rate"]
    t3 = options["scale"]
    t4 = t2 * t3
    return t4


# --- reverse
def dmerged_dictddefaultsdx(defaults, x, bmerged_dict=1.0):
    """Options by name: what is given replaces the default."""
    t = x * x
    options = {**defaults, "rate": t}
    t2 = options["rate"]
    t3 = options["scale"]
    t4 = t2 * t3

    bmerged_dict = check_dims(t4, bmerged_dict, t2, t3)
    # Grad of: return options['rate'] * options['scale']
    bt3 = bmerged_dict * t2
    bt2 = bmerged_dict * t3
    boptions = init_grad(options)
    boptions["scale"] += bt3
    boptions["rate"] += bt2
    # Grad of: options = {**defaults, 'rate': x * x}
    bt = boptions["rate"]
    bdefaults = unmerged(boptions, defaults, ("rate",))
    bx = 2 * bt * x
    return astype(bdefaults, defaults), astype(bx, x)


# --- optimized
def dmerged_dictddefaultsdx(defaults, x, bmerged_dict=1.0):
    options = {**defaults, "rate": x * x}
    t = options["rate"]
    t2 = options["scale"]

    bmerged_dict = check_dims(t * t2, bmerged_dict, t, t2)
    # Grad of: return options['rate'] * options['scale']
    bt = bmerged_dict * t2
    boptions = init_grad(options)
    boptions["scale"] += bmerged_dict * t
    boptions["rate"] += bt
    # Grad of: options = {**defaults, 'rate': x * x}
    bdefaults = unmerged(boptions, defaults, ("rate",))
    bx = 2 * boptions["rate"] * x
    return astype(bdefaults, defaults), astype(bx, x)
