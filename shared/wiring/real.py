"""The real vendors behind the ports, and where the clock, random ids and patience come from."""

import random
import secrets
import time
from datetime import UTC, datetime
from functools import partial

from botocore.session import Session as BotocoreSession

from shared.adapters.apigateway import ApiGatewaySockets
from shared.adapters.dynamodb import keys
from shared.adapters.dynamodb.access_tokens import DynamoAccessTokens
from shared.adapters.dynamodb.changes import DynamoChanges
from shared.adapters.dynamodb.connections import DynamoConnections
from shared.adapters.dynamodb.database import Database, connect
from shared.adapters.dynamodb.effects import DynamoEffects
from shared.adapters.dynamodb.environments import DynamoEnvironments
from shared.adapters.dynamodb.forge_lists import DynamoForgeLists
from shared.adapters.dynamodb.identities import DynamoGrants, DynamoIdentities
from shared.adapters.dynamodb.images import DynamoImages
from shared.adapters.dynamodb.logins import DynamoLogins
from shared.adapters.dynamodb.members import DynamoMembers
from shared.adapters.dynamodb.patience import Patience
from shared.adapters.dynamodb.policies import DynamoPolicies
from shared.adapters.dynamodb.rates import DynamoRates
from shared.adapters.dynamodb.repositories import DynamoRepositories
from shared.adapters.dynamodb.repository_abouts import DynamoRepositoryAbouts
from shared.adapters.dynamodb.sandbox_settings import DynamoSettings
from shared.adapters.dynamodb.sessions import DynamoSessions
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.tickets import DynamoTickets
from shared.adapters.dynamodb.timeline import DynamoTimeline
from shared.adapters.dynamodb.uploads import DynamoUploads
from shared.adapters.dynamodb.users import DynamoUsers
from shared.adapters.dynamodb.vault import DynamoVault
from shared.adapters.forges import forges
from shared.adapters.kms import KmsSealer
from shared.adapters.s3 import S3Objects
from shared.adapters.scheduler import SchedulerTimers, TimerTarget
from shared.adapters.secretsmanager import SecretsManagerSecrets
from shared.adapters.stepfunctions import StepFunctionsLives
from shared.app.sealed_bytes import SealedBytes
from shared.settings import Settings
from shared.wiring import sign_in
from shared.wiring.ports import Ports


def real_ports(given: Settings) -> Ports:
    database = Database(
        connect(), patience=Patience(sleep=time.sleep, random=random.random), new_token=new_id
    )
    sessions = Table(database, given.session_table, *keys.SESSION_INDEXES)
    workspace = Table(database, given.workspace_table)
    session = BotocoreSession()
    sealer = KmsSealer(session, given.secrets_key_arn)
    secrets_of_deployment = SecretsManagerSecrets(session, given.secrets_arn)
    hosts = forges(given, secrets_of_deployment, now)
    sockets = partial(ApiGatewaySockets, session)
    return Ports(
        store=DynamoSessions(sessions),
        members=DynamoMembers(sessions),
        effects=DynamoEffects(sessions),
        timeline=DynamoTimeline(sessions),
        connections=DynamoConnections(sessions, workspace),
        users=DynamoUsers(workspace),
        access_tokens=DynamoAccessTokens(workspace),
        tickets=DynamoTickets(workspace),
        logins=DynamoLogins(workspace),
        identities=DynamoIdentities(workspace),
        grants=DynamoGrants(workspace),
        seal=SealedBytes(sealer),
        identity_providers=sign_in.providers(given, secrets_of_deployment, now),
        settings=DynamoSettings(workspace),
        vault=DynamoVault(workspace),
        sealer=sealer,
        secrets=secrets_of_deployment,
        repositories=hosts,
        abouts=DynamoRepositoryAbouts(workspace),
        forge_lists=DynamoForgeLists(workspace),
        remembered=DynamoRepositories(workspace),
        forges=hosts,
        policies=DynamoPolicies(workspace),
        environments=DynamoEnvironments(workspace),
        images=DynamoImages(workspace),
        uploads=DynamoUploads(sessions),
        changes=DynamoChanges(sessions),
        objects=S3Objects(session, given.files_bucket),
        rates=DynamoRates(workspace),
        workflow=StepFunctionsLives(session, given.life_machine_arn),
        timers=SchedulerTimers(
            session,
            TimerTarget(given.timer_group, given.inactivity_function_arn, given.timer_role_arn),
        ),
        client_sockets=sockets(given.clients_api_url),
        bridge_sockets=sockets(given.bridges_api_url),
        clock=now,
        sleep=time.sleep,
        new_id=new_id,
    )


def now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return secrets.token_hex(16)
