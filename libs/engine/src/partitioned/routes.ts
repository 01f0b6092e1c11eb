import type { ChainMessage, Configuration } from '@laurel/kernel';
import type { EffectMessage, Streamed } from '@laurel/ports';
import type { AppliedToBoards } from './projection.ts';

/** A message for the next service, before it is numbered. */
export interface Routed {
  readonly partition: number;
  readonly key: string;
  readonly streamed: Streamed;
}

export interface RoutedEffect {
  readonly partition: number;
  readonly key: string;
  readonly effect: EffectMessage;
}

/** A record that a service has applied. */
export interface AppliedRecord {
  readonly message: ChainMessage;
  readonly configuration: Configuration;
  /** Offsets of the services before, and of this one. */
  readonly trail: readonly number[];
  /** The input partition. */
  readonly partition: number;
}

/** Contributions that a service has applied. */
export interface AppliedContributions extends AppliedToBoards {
  /** The input partition. */
  readonly partition: number;
}

/**
 * Where a service's output goes. A pure function of what was applied, so repeating the work sends the same messages.
 */
export interface Routes {
  /** null if no service follows. */
  readonly topic: string | null;
  /** Number of partitions of that topic. */
  readonly partitions: number;
  /** The partitions of that topic that a published configuration is sent to. */
  readonly configurationTo: (partition: number) => readonly number[];
  readonly record: (applied: AppliedRecord) => readonly Routed[];
  /** Effects for waiting callers, sent after the commit. */
  readonly effects: (applied: AppliedRecord | AppliedContributions) => readonly RoutedEffect[];
}
