import { Controller, Inject } from '@nestjs/common';
import { ProblemError, unknownThing, type LevelUserPage, operations } from '@laurel/schemas';
import { type ApiCall, Call, configured, Route } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { usersByInstant } from './users-by-instant.ts';

/** Who is on a level, newest first (specification, section 9.16). */
@Controller()
export class LevelsController {
  readonly #support: AdministrationPorts['support'];

  constructor(@Inject(ADMINISTRATION_PORTS) { support }: Pick<AdministrationPorts, 'support'>) {
    this.#support = support;
  }

  /** Takes two statements per page, however many users are on the level. */
  @Route(operations.listUsersOnLevel)
  async list(@Call() { account, path: { key, level }, query }: ApiCall<'key' | 'level'>): Promise<LevelUserPage> {
    const { points, directory } = this.#support;
    this.#check(account, key, level);
    const { users, next } = await usersByInstant(directory, query, {
      account,
      name: `level ${level} of ${key}`,
      read: async (after, limit) => {
        const place = after && { reachedAt: after[0], subject: after[1] };
        const reached = await points.usersOnLevel(account, key, level, { after: place, limit });
        return reached.map(({ reachedAt, subject }) => [reachedAt, subject]);
      },
    });
    return { users: users.map(({ userId, at }) => ({ userId, reachedAt: at })), next };
  }

  /** @throws ProblemError 404 if no such level is configured */
  #check(account: string, key: string, level: string): void {
    const { pointsSystemByKey } = this.#support.configuration(account).current;
    const system = configured('unknown_points_system', key, pointsSystemByKey);
    const levels = system.levels.map((each) => each.key);
    if (!levels.includes(level)) throw new ProblemError(unknownThing('unknown_level', level, levels));
  }
}
