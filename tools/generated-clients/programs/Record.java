import com.google.gson.Gson;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.ImportApi;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.model.BatchAnswer;
import org.openapitools.client.model.BatchItem;
import org.openapitools.client.model.BatchRequest;
import org.openapitools.client.model.BatchResult;
import org.openapitools.client.model.EventAnswer;
import org.openapitools.client.model.MetricEventRequest;
import org.openapitools.client.model.NamedUser;
import org.openapitools.client.model.UserMetric;

public class Record {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("LAUREL_URL"));
    client.setApiKey(System.getenv("LAUREL_API_KEY"));
    NamedUser user = new NamedUser().id(System.getenv("USER_ID"));

    EventAnswer event =
        new EventsApi(client)
            .recordApiMetricEvent("lessons", new MetricEventRequest().user(user).value(16777217.0), "once");
    UserMetric metric = new UsersApi(client).getUserMetric(user.getId(), "lessons");
    List<BatchItem> items =
        List.of(
            new BatchItem().metric("lessons").user(user).value(0.5),
            new BatchItem().metric("lessons").user(user).value(1.0));
    BatchAnswer batch = new ImportApi(client).recordBatch(new BatchRequest().events(items), null);

    Map<String, Long> points = new TreeMap<>();
    event.getPoints().forEach((key, system) -> points.put(key, system.getAdded()));
    System.out.println(
        new Gson()
            .toJson(
                Map.of(
                    "total", event.getTotal(),
                    "points", points,
                    "current", metric.getCurrent(),
                    "accepted", batch.getAccepted(),
                    "statuses", batch.getResults().stream().map(BatchResult::getStatus).toList())));
  }
}
