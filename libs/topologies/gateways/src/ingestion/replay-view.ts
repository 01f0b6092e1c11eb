import { localDate } from '@laurel/calendar';
import {
  AREAS,
  viewedBy,
  type AreaName,
  type Configuration,
  type KeyedCommand,
  type AnswerParts,
  type Subject,
  type ViewRequest,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { UsedKey } from '@laurel/event-store';
import type { BoardsPlace } from '@laurel/partitioned-boards';
import type { UserQueries } from '@laurel/users';
import type { AnswerClient, AppliedEvent, Viewed } from '../answers/index.ts';

/** The position of a user's event in the log. */
export interface PlaceOfUser {
  readonly account: string;
  readonly subject: Subject;
  readonly position: number;
}

export interface ReplayViewOptions {
  readonly answers: Pick<AnswerClient, 'view'>;
  /** The answer parts of the user areas, without boards. @throws StoreUnavailableError */
  readonly viewUser: (request: ViewRequest, configuration: Configuration) => Promise<AnswerParts>;
  /** Waits until the user services have applied the record at a position. Never rejects. */
  readonly applied: (place: PlaceOfUser, limitMs: number) => Promise<AppliedEvent>;
  /** The clocks of users at positions of the log. */
  readonly users: Pick<UserQueries, 'zonesAt'>;
  readonly clock: Clock;
  /** How long an answer waits for the results of the original event. */
  readonly answerLimitMs: number;
}

/** The share of the wait limit for the original event; the rest is for reading the answer parts. */
const WAIT_SHARE = 0.8;
/** Does not wait for any partition of leaderboards. */
const NO_BOARDS: BoardsPlace = { source: 0, sent: new Map() };

/**
 * The answer to a request whose key an earlier event used: the state of the user after that event is applied. Areas that have not applied it
 * within the limit are pending. @throws StoreUnavailableError
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

/** Removes the answer parts of areas that have not applied the original, because they show an earlier state. */
function withoutPending({ sections, pending }: Viewed, behind: readonly AreaName[]): Viewed {
  const all = AREAS.filter((area) => pending.includes(area) || behind.includes(area));
  const known = AREAS.filter((area) => !all.includes(area) && area in sections);
  return { sections: Object.fromEntries(known.map((area) => [area, sections[area]])), pending: all };
}
