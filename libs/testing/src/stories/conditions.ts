import { hashedConditions } from '@laurel/configuration';
import {
  achievementTriggerKind,
  pointsTriggerFields,
  type PointsTriggerType,
  type UserCommand,
  type WrittenAttributes,
  type WrittenConditions,
} from '@laurel/kernel';
import { hashesOf } from '@laurel/ports/fixtures';
import type { ConfigurationDocument } from '@laurel/schemas';
import fc from 'fast-check';
import type { Life, StoryEvent } from './lives.ts';

/** The attributes that a command brings; null removes one of a user. */
interface SaidAttributes {
  readonly event: Readonly<Record<string, string>>;
  readonly user: Readonly<Record<string, string | null>> | null;
}

const course = fc.constantFrom<SaidAttributes['event']>(
  {},
  { course: 'radio' },
  { course: 'tv' },
  { course: 'tv', plan: 'pro' },
);
const profile = fc.constantFrom<SaidAttributes['user']>(
  null,
  null,
  null,
  { plan: 'pro' },
  { plan: 'free' },
  { plan: null },
  { plan: 'pro', city: 'london' },
  { city: '' },
);

/** What the commands of a life say, over and over. */
export const saidAttributes: fc.Arbitrary<readonly SaidAttributes[]> = fc.array(
  fc.record({ event: course, user: profile }),
  { minLength: 3, maxLength: 12 },
);

/** The life, with commands that bring these attributes in turn. */
export const withAttributes = (life: Life, said: readonly SaidAttributes[]): Life => ({
  ...life,
  happenings: life.happenings.map(({ at, command }, place): StoryEvent => {
    const attributes = said[place % said.length];
    return attributes === undefined ? { at, command } : { at, command: saying(command, attributes) };
  }),
});

function saying(command: UserCommand, { event, user }: SaidAttributes): UserCommand {
  if (!('user' in command)) return command;
  const ofUser = user === null ? {} : both(user);
  const said = { ...command, user: { ...command.user, ...ofUser } };
  return said.type === 'RecordMetricEvent' ? { ...said, ...both(event) } : said;
}

const both = <Value extends string | null>(attributes: Readonly<Record<string, Value>>) => ({
  attributes: new Map(Object.entries(attributes)),
  attributeHashes: new Map(hashesOf(Object.entries(attributes))),
});

const ofUsers = fc.constantFrom<WrittenAttributes>(
  { plan: 'pro' },
  { plan: ['pro', 'free'] },
  { plan: 'pro', city: 'london' },
  { city: ['', 'paris'] },
);
const ofEvents = fc.constantFrom<WrittenAttributes>(
  { course: 'radio' },
  { course: ['tv', 'radio'] },
  { course: 'tv', plan: 'pro' },
);

/** Conditions that entries of a document get in turn; null for none. */
export const someConditions: fc.Arbitrary<readonly (WrittenConditions | null)[]> = fc.array(
  fc.oneof(
    fc.constant(null),
    ofUsers.map((user) => ({ user })),
    ofEvents.map((event) => ({ event })),
    fc.record({ event: ofEvents, user: ofUsers }),
  ),
  { minLength: 2, maxLength: 9 },
);

/** The document, whose triggers, boosts and achievements get these conditions in turn, as far as their kind can have them. */
export function withConditions(
  document: ConfigurationDocument,
  conditions: readonly (WrittenConditions | null)[],
): ConfigurationDocument {
  let next = 0;
  const points = document.points.map((system) => ({
    ...system,
    triggers: system.triggers.map((trigger) => {
      const { event, user } = conditions[next++ % conditions.length] ?? {};
      if (!canHaveConditions(trigger.type)) return trigger;
      if (trigger.type === 'metric') return { ...trigger, where: orNone({ event, user }) };
      return { ...trigger, where: orNone({ user }) };
    }),
    boosts: (system.boosts ?? []).map((boost) => ({
      ...boost,
      where: orNone({ user: conditions[next++ % conditions.length]?.user }),
    })),
  }));
  const achievements = document.achievements.map((achievement) => {
    const on: readonly (keyof WrittenConditions)[] = achievementTriggerKind(achievement.trigger.type).where;
    const { event, user } = conditions[next++ % conditions.length] ?? {};
    return {
      ...achievement,
      where: orNone({ event: on.includes('event') ? event : undefined, user: on.includes('user') ? user : undefined }),
    };
  });
  return { ...document, points, achievements };
}

/** The documents of stories have no defaults, so their triggers have no `where`. */
export const canHaveConditions = (type: PointsTriggerType): boolean =>
  pointsTriggerFields(type, 'optional conditions').includes('where');

const orNone = ({ event, user }: WrittenConditions): WrittenConditions | null =>
  event === undefined && user === undefined ? null : { ...(event && { event }), ...(user && { user }) };

/** A document with the hashes with which it is published. */
export async function published(document: ConfigurationDocument, version: number, publishedAt: number) {
  const attributeHashes = await hashedConditions(document, (attributes) => Promise.resolve(hashesOf(attributes)));
  return { version, document, publishedAt, ...(attributeHashes && { attributeHashes }) };
}
