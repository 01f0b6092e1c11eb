import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { formatInstant } from '@laurel/calendar';
import { ProblemError, unknownThing, type Completion, type CompletionPage } from '@laurel/contracts';
import { Account, RequiresScope } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { isInstantAndSubject, PageQuery, pageOf, type Query as PageParameters } from './page-query.ts';

/** Who completed an achievement, newest first (specification, section 9.16). */
@Controller('admin/v1/achievements')
export class CompletionsController {
  readonly #support: AdministrationPorts['support'];

  constructor(@Inject(ADMINISTRATION_PORTS) { support }: Pick<AdministrationPorts, 'support'>) {
    this.#support = support;
  }

  /** Two statements a page, however many completed it. */
  @Get(':key/completions')
  @RequiresScope('admin')
  async list(
    @Account() account: string,
    @Param('key') key: string,
    @Query() query: PageParameters,
  ): Promise<CompletionPage> {
    const { achievements, configuration, directory } = this.#support;
    const keys = configuration(account).current.achievements.map((achievement) => achievement.key);
    if (!keys.includes(key)) throw new ProblemError(unknownThing('unknown_achievement', key, keys));
    const asked = new PageQuery(query);
    const limit = asked.limit();
    const list = `completions of ${key}`;
    const place = asked.cursor(list, isInstantAndSubject);
    asked.check();
    const after = place && { achievedAt: place[0], subject: place[1] };
    const rows = await achievements.completions(account, key, after, limit + 1);
    const { shown, next } = pageOf(list, rows, limit, ({ achievedAt, subject }: Completion) => [achievedAt, subject]);
    const ids = await directory.idsOf(
      account,
      shown.map(({ subject }) => subject),
    );
    const completions = shown.flatMap(({ subject, achievedAt }) => {
      const userId = ids.get(subject);
      return userId === undefined ? [] : [{ userId, achievedAt: formatInstant(achievedAt) }];
    });
    return { completions, next };
  }
}
