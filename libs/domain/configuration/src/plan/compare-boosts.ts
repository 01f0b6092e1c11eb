import { conditionsInWords, type WrittenConditions } from '@laurel/kernel';
import type { BoostDocument, PointsSystemDocument } from '@laurel/schemas';
import { added, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';
import { compareLists, compareOrder, keysOf, ONLY_SHOWN } from './compare-lists.ts';

export function compareBoosts(before: PointsSystemDocument, after: PointsSystemDocument): Change[] {
  const path = `points.${after.key}.boosts`;
  const entries = compareLists(before.boosts, after.boosts, {
    identityOf: ({ key }) => key,
    onAdded: (boost) => [addedBoost(after, boost)],
    onRemoved: (boost) => [removed(`${path}.${boost.key}`, boost, `It ends at publication. ${KEPT}`)],
    onKept: (was, is) =>
      changedFields<BoostDocument, 'key'>(`${path}.${is.key}`, was, is, {
        name: ONLY_SHOWN,
        multiplier: (_, multiplier) => `From publication, it multiplies by ${multiplier}. ${KEPT}`,
        rounding: (_, rounding) => `From publication, it rounds ${ROUNDS[rounding]}. ${KEPT}`,
        start: (_, start) => `It applies from ${start}. ${KEPT}`,
        end: (_, end) => `It applies ${end === null ? 'without an end' : `until ${end}`}. ${KEPT}`,
        where: (_, where) => `From publication, it applies to ${whom(where)}. ${KEPT}`,
      }),
  });
  return [...entries, ...compareOrder(path, keysOf(before.boosts), keysOf(after.boosts), ORDER)];
}

export const addedBoost = ({ key: system }: PointsSystemDocument, boost: BoostDocument): Change =>
  added(`points.${system}.boosts.${boost.key}`, boost, whenAdded(boost));

function whenAdded({ multiplier, start, end, where }: BoostDocument): string {
  const until = end === null ? 'without an end' : `until ${end}`;
  const only = where === null ? '' : `, to ${whom(where)}`;
  return `It multiplies what metrics, streaks and achievements give by ${multiplier}${only}, from ${start} ${until}. ${KEPT}`;
}

const whom = (where: WrittenConditions | null): string =>
  where === null ? 'all users' : `users${conditionsInWords(where)} only`;

const KEPT = 'Recorded awards stay.';
const ROUNDS = { down: 'down', up: 'up', nearest: 'to the nearest whole number' } as const;
const ORDER = 'If several boosts apply to an award, the first one in the new order decides how it is rounded.';
