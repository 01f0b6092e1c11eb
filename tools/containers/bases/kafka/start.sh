#!/bin/sh
# As Kafka's image does: KAFKA_NODE_ID becomes node.id, and so on.
set -eu
export CLASSPATH='/opt/kafka/libs/*'
export JAVA_TOOL_OPTIONS=-Dlog4j2.configurationFile=/opt/kafka/config/log4j2.properties
settings=/opt/kafka/config/server.properties
env | grep '^KAFKA_' | grep -v '^KAFKA_HEAP_OPTS=' | while IFS='=' read -r name value; do
  printf '%s=%s\n' "$(printf %s "${name#KAFKA_}" | tr 'A-Z_' 'a-z.')" "$value"
done >"$settings"
java kafka.tools.StorageTool format --cluster-id "$CLUSTER_ID" --config "$settings" --ignore-formatted
# Several options, so without quotes.
exec java $KAFKA_HEAP_OPTS kafka.Kafka "$settings"
