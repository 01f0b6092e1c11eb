import type { DomainEventType, RecordedEvent, Subject } from '@laurel/kernel';
import type { Directory } from '@laurel/ports';
import type { LoggedEvent } from '@laurel/schemas';
import type { EventLog, TypedLog } from '@laurel/event-store';
import { recordedEvent } from './exported-user.ts';

export interface LoggedModels {
  readonly log: Pick<EventLog, 'read' | 'head'> & TypedLog;
  readonly directory: Pick<Directory, 'idsOf'>;
}

export interface LoggedOptions {
  /** Reads events after this position. */
  readonly after: number;
  /** The last position to read; Infinity for no end. */
  readonly upTo: number;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Only events of these types. Default: all types. */
  readonly types?: readonly DomainEventType[] | undefined;
}

export interface LoggedPage {
  readonly found: readonly LoggedEvent[];
  /** `after` of the next page. */
  readonly upTo: number;
  /** False if the log held no more at the time of the read. */
  readonly more: boolean;
}

/** Reads the log in pages, and its end. */
export const logInOrder = (models: LoggedModels) => ({
  read: (account: string, asked: LoggedOptions): Promise<LoggedPage> => loggedEvents(models, account, asked),
  newest: (): Promise<number> => models.log.head(),
});

/** Records that a page of certain types looks at. */
const LOOKED_AT = 1_000;

/** Events of the account in the order of recording. Takes a constant number of statements, however long the log is. */
export async function loggedEvents(
  { log, directory }: LoggedModels,
  account: string,
  asked: LoggedOptions,
): Promise<LoggedPage> {
  const { records, upTo, more } = await read(log, asked);
  const isAsked = (record: RecordedEvent) => record.account === account && record.position <= asked.upTo;
  const own = records.filter(isAsked);
  const subjects = new Set(own.flatMap((record) => subjectOf(record) ?? []));
  const ids = await directory.idsOf(account, [...subjects]);
  const end = Math.max(asked.after, Math.min(upTo, asked.upTo));
  return { found: own.map((record) => logged(record, ids)), upTo: end, more: more && end === upTo };
}

async function read(log: LoggedModels['log'], { after, limit, types }: LoggedOptions) {
  if (types !== undefined) return log.readOfTypes(after, { types, limit, looked: LOOKED_AT });
  const records = await log.read(after, limit);
  return { records, upTo: records.at(-1)?.position ?? after, more: records.length === limit };
}

const subjectOf = ({ fact }: RecordedEvent): Subject | null => ('subject' in fact ? fact.subject : null);

/** Leaves out subjects, which are internal, and configuration documents, which may be large and have a route of their own. */
function logged(record: RecordedEvent, ids: ReadonlyMap<Subject, string>): LoggedEvent {
  const { fact, configurationVersion } = record;
  const { details, ...head } = recordedEvent(record);
  const subject = subjectOf(record);
  const userId = subject === null ? null : (ids.get(subject) ?? null);
  const { document: _document, subjects: _subjects, ...shown } = details;
  const settled = fact.type === 'UsersSwept' ? { users: fact.subjects.length } : {};
  return { ...head, userId, configurationVersion, details: { ...shown, ...settled } };
}
