const API_KEYS = { Metadata: 3, FindCoordinator: 10, JoinGroup: 11, Heartbeat: 12, SyncGroup: 14 } as const;

/**
 * Matches data of a Kafka client that contains a request of this kind, for `TcpProxy.holdAnswers`. The data must begin
 * with a request, which holds unless a client sends many kilobytes at once.
 */
export const isKafkaRequest = (name: keyof typeof API_KEYS) => (data: Buffer) => {
  // Each request: length of the rest (4 bytes), API key (2), version (2), correlation id (4), …
  for (let at = 0; at + 6 <= data.length; at += 4 + data.readUInt32BE(at))
    if (data.readUInt16BE(at + 4) === API_KEYS[name]) return true;
  return false;
};
