"""Switches of the test run."""


def pytest_addoption(parser):
    parser.addoption('--update-docs', action='store_true', help='write what the library prints today into README and docs')
    parser.addoption('--all-samples', action='store_true', help='check all samples of the rules, not one call in twelve')
    parser.addoption('--update-rooms', action='store_true', help='write what each room makes of the golden files')


def pytest_terminal_summary(terminalreporter):
    """How many samples of the rules were checked; the workers hand the numbers over with their reports."""
    found = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, 'when', None) == 'call':
                for name, value in report.user_properties:
                    if name in ('samples', 'calls'):
                        found[name] = found.get(name, 0) + value
    if found:
        terminalreporter.write_line(f"{found['samples']} samples of {found['calls']} calls checked")
