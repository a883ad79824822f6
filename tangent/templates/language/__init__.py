"""The language of rules: how they are declared, kept and asked.

Enters: texts such as `elementwise('y = numpy.tanh(x)', 'd[y] * (1 - y * y)')`, and users' template functions.
Leaves: records in tables, and answers: the rule of an object, and its terms for given arguments.
May import: what `templates` may, and none of the declarations beside it.
Start with: the docstring of `declare`, then `registry`; `user_rules` reads templates that users write.
"""
