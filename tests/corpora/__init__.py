"""Programs to be differentiated, and the tests that run a whole corpus."""
