import { localDate } from '@laurel/calendar';
import {
  AREAS,
  viewedBy,
  type AreaName,
  type Configuration,
  type KeyedCommand,
  type Sections,
  type Subject,
  type ViewRequest,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { UsedKey } from '@laurel/event-store';
import type { BoardsPlace } from '@laurel/partitioned-boards';
import type { UserQueries } from '@laurel/users';
import type { AnswerClient, AppliedEvent, Viewed } from '../answers/index.ts';

/** An event of a user in the log. */
export interface PlaceOfUser {
  readonly account: string;
  readonly subject: Subject;
  readonly position: number;
}

export interface ReplayViewOptions {
  readonly answers: Pick<AnswerClient, 'view'>;
  /** How the areas of the user read, boards left out. @throws StoreUnavailableError */
  readonly viewUser: (request: ViewRequest, configuration: Configuration) => Promise<Sections>;
  /** Waits until the services of a user have applied what lies at a place of the log. Never rejects. */
  readonly applied: (place: PlaceOfUser, limitMs: number) => Promise<AppliedEvent>;
  /** Which clock a user had at a place of the log. */
  readonly users: Pick<UserQueries, 'zonesAt'>;
  readonly clock: Clock;
  /** How long an answer waits for what the original event caused. */
  readonly answerLimitMs: number;
}

/** Of the wait limit, what a replay may wait for its original; the rest is for reading what can be shown. */
const WAIT_SHARE = 0.8;
/** No partition of leaderboards is waited for. */
const NO_BOARDS: BoardsPlace = { source: 0, sent: new Map() };

/**
 * What a request shows whose key an earlier event used: the user as they read once that event is applied. Areas that have
 * not applied it within the limit are pending. @throws StoreUnavailableError
 */
export async function viewReplay(
  { answers, viewUser, applied, users, clock, answerLimitMs }: ReplayViewOptions,
  command: KeyedCommand,
  { position, occurredAt }: UsedKey,
  configuration: Configuration,
): Promise<Viewed> {
  const { account, subject } = command;
  const deadlineMs = clock.elapsedMs() + answerLimitMs;
  const { pending, boards } = await applied({ account, subject, position }, answerLimitMs * WAIT_SHARE);
  if (pending.length === AREAS.length) return { sections: {}, pending };
  // The original may have set the user's clock, so it is read after the wait.
  const [zone = 'UTC'] = await users.zonesAt([{ account, subject, position }]);
  const request = {
    account,
    subject,
    ...viewedBy(command),
    at: clock.now(),
    originalDate: localDate(occurredAt, zone),
  };
  const leftMs = deadlineMs - clock.elapsedMs();
  const viewed = await answers.view(request, configuration.version, boards ?? NO_BOARDS, leftMs);
  const isAnswered = viewed.pending.length < AREAS.length;
  const known: Viewed = isAnswered
    ? viewed
    : { sections: await viewUser(request, configuration), pending: ['leaderboards'] };
  return withoutPending(known, pending);
}

/** An area that has not applied the original shows the state before it, so it shows nothing. */
function withoutPending({ sections, pending }: Viewed, behind: readonly AreaName[]): Viewed {
  const all = AREAS.filter((area) => pending.includes(area) || behind.includes(area));
  const known = AREAS.filter((area) => !all.includes(area) && area in sections);
  return { sections: Object.fromEntries(known.map((area) => [area, sections[area]])), pending: all };
}
