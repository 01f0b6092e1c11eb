import { effectsOfType, type Boost, type Configuration, type PointsSystemDefinition } from '@laurel/kernel';
import { boostAnswer, type OutcomeBoost } from '@laurel/schemas';
import type { Composer } from './composer.ts';
import { isOfNow } from './source-event.ts';

type Status = OutcomeBoost['status'];

export const boostStarted: Composer<'points.boost_started'> = (event) =>
  'effects' in event
    ? effectsOfType(event.effects, 'BoostGiven').flatMap(({ system: key, boost, at }) => {
        const system = event.configuration.pointsSystemByKey.get(key);
        if (system === undefined) return [];
        return [{ subject: boost.id, at, fields: { boost: boostOf(system, boost, 'active', event.userId) } }];
      })
    : ofSystem(event, 'active');

export const boostFinished: Composer<'points.boost_finished'> = (event) =>
  'effects' in event
    ? effectsOfType(event.effects, 'BoostEnded').flatMap(({ system: key, boost, at }) => {
        const system = event.configuration.pointsSystemByKey.get(key);
        if (system === undefined || !isOfNow(event, { at })) return [];
        return [
          { subject: boost.id, at, due: at, fields: { boost: boostOf(system, boost, 'finished', event.userId) } },
        ];
      })
    : ofSystem(event, 'finished');

interface RecordedTurn {
  readonly record: {
    readonly occurredAt: number;
    readonly fact: { readonly system: string; readonly boost: string };
  };
  readonly configuration: Configuration;
}

/** Nothing if the version of the event has no such boost. */
function ofSystem({ record: { fact, occurredAt: at }, configuration }: RecordedTurn, status: Status) {
  const system = configuration.pointsSystemByKey.get(fact.system);
  const boost = [...(system?.boosts ?? []), ...(system?.removedBoosts ?? [])].find(({ key }) => key === fact.boost);
  if (system === undefined || boost === undefined) return [];
  const subject = `${system.key} ${boost.key}`;
  return [{ subject, at, due: at, fields: { boost: boostOf(system, boost, status, null) }, user: null }];
}

function boostOf(
  { id, key, name }: PointsSystemDefinition,
  boost: Boost,
  status: Status,
  userId: string | null,
): OutcomeBoost {
  const ofSystem = { pointsSystemId: id, pointsSystemKey: key, pointsSystemName: name };
  return { ...boostAnswer(boost, boost.start), status, userId, ...ofSystem };
}
