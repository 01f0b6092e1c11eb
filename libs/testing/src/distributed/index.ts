export { describeErasure } from './describe-erasure.ts';
export { describeKilledErasure } from './describe-killed-erasure.ts';
export { describeLiveFeed } from './describe-live-feed.ts';
export { describeVerification, type ChangedLog } from './describe-verification.ts';
export { BlockedCommits } from './blocked-commits.ts';
export { startFakeEventStoreProcess, type FakeEventStoreProcess } from './event-store-process.ts';
export { Load, type AcknowledgedEvent, type LoadOptions, type SentEvent } from './load.ts';
export { caughtUp, differencesIn, differencesOf, verified, type Differences, type LoggedService } from './proof.ts';
export {
  compareWithStandalone,
  compareWithUndisturbed,
  outcomesOfStandalone,
  type ComparedDigests,
} from './reference-digest.ts';
export { rankWords, recountedRanks, type RankedBoard } from './recounted-ranks.ts';
export { RelayKiller } from './relay-killer.ts';
export { comparableOutcomes, outcomeIdIn, notifiedOutcomes, type ComparableOutcomes } from './notified-outcomes.ts';
export { topicTexts } from './topic-texts.ts';
export { compactSoon, loseTopics, poison, retainNothing, settingsOf } from './topic-troubles.ts';
export {
  eventually,
  leaderOf,
  startTestTopology,
  troublesOf,
  type ServiceProcess,
  type Topology,
  type TopologyOptions,
} from './topology.ts';
