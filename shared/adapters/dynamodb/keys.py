"""Where things live in the two tables, and by which indexes they are found again.

Session table. Numbers in keys are zero-padded: DynamoDB sorts keys as text.

    PK            SK                  item
    S#<session>   META                the whole session; `version`, `living` (the attempt that may
                                      have a bridge), the fingerprint of its creation
    S#<session>   PROMPT#<6 digits>   what was asked (an excerpt of a long text) and what came of it
    S#<session>   TEXT#<6 digits>     the whole text of a prompt that is longer than its excerpt
    S#<session>   ATTEMPT#<6 digits>  the history of one attempt
    S#<session>   ATTEMPT#<6 digits>#<hash>   how a phase of its boot ended, for each repository
    S#<session>   REQUEST#<id>        what a client's request has produced; 30 days
    S#<session>   ARTIFACT#<id>       what came of the work
    S#<session>   CHANGES             the newest comparison of its files, whose patches are objects
    S#<session>   MEMBER#<user>       a participant, and what they have read
    S#<session>   LOG#<12 digits>     one frame of the timeline
    S#<session>   EFFECT#<version>.<index>   work that a commit asked for, until it is done
    F#<upload>    FILE                a file: whose, what it is, which sessions keep it
    C#<session>   BRIDGE              the one bridge
    C#<session>   VIEW#<connection>   a browser or command line that watches; 2 hours
    V#<user>      VIEW#<connection>   the same, to be found by whose it is

Workspace table.

    PK               SK               item
    USERS            USER#<id>        a user, with the hash of the token
    USERS            NAME#<name>      keeps names unique
    TOKEN#<hash>     TOKEN            whose token it is
    ACCESS#<user>    ACCESS#<id>      a personal access token, with its hash
    TICKET#<hash>    TICKET           admits one socket, once
    CODE#<hash>      CODE             lets one browser in, once
    LOGIN#<hash>     LOGIN            a browser that is signed in, by its cookie
    IDENTITY#<provider>#<id>   IDENTITY   whose an account at a provider is
    GRANT#<user>     GRANT#<provider>   what lets us act for somebody there, sealed
    IMAGE#<hash>     IMAGE            the prebuilt image of some repositories
    REPOSITORIES     REPOSITORY#<hash>   one that was worked on, or registered
    ENVIRONMENTS     ENVIRONMENT#<id>    an environment, with the fingerprint of its creation
    ENVIRONMENTS     NAME#<hash>      keeps their names unique; a name is longer than it should be
                                      in a key
    FORGE#<hash>     FORGE            a list that a code host gave; 1 hour
    ABOUTS           REPOSITORY#<hash>   what people say about one
    RATE#<name>      RATE             when a rate that all keep together is full
    SETTINGS         SANDBOX#         what was chosen for all sandboxes
    SETTINGS         SANDBOX#REPOSITORY#<hash>   and for those of one repository; a URL is too long
                                      for a key
    SETTINGS         PULLS#           how pull requests are wanted: of all, and, with
                                      REPOSITORY#<hash> behind it, of one repository
    SECRETS          <scope>          the names of a scope's secrets: GLOBAL, REPOSITORY#<hash> or
                                      ENVIRONMENT#<id>
    SECRETS#<scope>  SECRET#<name>    one secret, sealed

Indexes of the session table. They hold only items that have both of their attributes.

    effects   due_shard, due          effects that nobody has finished; those that were given up
                                      are in the shard `stuck`
    recent    list_shard, list_key    META by recency, as soon as something was asked of it; active
                                      and archived sessions in shards of their own; MEMBER of a
                                      session that waits for that person, in a list of theirs
    alive     alive_shard, alive_attempt   META with something that will happen by itself
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from zlib import crc32

from shared.domain.attachment import AttachmentId
from shared.domain.environment import NameKey
from shared.domain.listing import Shelf
from shared.domain.repository_url import RepositoryKey
from shared.domain.secrets import Scope, ScopeKind
from shared.domain.session.state import SessionId, UserId

PK = "PK"
SK = "SK"
EXPIRES_AT = "expires_at"
"""The attribute by which DynamoDB deletes items, days late: never rely on it alone."""

META = "META"
ATTEMPT = "ATTEMPT#"
MEMBER = "MEMBER#"
BRIDGE = "BRIDGE"
TOKEN = "TOKEN"  # noqa: S105  a sort key, no secret
ACCESS = "ACCESS#"
TICKET = "TICKET"
CODE = "CODE"
LOGIN = "LOGIN"
IDENTITY = "IDENTITY"
GRANT = "GRANT#"
IMAGE = "IMAGE"
FILE = "FILE"
CHANGES = "CHANGES"
USERS = "USERS"
REPOSITORIES = "REPOSITORIES"
ENVIRONMENTS = "ENVIRONMENTS"
RATE = "RATE"
FORGE_LIST = "FORGE"
ABOUTS = "ABOUTS"
SETTINGS = "SETTINGS"
SANDBOX = "SANDBOX#"
PULLS = "PULLS#"
SECRETS = "SECRETS"
SECRET = "SECRET#"  # noqa: S105  a sort key, no secret
REPOSITORY = "REPOSITORY#"
SANDBOX_OF_REPOSITORY = f"{SANDBOX}{REPOSITORY}"

EFFECT_SHARDS = 4
LIST_SHARDS = {Shelf.ACTIVE: 2, Shelf.OPEN: 8, Shelf.ARCHIVED: 8}
"""Few are active at once, and whoever asks for the list asks each of them."""
STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class Index:
    """Both keys are strings. `projected`: what it holds beside keys; None: everything."""

    name: str
    partition: str
    sort: str
    projected: tuple[str, ...] | None


EFFECTS = Index("effects", "due_shard", "due", None)
RECENT = Index("recent", "list_shard", "list_key", ("status", "owner"))
ALIVE = Index("alive", "alive_shard", "alive_attempt", ())
SESSION_INDEXES = (EFFECTS, RECENT, ALIVE)


def session(session_id: SessionId) -> str:
    return f"S#{session_id}"


def session_of(partition: str) -> SessionId:
    return SessionId(partition.removeprefix("S#"))


def connections(session_id: SessionId) -> str:
    return f"C#{session_id}"


def upload(upload_id: AttachmentId) -> str:
    return f"F#{upload_id}"


def prompt(number: int) -> str:
    return f"PROMPT#{number:06d}"


def text(number: int) -> str:
    return f"TEXT#{number:06d}"


def attempt(number: int) -> str:
    return f"{ATTEMPT}{number:06d}"


def boot_phase(number: int, phase: str, repository: str | None) -> str:
    """A hash: a sandbox may call both what it likes."""
    place = f"{phase}\n{repository or ''}".encode()
    return f"{attempt(number)}#{sha256(place).hexdigest()[:16]}"


def request(request_id: str) -> str:
    return f"REQUEST#{request_id}"


def artifact(artifact_id: str) -> str:
    return f"ARTIFACT#{artifact_id}"


def member(user: UserId) -> str:
    return f"{MEMBER}{user}"


def slot(seq: int) -> str:
    return f"LOG#{seq:012d}"


def seq_of(sort_key: str) -> int:
    return int(sort_key.removeprefix("LOG#"))


LAST_SLOT = slot(10**12 - 1)
LAST_PROMPT = prompt(10**6 - 1)


def effect(key: str) -> str:
    return f"EFFECT#{key}"


def view(connection_id: str) -> str:
    return f"VIEW#{connection_id}"


def viewers(user_id: UserId) -> str:
    return f"V#{user_id}"


def user(user_id: str) -> str:
    return f"USER#{user_id}"


def user_name(name: str) -> str:
    return f"NAME#{name}"


def token(token_hash: str) -> str:
    return f"TOKEN#{token_hash}"


def access_tokens(user_id: str) -> str:
    return f"{ACCESS}{user_id}"


def access_token(token_id: str) -> str:
    return f"{ACCESS}{token_id}"


def image(fingerprint: str) -> str:
    return f"IMAGE#{fingerprint}"


def ticket(ticket_hash: str) -> str:
    return f"TICKET#{ticket_hash}"


def code(code_hash: str) -> str:
    return f"CODE#{code_hash}"


def login(login_hash: str) -> str:
    return f"LOGIN#{login_hash}"


def environment(environment_id: str) -> str:
    return f"ENVIRONMENT#{environment_id}"


def environment_name(name: NameKey) -> str:
    return f"NAME#{sha256(name.encode()).hexdigest()}"


def identity(provider: str, person_id: str) -> str:
    return f"IDENTITY#{provider}#{person_id}"


def grants(user_id: UserId) -> str:
    return f"{GRANT}{user_id}"


def grant(provider: str) -> str:
    return f"{GRANT}{provider}"


def forge_list(name: str) -> str:
    return f"FORGE#{sha256(name.encode()).hexdigest()}"


def rate(name: str) -> str:
    return f"RATE#{name}"


def sandbox_settings(repository: RepositoryKey | None) -> str:
    return SANDBOX if repository is None else f"{SANDBOX}{repository_item(repository)}"


def pull_request_policy(repository: RepositoryKey | None) -> str:
    return PULLS if repository is None else f"{PULLS}{repository_item(repository)}"


def secret_scope(scope: Scope) -> str:
    match scope.kind:
        case ScopeKind.REPOSITORY:
            return repository_item(RepositoryKey(scope.target))
        case kind:
            return f"{kind.upper()}#{scope.target}" if scope.target else kind.upper()


def secrets(scope: Scope) -> str:
    return f"{SECRETS}#{secret_scope(scope)}"


def secret(name: str) -> str:
    return f"{SECRET}{name}"


def secret_name(sort_key: str) -> str:
    return sort_key.removeprefix(SECRET)


def repository_item(repository: RepositoryKey) -> str:
    return f"{REPOSITORY}{sha256(repository.encode()).hexdigest()}"


def due_shard(session_id: SessionId) -> str:
    return str(_spread(session_id, EFFECT_SHARDS))


def due_shards() -> tuple[str, ...]:
    return tuple(str(shard) for shard in range(EFFECT_SHARDS))


def alive_shard(session_id: SessionId) -> str:
    return f"alive#{_spread(session_id, EFFECT_SHARDS)}"


def alive_shards() -> tuple[str, ...]:
    return tuple(f"alive#{shard}" for shard in range(EFFECT_SHARDS))


def list_shard(session_id: SessionId, shelf: Shelf) -> str:
    return f"{shelf}#{_spread(session_id, LIST_SHARDS[shelf])}"


def list_shards(shelf: Shelf) -> tuple[str, ...]:
    return tuple(f"{shelf}#{shard}" for shard in range(LIST_SHARDS[shelf]))


def unread_list(user: UserId) -> str:
    return f"unread#{user}"


def list_key(updated_at: datetime, session_id: SessionId) -> str:
    return f"{instant(updated_at)}#{session_id}"


def instant(moment: datetime) -> str:
    """Of one width and in UTC, so that text sorts and compares as time does."""
    naive = moment.astimezone(UTC).replace(tzinfo=None)
    return f"{naive.isoformat(timespec='microseconds')}Z"


def definition(name: str, *indexes: Index) -> dict[str, Any]:
    """A table as CreateTable takes it."""
    columns = [PK, SK, *(column for index in indexes for column in (index.partition, index.sort))]
    table: dict[str, Any] = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": column, "AttributeType": "S"} for column in columns
        ],
        "KeySchema": _key_schema(PK, SK),
    }
    if indexes:
        table["GlobalSecondaryIndexes"] = [_index(index) for index in indexes]
    return table


def _index(index: Index) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": "ALL"}
    if index.projected == ():
        projection = {"ProjectionType": "KEYS_ONLY"}
    elif index.projected is not None:
        projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(index.projected)}
    return {
        "IndexName": index.name,
        "KeySchema": _key_schema(index.partition, index.sort),
        "Projection": projection,
    }


def _key_schema(partition: str, sort: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]


def _spread(session_id: SessionId, shards: int) -> int:
    """`hash()` differs from process to process; this does not."""
    return crc32(session_id.encode()) % shards
