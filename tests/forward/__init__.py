"""Forward mode: the corpus, golden files, all rules, several directions."""
