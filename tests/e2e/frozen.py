"""`python -m tests.e2e.frozen`: what `make run` starts, with the frozen bridge in its sandboxes."""

import infra.local.__main__ as machine
from tests import frozen_bridge

if __name__ == "__main__":
    machine.TEMPLATE = frozen_bridge.template()
    machine.main()
