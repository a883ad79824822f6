"""Switches of the test run."""


def pytest_addoption(parser):
    parser.addoption('--update-docs', action='store_true', help='write what the library prints today into README and docs')
    parser.addoption('--update-rooms', action='store_true', help='write what each room makes of the golden files')
