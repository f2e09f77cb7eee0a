"""Deploys a synthesised CDK assembly to the local AWS host, as `cdk deploy` would to AWS.

The template stays as it is, save for what has no meaning here: the check of the bootstrap version,
and on request the layers, in whose place functions import from the checkout (a cold start of
milliseconds instead of one that unpacks 60 MB).
"""

from infra.local.deploy.deployment import deploy, publish
from infra.local.deploy.stack import DeployFailed
from infra.local.deploy.target import Target

__all__ = ["DeployFailed", "Target", "deploy", "publish"]
