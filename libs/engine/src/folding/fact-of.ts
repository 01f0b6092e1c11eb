import type { Instant } from '@laurel/calendar';
import type {
  Attribution,
  Command,
  ImportOpened,
  ImportOptions,
  LogRecord,
  RecordMetricEvent,
  UserFact,
  UserFields,
} from '@laurel/kernel';
import { MAX_ATTRIBUTES } from '@laurel/profile';

type Imported = RecordMetricEvent & { readonly occurredAt: Instant };

export const isImport = (command: Command): command is Imported =>
  command.type === 'RecordMetricEvent' && command.occurredAt !== null;

/** What a record that opens an import says of it. */
export const openingOf = ({ recordedAt, position, fact }: LogRecord<ImportOpened>) => ({
  ...{ at: recordedAt, position },
  attribution: attributionIn(fact),
  options: { unboundedAwards: fact.unboundedAwards === true, outgoing: fact.outgoing === true },
});

const attributionIn = ({ by, reason }: Attribution): Attribution => ({
  ...(by !== undefined && { by }),
  ...(reason !== undefined && { reason }),
});

/** What the log holds of an import that is opened. */
export const importOpened = ({ unboundedAwards, outgoing }: ImportOptions, attribution: Attribution): ImportOpened => ({
  type: 'ImportOpened',
  ...(unboundedAwards && { unboundedAwards }),
  ...(outgoing && { outgoing }),
  ...attribution,
});

/** What the log holds of a command. @param receiptOnly nobody waits for what it causes */
export function factOf(command: Command, receiptOnly = false): UserFact {
  const { subject } = command;
  if (command.type === 'GiveGrant') {
    const { grant, keyHash, attribution } = command;
    return { type: 'GrantRecorded', subject, grant, keyHash, ...attribution };
  }
  if (command.type === 'EraseUser') {
    const { boards, attribution } = command;
    return { type: 'UserErased', subject, boards, ...attribution };
  }
  const user = withLimit(command.user);
  switch (command.type) {
    case 'RecordMetricEvent': {
      const { metric, value, attributes, keyHash, occurredAt } = command;
      const imported = occurredAt !== null;
      const recorded = { subject, metric, value, user, attributes, keyHash, imported };
      return { type: 'MetricEventRecorded', ...recorded, ...(receiptOnly && { receiptOnly }) };
    }
    case 'IdentifyUser':
      return { type: 'UserIdentified', subject, user };
    case 'CompleteAchievement':
      return { type: 'AchievementCompletedByCall', subject, achievement: command.achievement, user };
  }
}

/** The limit in force is recorded, so that a replay keeps to it. */
const withLimit = (user: UserFields): UserFields =>
  user.attributes === undefined ? user : { ...user, attributeLimit: MAX_ATTRIBUTES };
