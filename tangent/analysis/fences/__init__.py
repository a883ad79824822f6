"""What would be silently wrong and is refused, with the user's own line: questions about a function as it was written.

Enters: a Source, and the names from which derivatives flow.
Leaves: nothing, or an error that says what to write instead.
May import: `analysis` and what stands before it.
Start with: `as_written`, then `late_reads` and `keys`; `places` says which parts of which objects may be the same, `halfway`
which `try` statements are as good as calls.
"""
