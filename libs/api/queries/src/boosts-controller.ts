import { Controller } from '@nestjs/common';
import { areMet, boostStatus, type Boost, type BoostDefinition } from '@laurel/kernel';
import { Route } from '@laurel/runtime';
import { knownUser, listedBoostAnswer, operations, type KnownUser, type ListedBoost } from '@laurel/schemas';
import { knownSystem } from './ports.ts';
import { QueryParameters } from './query-parameters.ts';
import { Read, type ReadCall } from './read-call.ts';

@Controller()
export class BoostsController {
  @Route(operations.listBoosts)
  boosts(@Read() call: ReadCall<'key'>): ListedBoost[] {
    return boostsAsked(call, [], null);
  }

  @Route(operations.listUserBoosts)
  async userBoosts(@Read() call: ReadCall<'id' | 'key'>): Promise<ListedBoost[]> {
    const { ports, account, path } = call;
    const user = await knownUser(ports, account, path.id);
    const { key } = knownSystem(ports, account, path.key);
    return boostsAsked(call, await ports.points.boosts({ account, subject: user.subject }, key), user);
  }
}

/**
 * In configuration order, then the user's own, then those that were removed from the configuration.
 * @param user whose attributes the listed boosts require; null lists all of them
 * @throws ProblemError 404, 422
 */
function boostsAsked(
  { ports, account, path, query }: ReadCall<'key'>,
  own: readonly Boost[],
  user: KnownUser | null,
): ListedBoost[] {
  const { boosts, removedBoosts } = knownSystem(ports, account, path.key);
  const parameters = new QueryParameters(query);
  const includeFinished = parameters.flag('includeFinished');
  parameters.check();
  const at = ports.clock.now();
  const isAsked = (boost: Boost) => includeFinished || boostStatus(boost, at) !== 'finished';
  const applies = ({ where }: BoostDefinition) =>
    user === null || areMet(where?.user ?? [], user.profile.attributeHashes);
  return [...boosts.filter(applies), ...own, ...removedBoosts.filter(applies)]
    .filter(isAsked)
    .map((boost) => listedBoostAnswer(boost, at));
}
