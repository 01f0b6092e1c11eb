import { Controller } from '@nestjs/common';
import { boostStatus, type Boost } from '@laurel/kernel';
import { Route } from '@laurel/runtime';
import { boostAnswer, knownUser, operations, type BoostAnswer } from '@laurel/schemas';
import { knownSystem } from './ports.ts';
import { QueryParameters } from './query-parameters.ts';
import { Read, type ReadCall } from './read-call.ts';

@Controller()
export class BoostsController {
  @Route(operations.listBoosts)
  boosts(@Read() call: ReadCall<'key'>): BoostAnswer[] {
    return boostsAsked(call, []);
  }

  @Route(operations.listUserBoosts)
  async userBoosts(@Read() call: ReadCall<'id' | 'key'>): Promise<BoostAnswer[]> {
    const { ports, account, path } = call;
    const { subject } = await knownUser(ports, account, path.id);
    const { key } = knownSystem(ports, account, path.key);
    return boostsAsked(call, await ports.points.boosts({ account, subject }, key));
  }
}

/**
 * In configuration order, then the user's own, then those that were removed from the configuration.
 * @throws ProblemError 404, 422
 */
function boostsAsked({ ports, account, path, query }: ReadCall<'key'>, own: readonly Boost[]): BoostAnswer[] {
  const { boosts, removedBoosts } = knownSystem(ports, account, path.key);
  const parameters = new QueryParameters(query);
  const includeFinished = parameters.flag('includeFinished');
  parameters.check();
  const at = ports.clock.now();
  const isAsked = (boost: Boost) => includeFinished || boostStatus(boost, at) !== 'finished';
  return [...boosts, ...own, ...removedBoosts].filter(isAsked).map((boost) => boostAnswer(boost, at));
}
