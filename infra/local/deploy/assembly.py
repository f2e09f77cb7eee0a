"""What the CDK synthesised: the template, made runnable here, and the assets it refers to."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from infra.local.aws import emulator
from infra.local.deploy.target import Target


def runnable_here(template: Mapping[str, Any], *, layers: bool) -> dict[str, Any]:
    """Without the bootstrap check and, unless asked for, without layers."""
    kept = {section: content for section, content in template.items() if section != "Rules"}
    kept["Parameters"] = {
        name: parameter
        for name, parameter in template.get("Parameters", {}).items()
        if name != "BootstrapVersion"
    }
    if not layers:
        kept["Resources"] = dict(_without_layers(template["Resources"]))
    return kept


def _without_layers(resources: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, resource in resources.items():
        if resource["Type"] == "AWS::Lambda::Function":
            properties = {k: v for k, v in resource["Properties"].items() if k != "Layers"}
            yield name, {**resource, "Properties": properties}
        elif resource["Type"] != "AWS::Lambda::LayerVersion":
            yield name, resource


def upload_assets(assembly: Path, stack: str, target: Target, template: Mapping[str, Any]) -> None:
    """Upload what the template refers to and the host does not have yet; an asset never changes."""
    manifest = json.loads((assembly / f"{stack}.assets.json").read_text())
    referred = json.dumps(template)
    s3 = target.client("s3")
    for asset in manifest["files"].values():
        for destination in asset["destinations"].values():
            bucket, key = _here(destination["bucketName"]), destination["objectKey"]
            if key in referred and not has_object(s3, bucket, key):
                s3.put_object(Bucket=bucket, Key=key, Body=_content(assembly, asset["source"]))


def _here(name: str) -> str:
    here = {"Partition": "aws", "AccountId": emulator.ACCOUNT, "Region": emulator.REGION}
    for pseudo, value in here.items():
        name = name.replace(f"${{AWS::{pseudo}}}", value)
    return name


def has_object(s3: Any, bucket: str, key: str) -> bool:
    if bucket not in {known["Name"] for known in s3.list_buckets()["Buckets"]}:
        s3.create_bucket(Bucket=bucket)
    found = s3.list_objects_v2(Bucket=bucket, Prefix=key, MaxKeys=1)
    return any(entry["Key"] == key for entry in found.get("Contents", ()))


def _content(assembly: Path, source: Mapping[str, str]) -> bytes:
    path = assembly / source["path"]
    return _zipped(path) if source["packaging"] == "zip" and path.is_dir() else path.read_bytes()


def _zipped(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return buffer.getvalue()
