"""EventBridge schedules: one-time pokes that functions arm, and the sweep of every minute."""

from aws_cdk import ArnFormat, Aws, Duration, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_scheduler_targets as targets
from constructs import Construct


class Timers(Construct):
    """Whoever is poked may arm the next poke of itself, so its ARN is made of the stack's name."""

    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(scope, name)
        self.poked_name = f"{Aws.STACK_NAME}-inactivity"
        self.poked_arn = Stack.of(self).format_arn(
            service="lambda",
            resource="function",
            resource_name=self.poked_name,
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        self.group = scheduler.CfnScheduleGroup(self, "group").ref
        self.role = iam.Role(
            self, "role", assumed_by=iam.ServicePrincipal("scheduler.amazonaws.com")
        )
        self.role.add_to_policy(
            iam.PolicyStatement(actions=["lambda:InvokeFunction"], resources=[self.poked_arn])
        )

    def grant_arming(self, grantee: iam.IGrantable) -> None:
        schedules = Stack.of(self).format_arn(
            service="scheduler", resource="schedule", resource_name=f"{self.group}/*"
        )
        arming = [f"scheduler:{verb}Schedule" for verb in ("Create", "Update")]
        iam.Grant.add_to_principal(grantee=grantee, actions=arming, resource_arns=[schedules])
        self.role.grant_pass_role(grantee.grant_principal)

    def every(self, minutes: int, name: str, function: lambda_.IFunction) -> None:
        """One that is missed is made up for by the next one."""
        scheduler.Schedule(
            self,
            name,
            schedule=scheduler.ScheduleExpression.rate(Duration.minutes(minutes)),
            target=targets.LambdaInvoke(
                function, retry_attempts=0, max_event_age=Duration.seconds(60)
            ),
        )
