"""Records an event and prints what it caused. Standard library only.

LAUREL_URL and LAUREL_API_KEY name the service.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("LAUREL_URL", "http://127.0.0.1:3000")
API_KEY = os.environ["LAUREL_API_KEY"]
RETRIES = 5


def ask(method, path, body=None, headers=None):
    request = urllib.request.Request(
        URL + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-API-KEY": API_KEY, "Content-Type": "application/json", **(headers or {})},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def record_event(metric, event, idempotency_key):
    """Sends the event until it is answered. The key makes it count once."""
    for attempt in range(RETRIES + 1):
        try:
            # A header carries bytes: those of the key's UTF-8.
            key = idempotency_key.encode().decode("latin-1")
            return ask("POST", f"/api/metrics/{metric}/event", event, {"Idempotency-Key": key})
        except urllib.error.HTTPError as error:
            if attempt == RETRIES or not (error.code in (408, 429) or error.code >= 500):
                raise
            time.sleep(float(error.headers.get("Retry-After", 0.25 * 2**attempt)))
        except urllib.error.URLError:
            if attempt == RETRIES:
                raise
            time.sleep(0.25 * 2**attempt)


def main():
    event = {"user": {"id": "ada", "name": "Ada", "tz": "Europe/London"}, "value": 1}
    answer = record_event("lessons", event, "lesson-42")
    print(f"lessons: {answer['total']}")
    for achievement in answer["achievements"]:
        print(f"achievement: {achievement['name']}")
    for key, system in answer["points"].items():
        print(f"{key}: {system['added']} → {system['total']}")
    print(f"streak: {ask('GET', '/v1/users/ada/streak')['length']}")


if __name__ == "__main__":
    try:
        main()
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        sys.exit(f"{problem['code']}: {problem['detail']}")
