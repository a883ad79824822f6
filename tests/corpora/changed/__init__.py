"""Lists, dicts and objects that change: which of these programs are structured is tested, too."""
