"""A consumer of webhooks with Python alone:  WEBHOOK_SECRET=whsec_... PORT=3000 python3 consumer.py"""

import hashlib
import hmac
import json
import os
import re
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

MOST_BYTES = 1024 * 1024
TOLERANCE_SECONDS = 300

# The ids of what was handled, the oldest first. Keep them in your database where your process has siblings.
handled: "OrderedDict[str, None]" = OrderedDict()
lock = Lock()


def is_signed(header: str, body: bytes, secret: str) -> bool:
    """Whether the body was signed with the secret just now."""
    parts = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    signatures = [value for name, _, value in parts if name == "v1"]
    if len(times) != 1 or not re.fullmatch(r"[0-9]{1,12}", times[0]):
        return False
    if abs(time.time() - int(times[0])) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in signatures)


def handle(event: dict) -> None:
    """Your work. It is called once for each delivery that this process has seen."""
    print(f"{event['type']} {event['id']}", flush=True)


class Consumer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > MOST_BYTES:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        if not is_signed(self.headers.get("X-Svc-Signature") or "", body, secret):
            return self.answer(401)
        event = json.loads(body)
        with lock:
            # by the id in the body: the header with the same is not signed
            if event["id"] not in handled:
                handle(event)
                handled[event["id"]] = None
                if len(handled) > 10_000:
                    handled.popitem(last=False)
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        pass


if __name__ == "__main__":
    secret = os.environ.get("WEBHOOK_SECRET", "")
    if not secret:
        raise SystemExit("Set WEBHOOK_SECRET to the secret of the webhook: whsec_...")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Consumer)
    print(f"listening on {server.server_address[1]}", flush=True)
    server.serve_forever()
