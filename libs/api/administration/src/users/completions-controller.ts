import { Controller, Inject, Param, Query } from '@nestjs/common';
import { ProblemError, unknownThing, type CompletionPage, operations } from '@laurel/schemas';
import { Account, Route } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import type { Query as PageParameters } from './page-query.ts';
import { usersByInstant } from './users-by-instant.ts';

/** Who completed an achievement, newest first (specification, section 9.16). */
@Controller()
export class CompletionsController {
  readonly #support: AdministrationPorts['support'];

  constructor(@Inject(ADMINISTRATION_PORTS) { support }: Pick<AdministrationPorts, 'support'>) {
    this.#support = support;
  }

  /** Two statements a page, however many completed it. */
  @Route(operations.listCompletions)
  async list(
    @Account() account: string,
    @Param('key') key: string,
    @Query() query: PageParameters,
  ): Promise<CompletionPage> {
    const { achievements, configuration, directory } = this.#support;
    const keys = configuration(account).current.achievements.map((achievement) => achievement.key);
    if (!keys.includes(key)) throw new ProblemError(unknownThing('unknown_achievement', key, keys));
    const { users, next } = await usersByInstant(directory, query, {
      account,
      name: `completions of ${key}`,
      read: async (after, limit) => {
        const place = after && { achievedAt: after[0], subject: after[1] };
        const completions = await achievements.completions(account, key, place, limit);
        return completions.map(({ achievedAt, subject }) => [achievedAt, subject]);
      },
    });
    return { completions: users.map(({ userId, at }) => ({ userId, achievedAt: at })), next };
  }
}
