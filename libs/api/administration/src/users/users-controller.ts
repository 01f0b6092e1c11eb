import { Controller, Inject } from '@nestjs/common';
import type { Subject } from '@laurel/kernel';
import type { DirectoryEntry, FoundUser, UserSearchAnswer } from '@laurel/ports';
import {
  isUserId,
  userAnswer,
  knownUser,
  type UserAnswer,
  type UserOverview,
  type UserPage,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, invalidField, type Query, Route } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { PageQuery, pageOf, type Place } from './page-query.ts';
import { userOverview } from './user-overview.ts';

type Ports = Pick<AdministrationPorts, 'support' | 'clock'>;

const USERS = 'users';
const LONGEST_ID = 255;
/** Most users found, because each takes reads of the index, the directory and the states. */
const MOST_FOUND = 20;
const LONGEST_SOUGHT = { email: 320, name: 100 };

/** Lists and finds users (specification, section 9.16). */
@Controller()
export class UsersController {
  readonly #ports: Ports;

  constructor(@Inject(ADMINISTRATION_PORTS) ports: Ports) {
    this.#ports = ports;
  }

  /** Takes two statements per page. Ids without recorded events are left out, so a page may be short. */
  @Route(operations.listUsers)
  async list(@Call() { account, query }: ApiCall): Promise<UserPage> {
    const asked = new PageQuery(query, ['prefix', 'email', 'name']);
    if (query['email'] !== undefined || query['name'] !== undefined) return this.#search(account, asked, query);
    const limit = asked.limit();
    const prefix = asked.text('prefix', LONGEST_ID) ?? '';
    const [after = ''] = asked.cursor(USERS, isOneId) ?? [];
    asked.check();
    const { directory } = this.#ports.support;
    const entries = await directory.page(account, after, limit + 1, prefix);
    const { shown, next } = pageOf(USERS, entries, limit, ({ id }: DirectoryEntry) => [id]);
    const ids = new Map(shown.map(({ id, subject }) => [subject, id]));
    return { users: await this.#shown(account, ids), next };
  }

  /** Takes five statements per page, however many users there are. */
  async #search(account: string, asked: PageQuery, query: Query): Promise<UserPage> {
    const kind = query['email'] === undefined ? 'name' : 'email';
    for (const other of ['prefix', 'name'])
      if (kind !== other && query[other] !== undefined) asked.refuse(other, `does not go with ${kind}`);
    const limit = asked.limit(MOST_FOUND);
    const text = asked.text(kind, LONGEST_SOUGHT[kind]) ?? '';
    if (text.trim() === '') asked.refuse(kind, 'must not be empty');
    const list = `users by ${kind} ${text}`;
    const place = asked.cursor(list, isFound);
    asked.check();
    const { directory, users } = this.#ports.support;
    const after = place && { term: place[0], subject: place[1] };
    const answer = await users.search(account, { kind, text }, after, limit + 1);
    if (answer.state !== 'ready') throw invalidField(kind, whyNot(answer));
    const { shown, next } = pageOf(list, answer.found, limit, ({ term, subject }: FoundUser) => [term, subject]);
    const subjects = shown.map(({ subject }) => subject);
    const ids = await directory.idsOf(account, subjects);
    const known = subjects.flatMap((subject) => {
      const id = ids.get(subject);
      return id === undefined ? [] : [[subject, id] as const];
    });
    return { users: await this.#shown(account, new Map(known)), next };
  }

  /** The users with recorded events, in the order of the map. */
  async #shown(account: string, ids: ReadonlyMap<Subject, string>): Promise<UserAnswer[]> {
    const profiles = await this.#ports.support.users.profiles(account, [...ids.keys()]);
    return [...ids].flatMap(([subject, id]) => {
      const profile = profiles.get(subject);
      return profile === undefined ? [] : [userAnswer(id, profile)];
    });
  }

  @Route(operations.getUserOverview)
  async overview(@Call() { account, path: { id } }: ApiCall<'id'>): Promise<UserOverview> {
    const { support, clock } = this.#ports;
    const user = await knownUser(support, account, id);
    return userOverview(account, { id, ...user }, support, clock);
  }
}

const whyNot = (answer: Exclude<UserSearchAnswer, { readonly state: 'ready' }>): string =>
  answer.state === 'off'
    ? 'needs the index of users, which is off: start the service with LAUREL_USER_SEARCH=on'
    : `is not answered yet: the index of users is being built, and has looked at ${answer.users} so far`;

const isFound = (place: Place): place is readonly [string, number] =>
  place.length === 2 && typeof place[0] === 'string' && !place[0].includes('\0') && Number.isSafeInteger(place[1]);

const isOneId = (place: Place): place is readonly [string] =>
  place.length === 1 && typeof place[0] === 'string' && isUserId(place[0]);
