import { parseInstant, type Instant } from '@laurel/calendar';
import type { BoostGrant } from '@laurel/kernel';
import { BOOST_NAME, boostGrantRequest, hundredthsOf, type BoostGrantRequest, type ProblemItem } from '@laurel/schemas';
import type { IngestionPorts } from '../ports.ts';
import { unknownKey, type GrantKind } from './give-grant.ts';

export const BOOST: GrantKind<typeof boostGrantRequest> = {
  schema: boostGrantRequest,
  grantOf(request: BoostGrantRequest, account, { configuration, clock }: IngestionPorts, errors) {
    const { pointsSystem: system, multiplier, rounding, name } = request;
    const known = configuration(account).current.pointsSystemByKey;
    if (!known.has(system)) errors.push(unknownKey('pointsSystem', 'a points system', system, known));
    const lasts = lastsOf(request, clock.now(), errors);
    return {
      kind: 'boost',
      system,
      name: name ?? BOOST_NAME,
      multiplier: hundredthsOf(multiplier),
      rounding: rounding ?? 'down',
      lasts,
    };
  },
};

function lastsOf({ until, minutes }: BoostGrantRequest, now: Instant, errors: ProblemItem[]): BoostGrant['lasts'] {
  const end = parseInstant(until ?? '');
  if ((end === null) === ((minutes ?? null) === null))
    errors.push({ path: 'until', message: 'must be given, or minutes, but not both' });
  if (end !== null && end <= now) errors.push({ path: 'until', message: 'must lie in the future' });
  return end === null ? { minutes: minutes ?? 0 } : { until: end };
}
