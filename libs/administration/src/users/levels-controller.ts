import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { formatInstant } from '@laurel/calendar';
import { ProblemError, unknownThing, type LevelReached, type LevelUserPage } from '@laurel/contracts';
import { Account, RequiresScope } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { isInstantAndSubject, PageQuery, pageOf, type Query as PageParameters } from './page-query.ts';

/** Who is on a level, newest first (specification, section 9.16). */
@Controller('admin/v1/points')
export class LevelsController {
  readonly #support: AdministrationPorts['support'];

  constructor(@Inject(ADMINISTRATION_PORTS) { support }: Pick<AdministrationPorts, 'support'>) {
    this.#support = support;
  }

  /** Two statements a page, however many are on it. */
  @Get(':key/levels/:level/users')
  @RequiresScope('admin')
  async list(
    @Account() account: string,
    @Param('key') key: string,
    @Param('level') level: string,
    @Query() query: PageParameters,
  ): Promise<LevelUserPage> {
    const { points, directory } = this.#support;
    this.#check(account, key, level);
    const asked = new PageQuery(query);
    const limit = asked.limit();
    const list = `level ${level} of ${key}`;
    const place = asked.cursor(list, isInstantAndSubject);
    asked.check();
    const after = place && { reachedAt: place[0], subject: place[1] };
    const rows = await points.usersOnLevel(account, key, level, after, limit + 1);
    const { shown, next } = pageOf(list, rows, limit, ({ reachedAt, subject }: LevelReached) => [reachedAt, subject]);
    const ids = await directory.idsOf(
      account,
      shown.map(({ subject }) => subject),
    );
    const users = shown.flatMap(({ subject, reachedAt }) => {
      const userId = ids.get(subject);
      return userId === undefined ? [] : [{ userId, reachedAt: formatInstant(reachedAt) }];
    });
    return { users, next };
  }

  /** @throws ProblemError 404 if no such level is configured */
  #check(account: string, key: string, level: string): void {
    const { pointsSystemByKey } = this.#support.configuration(account).current;
    const system = pointsSystemByKey.get(key);
    if (system === undefined)
      throw new ProblemError(unknownThing('unknown_points_system', key, pointsSystemByKey.keys()));
    const levels = system.levels.map((each) => each.key);
    if (!levels.includes(level)) throw new ProblemError(unknownThing('unknown_level', level, levels));
  }
}
