import json
import os

from openapi_client import (
    ApiClient,
    BatchItem,
    BatchRequest,
    Configuration,
    EventsApi,
    ImportApi,
    MetricEventRequest,
    NamedUser,
    UsersApi,
)

configuration = Configuration(host=os.environ["LAUREL_URL"], api_key={"ApiKey": os.environ["LAUREL_API_KEY"]})
with ApiClient(configuration) as client:
    user = NamedUser(id=os.environ["USER_ID"])
    event = EventsApi(client).record_api_metric_event(
        "lessons", MetricEventRequest(user=user, value=16777217.0), idempotency_key="once"
    )
    metric = UsersApi(client).get_user_metric(user.id, "lessons")
    batch = ImportApi(client).record_batch(
        BatchRequest(events=[BatchItem(metric="lessons", user=user, value=value) for value in (0.5, 1.0)])
    )
    print(
        json.dumps(
            {
                "total": event.total,
                "points": {key: points.added for key, points in event.points.items()},
                "current": metric.current,
                "accepted": batch.accepted,
                "statuses": [result.status for result in batch.results],
            }
        )
    )
