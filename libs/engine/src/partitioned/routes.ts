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
  /** Of the services before, and this one's. */
  readonly trail: readonly number[];
  /** The partition of the input. */
  readonly partition: number;
}

/** Contributions that a service has applied. */
export interface AppliedContributions extends AppliedToBoards {
  /** The partition of the input. */
  readonly partition: number;
}

/** Where a service's output goes: a pure function of what was applied, so that a service that sends again sends the same. */
export interface Routes {
  /** null: there is no service behind. */
  readonly topic: string | null;
  /** The partitions of that topic. */
  readonly partitions: number;
  /** Which of them news of a configuration goes to. */
  readonly configurationTo: (partition: number) => readonly number[];
  readonly record: (applied: AppliedRecord) => readonly Routed[];
  /** What waiting callers get once it is committed. */
  readonly effects: (applied: AppliedRecord | AppliedContributions) => readonly RoutedEffect[];
}
