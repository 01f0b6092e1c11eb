package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"laurel.example/record/laurel"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-KEY", os.Getenv("LAUREL_API_KEY"))
		return nil
	}
	client := must(laurel.NewClientWithResponses(os.Getenv("LAUREL_URL"), laurel.WithRequestEditorFn(withKey)))
	user := laurel.NamedUser{Id: os.Getenv("USER_ID")}
	once := "once"

	recorded := must(client.RecordApiMetricEventWithResponse(ctx, "lessons",
		&laurel.RecordApiMetricEventParams{IdempotencyKey: &once},
		laurel.MetricEventRequest{User: user, Value: 16777217}))
	read := must(client.GetUserMetricWithResponse(ctx, user.Id, "lessons"))
	batch := must(client.RecordBatchWithResponse(ctx, nil, laurel.BatchRequest{Events: []laurel.BatchItem{
		{Metric: "lessons", User: user, Value: 0.5},
		{Metric: "lessons", User: user, Value: 1},
	}}))
	if recorded.JSON201 == nil || read.JSON200 == nil || batch.JSON200 == nil {
		fmt.Fprintln(os.Stderr, string(recorded.Body), string(read.Body), string(batch.Body))
		os.Exit(1)
	}

	points := map[string]int64{}
	for key, system := range recorded.JSON201.Points {
		points[key] = system.Added
	}
	statuses := []int64{}
	for _, result := range batch.JSON200.Results {
		statuses = append(statuses, result.Status)
	}
	fmt.Println(string(must(json.Marshal(map[string]any{
		"total":    recorded.JSON201.Total,
		"points":   points,
		"current":  read.JSON200.Current,
		"accepted": batch.JSON200.Accepted,
		"statuses": statuses,
	}))))
}
