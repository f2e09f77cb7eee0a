"""What a browser is told of our pages: nothing but this build's own files may run or be shown."""

from collections.abc import Mapping
from urllib.parse import urlsplit

_NEVER = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")


def headers(clients_socket_url: str, *, loopback: bool) -> Mapping[str, str]:
    """Of every answer. No TLS, no promise of it: loopback has none."""
    always = {
        "content-security-policy": content_security_policy(clients_socket_url),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": ", ".join(f"{feature}=()" for feature in _NEVER),
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
    }
    return always if loopback else always | {"strict-transport-security": "max-age=31536000"}


def content_security_policy(clients_socket_url: str) -> str:
    """`blob:` is for pictures that came through the API, with the reader's own permission."""
    sockets = urlsplit(clients_socket_url)
    allowed = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' blob: data:",
        "font-src": "'self'",
        "connect-src": f"'self' {sockets.scheme}://{sockets.netloc}",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in allowed.items())
