"""The corridor: walks a function through the rooms and brings back its derivative.

Enters: a question: a function, the parameters asked for, and the options.
Leaves: the derivative, a function built from its text; what was made is given again while it is right.
May import: every room but `checkpoint`, `cuda` and `interfaces`.
Start with: `questions.derivative`, then `derivation.Derivation`; `forward` and `log_form` are the corridors of the other
engines, `second_order` that of derivatives of derivatives, `dispatch` does the same while a derivative runs.
"""
