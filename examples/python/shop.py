"""Sells hats and streak freezes for gems. Standard library only.

    python3 shop.py USER

LAUREL_URL and LAUREL_API_KEY name the service. Each order has its key, so a second run prints the same and takes nothing.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import quote

URL = os.environ.get("LAUREL_URL", "http://127.0.0.1:3000")
API_KEY = os.environ["LAUREL_API_KEY"]
RETRIES = 5
DECIDED = ("insufficient_points", "already_refunded")


class Refused(Exception):
    """The service refused a request. The message is its sentence for people."""


def ask(method, path, body=None, key=None):
    """Sends a request until it is answered. Its key makes it count once."""
    headers = {"X-API-KEY": API_KEY, "Content-Type": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, method=method, data=data, headers=headers)
    for attempt in range(RETRIES + 1):
        pause = 0.25 * 2**attempt
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            text = error.read()
            if error.code == 422 and json.loads(text)["code"] in DECIDED:
                return json.loads(text)
            # 503 also says that the verdict is not known yet: spend_undecided, refund_undecided.
            if attempt == RETRIES or not (error.code in (408, 429) or error.code >= 500):
                raise Refused(f"{error.code}: {text.decode()}") from error
            pause = float(error.headers.get("Retry-After", pause))
        except (OSError, http.client.HTTPException):
            # The answer was lost: the points may have been taken.
            if attempt == RETRIES:
                raise
        time.sleep(pause)


def spend(user, system, amount, order, reason):
    body = {"amount": amount, "reason": reason, "reference": order}
    return ask("POST", f"/v1/users/{quote(user)}/points/{system}/spend", body, order)


def refund(user, system, spend_id, key, reason):
    return ask("POST", f"/v1/users/{quote(user)}/points/{system}/spends/{spend_id}/refund", {"reason": reason}, key)


def sell_hat(user, order):
    paid = spend(user, "gems", 30, order, "a hat")
    return "sold" if "spent" in paid else f"refused, {paid['missing']} gems are missing"


def cancel(user, spend_id, order):
    back = refund(user, "gems", spend_id, f"cancel-{order}", "the order was cancelled")
    return f"{back['refunded']} gems given back" if "refunded" in back else f"refused, {back['left']} gems are left"


def sell_freeze(user, order):
    """Takes 20 gems for a streak freeze, and gives them back if the user holds the maximum."""
    paid = spend(user, "gems", 20, order, "a streak freeze")
    if "spent" not in paid:
        return f"refused, {paid['missing']} gems are missing"
    if freezes_given(user, order) > 0:
        return "sold"
    refund(user, "gems", paid["eventId"], f"cancel-{order}", "the user holds the maximum")
    return "refused, the user holds the maximum"


def freezes_given(user, order):
    """Gives a freeze under the key of the order. What a grant gave stands in what its event caused."""
    while True:
        body = {"amount": 1, "reason": f"bought with {order}"}
        grant = ask("POST", f"/admin/v1/users/{quote(user)}/grants/freezes", body, order)
        if "streaks" not in grant.get("pending", []):
            break
        time.sleep(1)
    caused = ask("GET", f"/admin/v1/events/{grant['eventId']}")["caused"]
    effects = [effect for one in caused for effect in one["effects"]]
    return sum(effect["granted"] for effect in effects if effect["type"] == "FreezesGranted")


def main(user):
    print(f"a hat: {sell_hat(user, 'python-1')}")
    hat = spend(user, "gems", 30, "python-1", "a hat")
    print(f"cancelled: {cancel(user, hat['eventId'], 'python-1')}")
    for order in ("python-2", "python-3"):
        print(f"a freeze: {sell_freeze(user, order)}")
    paid = spend(user, "gems", 100_000, "python-4", "everything")
    print(f"everything: refused, {paid['missing']} gems are missing")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except Refused as error:
        sys.exit(str(error))
