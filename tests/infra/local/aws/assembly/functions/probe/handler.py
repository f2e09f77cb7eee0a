"""Deployed as an asset: says what it can import and what it was told."""

import importlib.util
import json
import os


def lambda_handler(event, context):
    seen = {
        "callback": os.environ["CALLBACK_URL"],
        "mode": os.environ["MODE"],
        "shared": importlib.util.find_spec("shared") is not None,
        "infra": importlib.util.find_spec("infra") is not None,
        "layered": importlib.util.find_spec("layered") is not None,
    }
    return {"statusCode": 200, "body": json.dumps(seen)}
