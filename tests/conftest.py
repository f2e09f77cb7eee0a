"""What all tests stand on."""

import signal


def pytest_configure() -> None:
    """A shell's background job ignores Ctrl-C and hands that on; some tests are about Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
