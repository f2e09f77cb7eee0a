"""Wires the ways in by a provider, and what is kept of those who came by them."""

from collections.abc import Callable, Mapping
from datetime import datetime

from shared.adapters.github_sign_in import GitHubSignIn
from shared.app.connected_accounts import ConnectedAccounts
from shared.app.newcomers import Newcomers
from shared.app.ports.identity_providers import IdentityProvider
from shared.app.ports.workspace import Secrets
from shared.app.provider_sign_ins import ProviderSignIns
from shared.app.sign_ins import SignIns
from shared.app.user_tokens import KeptTokens
from shared.domain.admission import Admission
from shared.settings import Settings
from shared.wiring.ports import Ports


def providers(
    given: Settings, secrets: Secrets, clock: Callable[[], datetime]
) -> Mapping[str, IdentityProvider]:
    if not given.github_client_id:
        return {}
    github = GitHubSignIn(
        given.github_url.rstrip("/"),
        given.github_api_url.rstrip("/"),
        given.github_client_id,
        secrets,
        clock,
    )
    return {"github": github}


def user_tokens(on: Ports) -> KeptTokens:
    return KeptTokens(
        grants=on.grants,
        seal=on.seal,
        providers=on.identity_providers,
        clock=on.clock,
        sleep=on.sleep,
        new_id=on.new_id,
    )


def provider_sign_ins(
    given: Settings, on: Ports, sign_ins: SignIns, kept: KeptTokens
) -> ProviderSignIns:
    return ProviderSignIns(
        providers=on.identity_providers,
        newcomers=Newcomers(on.users, on.identities, on.clock),
        sign_ins=sign_ins,
        user_tokens=kept,
        admission=Admission.of(
            given.sign_in_users, given.sign_in_domains, given.sign_in_organisations
        ),
        clock=on.clock,
    )


def connected_accounts(on: Ports, kept: KeptTokens) -> ConnectedAccounts:
    return ConnectedAccounts(
        providers=on.identity_providers,
        identities=on.identities,
        users=on.users,
        grants=on.grants,
        user_tokens=kept,
        clock=on.clock,
    )
