def without_match(stmts, names, resolver):
    return stmts
