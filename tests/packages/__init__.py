"""Functions of public packages, called as their users call them, and what becomes of their derivatives.

`python -m tests.packages [names]` prints a line for each (of packages, fields or functions so named); `fields` holds them, and
`pip install .[packages]` brings the packages. Where one is not installed, its functions are left out.
"""
