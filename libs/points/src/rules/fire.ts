import type { PointsSystemDefinition, PointsTrigger } from '@laurel/contracts';
import { cutToRoom } from './cut-to-room.ts';
import { grownSums, type Occasion, type Sums, timesFired } from './occasion.ts';
import type { SystemState } from './points-state.ts';

export interface FiredAward {
  readonly system: string;
  readonly triggerId: string;
  readonly awarded: bigint;
  readonly total: bigint;
}

export interface Fired {
  readonly states: ReadonlyMap<string, SystemState>;
  /** In order of recording. */
  readonly awards: readonly FiredAward[];
  /** Systems in which a trigger fired, also if its award was cut to nothing. */
  readonly systems: ReadonlySet<string>;
}

/** The order within one event, behind what fell due (specification, section 6). */
const KINDS = ['user_creation', 'metric', 'streak', 'achievement'] as const satisfies readonly PointsTrigger['type'][];

interface Ledger {
  readonly definition: PointsSystemDefinition;
  readonly state: SystemState;
  readonly sums: Sums;
  total: bigint;
}

/** One award for each trigger that the occasion fires: times fired × points, cut to the room there is. */
export function fire(
  definitions: readonly PointsSystemDefinition[],
  stateOf: (system: string) => SystemState,
  occasion: Occasion,
): Fired {
  const ledgers = definitions.map((definition) => openLedger(definition, stateOf(definition.key), occasion));
  const systems = new Set<string>();
  const awards: FiredAward[] = [];
  for (const { ledger, trigger, times } of firings(ledgers, occasion)) {
    const { key, maxPoints } = ledger.definition;
    const awarded = cutToRoom(times * trigger.points, ledger.total, maxPoints);
    ledger.total += awarded;
    systems.add(key);
    if (awarded !== 0n) awards.push({ system: key, triggerId: trigger.id, awarded, total: ledger.total });
  }
  return { states: new Map(ledgers.map(closeLedger)), awards, systems };
}

function* firings(ledgers: readonly Ledger[], occasion: Occasion) {
  for (const kind of KINDS) {
    for (const ledger of ledgers) {
      for (const trigger of ledger.definition.triggers) {
        if (trigger.type !== kind) continue;
        const times = timesFired(trigger, occasion, ledger.state.sums, ledger.sums);
        if (times > 0n) yield { ledger, trigger, times };
      }
    }
  }
}

function openLedger(definition: PointsSystemDefinition, state: SystemState, occasion: Occasion): Ledger {
  return { definition, state, sums: grownSums(state.sums, definition, occasion), total: state.total };
}

function closeLedger({ definition, state, sums, total }: Ledger): [string, SystemState] {
  return [definition.key, { ...state, sums, total }];
}
