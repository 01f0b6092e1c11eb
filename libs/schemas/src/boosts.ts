import { formatInstant, type Instant } from '@laurel/calendar';
import { BOOST_ROUNDINGS, BOOST_STATUSES, boostStatus, type Boost, type BoostDefinition } from '@laurel/kernel';
import { z } from 'zod';
import { conditionFields, conditionsAnswer } from './conditions-answer.ts';
import { instant, uuid } from './fields.ts';
import { named } from './named-object.ts';

/** A boost of an award. */
export const pointsBoost = named('PointsBoost', 'A boost: it multiplies what triggers give within it.', {
  id: uuid.meta({ description: 'Id of the boost.' }),
  name: z.string().meta({ description: 'Name to show.', examples: ['Double weekend'] }),
  status: z.enum(BOOST_STATUSES).meta({
    description: '`scheduled` before it starts, then `active`, then `finished`. Of an award: as of the award.',
  }),
  start: instant.meta({ description: 'First instant at which it applies.' }),
  end: instant.nullable().meta({ description: 'Instant from which it no longer applies; null: it has no end.' }),
  multiplier: z.number().meta({ description: 'What it multiplies points by, at most two decimals.', examples: [1.5] }),
  rounding: z.enum(BOOST_ROUNDINGS).meta({
    description: 'How an award becomes a whole number. If several boosts apply, the first of them decides.',
  }),
});
/** A boost in an outcome. */
export const outcomeBoost = named('OutcomeBoost', 'A boost, as an outcome tells of it.', {
  ...pointsBoost.shape,
  status: z
    .enum(['active', 'finished'])
    .meta({ description: '`active` once it has begun, `finished` once it has ended.' }),
  userId: z.string().nullable().meta({ description: 'The user who was given it; null: it applies to all users.' }),
  pointsSystemId: uuid.meta({ description: 'Id of the points system.' }),
  pointsSystemKey: z.string().meta({ description: 'Key of the points system.', examples: ['xp'] }),
  pointsSystemName: z.string().meta({ description: 'Name of the points system.', examples: ['Experience'] }),
});
export type OutcomeBoost = z.infer<typeof outcomeBoost>;

export type BoostAnswer = z.infer<typeof pointsBoost>;

/** An element of the lists of boosts. */
export const listedBoost = pointsBoost
  .extend({ userAttributes: conditionFields.userAttributes })
  .meta({ id: 'ListedBoost', description: 'A boost in a list, and the users to whom it applies.' });
export type ListedBoost = z.infer<typeof listedBoost>;

/** @param at the instant that its status is as of */
export function boostAnswer(boost: Boost, at: Instant): BoostAnswer {
  const { id, name, start, end, multiplier, rounding } = boost;
  return {
    id,
    name,
    status: boostStatus(boost, at),
    start: formatInstant(start),
    end: end === null ? null : formatInstant(end),
    multiplier: multiplier / 100,
    rounding,
  };
}

/** @param boost of the configuration, or a user's own, which has no conditions */
export function listedBoostAnswer(boost: BoostDefinition | Boost, at: Instant): ListedBoost {
  const { userAttributes } = conditionsAnswer('where' in boost ? boost.where : null);
  return { ...boostAnswer(boost, at), userAttributes };
}

/** Beside the points of an award that boosts multiplied; nothing for another award. */
export const awardBoosts = (boosts: readonly Boost[] | undefined, at: Instant) =>
  boosts === undefined ? {} : { boosts: boosts.map((boost) => boostAnswer(boost, at)) };
