import json
import os

from laurel import AuthenticatedClient
from laurel.api.events import record_api_metric_event
from laurel.api.import_ import record_batch
from laurel.api.users import get_user_metric
from laurel.models import BatchItem, BatchRequest, MetricEventRequest, NamedUser

client = AuthenticatedClient(
    base_url=os.environ["LAUREL_URL"],
    token=os.environ["LAUREL_API_KEY"],
    auth_header_name="X-API-KEY",
    prefix="",
    raise_on_unexpected_status=True,
)
user = NamedUser(id=os.environ["USER_ID"])
event = record_api_metric_event.sync(
    "lessons",
    client=client,
    body=MetricEventRequest(user=user, value=16777217),
    idempotency_key="once",
)
metric = get_user_metric.sync(user.id, "lessons", client=client)
batch = record_batch.sync(
    client=client,
    body=BatchRequest(events=[BatchItem(metric="lessons", user=user, value=value) for value in (0.5, 1)]),
)
print(
    json.dumps(
        {
            "total": event.total,
            "points": {key: points.added for key, points in event.points.additional_properties.items()},
            "current": metric.current,
            "accepted": batch.accepted,
            "statuses": [result.status for result in batch.results],
        }
    )
)
