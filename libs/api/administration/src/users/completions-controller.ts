import { Controller, Inject } from '@nestjs/common';
import { type CompletionPage, operations } from '@laurel/schemas';
import { type ApiCall, Call, configured, Route } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { usersByInstant } from './users-by-instant.ts';

/** Who completed an achievement, newest first (specification, section 9.16). */
@Controller()
export class CompletionsController {
  readonly #support: AdministrationPorts['support'];

  constructor(@Inject(ADMINISTRATION_PORTS) { support }: Pick<AdministrationPorts, 'support'>) {
    this.#support = support;
  }

  /** Takes two statements per page, however many users completed it. */
  @Route(operations.listCompletions)
  async list(@Call() { account, path: { key }, query }: ApiCall<'key'>): Promise<CompletionPage> {
    const { achievements, configuration, directory } = this.#support;
    configured('unknown_achievement', key, configuration(account).current.achievementByKey);
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
