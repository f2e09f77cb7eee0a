"""`outboard sign-out --everywhere` against the real entry points."""

import pytest

from shared.domain.errors import Unauthenticated
from tests.shared.client.outboard import Outboard
from tests.shared.client.real_server import RealServer


def _login(real: RealServer) -> str:
    sign_ins = real.app.sign_ins
    code, _ = sign_ins.offer_code(real.app.accounts.authenticate(f"Bearer {real.token}"))
    return sign_ins.begin(code)[1]


def test_every_browser_is_signed_out_and_tokens_stay(real_outboard: Outboard, real: RealServer):
    logins = [_login(real), _login(real)]
    real_outboard("token", "create", "nightly")

    ran = real_outboard("sign-out", "--everywhere")

    assert ran.status == 0, ran.err
    assert "every browser of yours is signed out" in ran.out.lower()
    assert "tokens stay" in ran.out
    for login in logins:
        with pytest.raises(Unauthenticated):
            real.app.sign_ins.authenticate(login)
    assert "nightly" in real_outboard("token", "list").out


def test_tokens_are_revoked_too_where_that_is_asked_for(real_outboard: Outboard):
    real_outboard("token", "create", "nightly")

    (answer,) = real_outboard("sign-out", "--everywhere", "--tokens", "--json").json

    assert answer == {"signedOut": True, "tokensRevoked": True}
    assert real_outboard("token", "list").out == "no tokens\n"


def test_a_command_line_has_no_login_of_its_own_to_end(real_outboard: Outboard):
    ran = real_outboard("sign-out")

    assert ran.status == 2
    assert "--everywhere" in ran.err
