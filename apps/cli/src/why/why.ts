import type {
  ExplainedAchievementAnswer,
  ExplainedPointsAnswer,
  ExplainedPointsOfEventAnswer,
  ExplainedStandingAnswer,
  ExplainedStreakAnswer,
} from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { achievementLines, pointsLines, pointsOfEventLines, standingLines, streakLines } from './explained-lines.ts';

export type WhyKind = 'points' | 'streak' | 'achievement' | 'board';

export interface WhyOptions extends AnswerOptions {
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly cursor?: string;
  readonly run?: string;
  readonly event?: string;
}

export interface Question {
  readonly user: string;
  readonly what: WhyKind;
  readonly name: string | undefined;
}

/** An answer of the API, and its lines for people. */
interface Explanation {
  readonly answer: object;
  readonly lines: readonly string[];
}

/** @throws CommandError with exit code 2 if a name is missing, or an option does not fit the kind of number */
export async function why(question: Question, options: WhyOptions, context: CommandContext): Promise<void> {
  const { what, name } = question;
  if (name === undefined && what !== 'streak')
    throw new CommandError(2, `say which ${NAMED[what]}: its key is missing`);
  if (options.run !== undefined && what !== 'board') throw new CommandError(2, '--run goes with a board only');
  if (options.event !== undefined && what !== 'points') throw new CommandError(2, '--event goes with points only');
  if (options.cursor !== undefined && (options.event !== undefined || !PAGED.has(what)))
    throw new CommandError(2, '--cursor goes with points and boards only, and not with --event');
  const service = await connectService(options, context);
  const { answer, lines } = await explain(service, question, options);
  await printAnswer(context, options, answer, () => lines);
}

/** Kinds that are shown in pages. For a streak, a date says where to begin. */
const PAGED: ReadonlySet<WhyKind> = new Set(['points', 'board']);

const NAMED = { points: 'points system', achievement: 'achievement', board: 'board', streak: 'date' } as const;

async function explain(
  service: ServiceConnection,
  { user: id, what, name: key = '' }: Question,
  { limit, cursor, run, event }: WhyOptions,
): Promise<Explanation> {
  const path = { id, key };
  const page = { limit, ...(cursor !== undefined && { cursor }) };
  switch (what) {
    case 'points': {
      if (event !== undefined) {
        const params = { path: { ...path, eventId: event } };
        const answer = await service.ask((client, settings) =>
          client.GET('/admin/v1/users/{id}/explain/points/{key}/events/{eventId}', { params, ...settings }),
        );
        return { answer, lines: pointsOfEventLines(answer as ExplainedPointsOfEventAnswer) };
      }
      const params = { path, query: page };
      const answer = await service.ask((client, settings) =>
        client.GET('/admin/v1/users/{id}/explain/points/{key}', { params, ...settings }),
      );
      return { answer, lines: pointsLines(answer as ExplainedPointsAnswer) };
    }
    case 'achievement': {
      const answer = await service.ask((client, settings) =>
        client.GET('/admin/v1/users/{id}/explain/achievements/{key}', { params: { path }, ...settings }),
      );
      return { answer, lines: achievementLines(answer as ExplainedAchievementAnswer) };
    }
    case 'streak': {
      const query = { periods: limit, ...(key !== '' && { date: key }) };
      const answer = await service.ask((client, settings) =>
        client.GET('/admin/v1/users/{id}/explain/streak', { params: { path: { id }, query }, ...settings }),
      );
      return { answer, lines: streakLines(answer as ExplainedStreakAnswer) };
    }
    case 'board': {
      const query = { ...page, ...(run !== undefined && { run }) };
      const answer = await service.ask((client, settings) =>
        client.GET('/admin/v1/users/{id}/explain/leaderboards/{key}', { params: { path, query }, ...settings }),
      );
      return { answer, lines: standingLines(answer as ExplainedStandingAnswer) };
    }
  }
}
