"""The bucket of images that people attach and agents hand in; nothing in it is ever public."""

from collections.abc import Iterable

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

UPLOADS = "uploads/*"
"""What nobody has named yet: gone after a day."""

KEPT = "kept/*"


class FilesBucket(s3.Bucket):
    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(
            scope,
            name,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            lifecycle_rules=[
                s3.LifecycleRule(
                    id="uploads", prefix=UPLOADS.removesuffix("*"), expiration=Duration.days(1)
                )
            ],
            removal_policy=RemovalPolicy.RETAIN,
        )

    def grant_objects(
        self, grantee: iam.IGrantable, *, read: Iterable[str], written: Iterable[str]
    ) -> None:
        """Under these keys, one by one: nobody lists, nobody deletes."""
        for action, keys in (("s3:GetObject", read), ("s3:PutObject", written)):
            iam.Grant.add_to_principal(
                grantee=grantee,
                actions=[action],
                resource_arns=[self.arn_for_objects(key) for key in keys],
            )
