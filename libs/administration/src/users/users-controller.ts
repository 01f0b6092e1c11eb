import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import {
  isUserId,
  userAnswer,
  knownUser,
  type DirectoryEntry,
  type UserOverview,
  type UserPage,
} from '@laurel/contracts';
import { Account, RequiresScope } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { PageQuery, pageOf, type Place, type Query as PageParameters } from './page-query.ts';
import { userOverview } from './user-overview.ts';

type Ports = Pick<AdministrationPorts, 'support' | 'clock'>;

const USERS = 'users';
const LONGEST_ID = 255;

/** Who is who (specification, section 9.16). */
@Controller('admin/v1/users')
export class UsersController {
  readonly #ports: Ports;

  constructor(@Inject(ADMINISTRATION_PORTS) ports: Ports) {
    this.#ports = ports;
  }

  /** Two statements a page. Ids to which nothing is recorded are left out, so a page may hold fewer than were asked for. */
  @Get()
  @RequiresScope('admin')
  async list(@Account() account: string, @Query() query: PageParameters): Promise<UserPage> {
    const asked = new PageQuery(query);
    const limit = asked.limit();
    const prefix = asked.text('prefix', LONGEST_ID) ?? '';
    const [after = ''] = asked.cursor(USERS, isOneId) ?? [];
    asked.check();
    const { directory, users } = this.#ports.support;
    const entries = await directory.page(account, after, limit + 1, prefix);
    const { shown, next } = pageOf(USERS, entries, limit, ({ id }: DirectoryEntry) => [id]);
    const profiles = await users.profiles(
      account,
      shown.map(({ subject }) => subject),
    );
    const known = shown.flatMap(({ id, subject }) => {
      const profile = profiles.get(subject);
      return profile === undefined ? [] : [userAnswer(id, profile)];
    });
    return { users: known, next };
  }

  @Get(':id')
  @RequiresScope('admin')
  async overview(@Account() account: string, @Param('id') id: string): Promise<UserOverview> {
    const { support, clock } = this.#ports;
    const user = await knownUser(support, account, id);
    return userOverview(account, { id, ...user }, support, clock);
  }
}

const isOneId = (place: Place): place is readonly [string] =>
  place.length === 1 && typeof place[0] === 'string' && isUserId(place[0]);
