import { formatInstant, type Instant } from '@laurel/calendar';
import { StoreUnavailableError, type Attribution, type WebhookChanged } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import {
  DEFAULT_MINIMUM_INTERVAL,
  type NewWebhookRequest,
  type WebhookChange,
  type WebhookOrdering,
} from '@laurel/schemas';
import { StartError, WebhookEndpointEntity, whileReachable } from '@laurel/database';
import { invalidField } from '@laurel/runtime';
import { In, type DataSource, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DestinationRefusedError, type Destinations } from '../destinations/destinations.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { newSecret, rotated, type Secret } from '../secrets/signing.ts';
import { endpointOf, entityOf } from './endpoint-entity.ts';

export const MOST_ENDPOINTS = 50;

/** An endpoint in memory. */
export interface Endpoint {
  readonly account: string;
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** null for all types. */
  readonly types: readonly string[] | null;
  readonly ordering: WebhookOrdering;
  readonly trophySignature: boolean;
  /** In seconds. */
  readonly minimumInterval: number;
  /** Empty if they cannot be decrypted, because another key was used. */
  readonly secrets: readonly Secret[];
  /** null if the endpoint is enabled. */
  readonly disabledBecause: string | null;
  readonly stateSince: Instant;
  readonly failingSince: Instant | null;
  readonly lastSuccessAt: Instant | null;
  readonly taken: number;
  readonly replay: { readonly from: number; readonly to: number; readonly types: readonly string[] | null } | null;
  readonly createdAt: Instant;
  readonly createdBy: string;
}

export interface EndpointsDependencies {
  /** The database with the tables of `@laurel/database`. */
  readonly dataSource: DataSource;
  readonly clock: Pick<Clock, 'now'>;
  readonly box: SecretBox;
  readonly destinations: Destinations;
  /** Missing if changes are not recorded. */
  readonly record?: RecordWebhookChange;
}

/** Records a change of an endpoint before it is made. @throws StoreUnavailableError; then the change is not made */
export type RecordWebhookChange = (account: string, change: WebhookChanged, at: Instant) => Promise<void>;
type LastFailure = NonNullable<WebhookChanged['failure']>;

/** The endpoints of the table `webhook_endpoints`, all in memory. Only one process at a time changes them. */
export class Endpoints {
  readonly #repository: Repository<WebhookEndpointEntity>;
  readonly #dependencies: EndpointsDependencies;
  readonly #byId = new Map<string, Endpoint>();
  /**
   * Ids of the newest {@link MOST_ENDPOINTS} endpoints whose creation the database did not answer. They may be in the
   * table.
   */
  readonly #inDoubt = new Set<string>();

  private constructor(dependencies: EndpointsDependencies) {
    this.#repository = dependencies.dataSource.getRepository(WebhookEndpointEntity);
    this.#dependencies = dependencies;
  }

  /** @throws StoreUnavailableError; StartError if stored secrets need a key that exists but is not used */
  static async open(dependencies: EndpointsDependencies): Promise<Endpoints> {
    const endpoints = new Endpoints(dependencies);
    const entities = await whileReachable(() => endpoints.#repository.find({ order: { createdAt: 'ASC', id: 'ASC' } }));
    refuseUnusedKey(dependencies.box, entities);
    for (const entity of entities) endpoints.#byId.set(entity.id, endpointOf(entity, dependencies.box));
    return endpoints;
  }

  /** Oldest first. */
  list(account: string): readonly Endpoint[] {
    return [...this.#byId.values()].filter((endpoint) => endpoint.account === account);
  }

  /**
   * Like {@link list}, plus endpoints that were stored although {@link create} got no answer.
   * @throws StoreUnavailableError if there may be such endpoints and the database cannot be reached
   */
  async all(account: string): Promise<readonly Endpoint[]> {
    const ids = [...this.#inDoubt];
    const stored = ids.length === 0 ? [] : await whileReachable(() => this.#repository.findBy({ id: In(ids) }));
    for (const entity of stored)
      if (this.#inDoubt.delete(entity.id)) this.#byId.set(entity.id, endpointOf(entity, this.#dependencies.box));
    return this.list(account);
  }

  find(account: string, id: string): Endpoint | null {
    const found = this.#byId.get(id);
    return found?.account === account ? found : null;
  }

  /**
   * @throws ProblemError 422 if the URL is refused or there are too many endpoints; StoreUnavailableError if the
   * endpoint may be stored: {@link all} shows it then
   */
  async create(account: string, request: NewWebhookRequest, by: string, newest: number): Promise<Endpoint> {
    this.#checkUrl(request.url);
    if (this.list(account).length >= MOST_ENDPOINTS)
      throw invalidField('', `must not be endpoint ${MOST_ENDPOINTS + 1}: delete one first`);
    const now = this.#dependencies.clock.now();
    const endpoint: Endpoint = {
      account,
      id: uuidv7(),
      url: request.url,
      description: request.description ?? '',
      types: request.types ?? null,
      ordering: request.ordering ?? 'user',
      trophySignature: request.trophySignature ?? false,
      minimumInterval: request.minimumInterval ?? DEFAULT_MINIMUM_INTERVAL,
      secrets: [newSecret()],
      disabledBecause: null,
      stateSince: now,
      failingSince: null,
      lastSuccessAt: null,
      taken: newest,
      replay: null,
      createdAt: now,
      createdBy: by,
    };
    await this.#record(endpoint, 'created', { by });
    await whileReachable(() => this.#repository.insert(entityOf(endpoint, this.#dependencies.box))).catch(
      (error: unknown) => {
        if (error instanceof StoreUnavailableError) this.#doubt(endpoint.id);
        throw error;
      },
    );
    this.#byId.set(endpoint.id, endpoint);
    return endpoint;
  }

  /** @throws ProblemError 422 if the URL is refused; StoreUnavailableError */
  async change(endpoint: Endpoint, change: WebhookChange, by: string): Promise<Endpoint> {
    if (change.url !== undefined) this.#checkUrl(change.url);
    const changes = givenFields(change);
    await this.#record({ ...endpoint, ...changes }, 'changed', { by });
    return this.update(endpoint, changes);
  }

  /** Applies changes to the endpoint's present state, and stores them. @throws StoreUnavailableError */
  async update({ id }: Endpoint, changes: Partial<Endpoint>): Promise<Endpoint> {
    const present = this.#byId.get(id);
    if (present === undefined) throw new Error(`endpoint ${id} was deleted`);
    const changed = { ...present, ...changes };
    const entity = entityOf(changed, this.#dependencies.box);
    const columns = (Object.keys(changes) as (keyof Endpoint)[]).flatMap((field) =>
      field === 'replay' ? (['replayed', 'replayTo', 'replayTypes'] as const) : [field],
    );
    const stored = Object.fromEntries(columns.map((column) => [column, entity[column]]));
    if (columns.length > 0)
      await whileReachable(() => this.#repository.update({ account: present.account, id }, stored));
    const later = this.#byId.get(id);
    if (later !== undefined) this.#byId.set(id, { ...later, ...changes });
    return later === undefined ? changed : { ...later, ...changes };
  }

  /** Updates cursors in memory that were stored with deliveries. */
  moved({ id }: Endpoint, cursors: Partial<Pick<Endpoint, 'taken' | 'replay'>>): void {
    const present = this.#byId.get(id);
    if (present !== undefined) this.#byId.set(id, { ...present, ...cursors });
  }

  /**
   * Reads the cursors again, because the database may have moved them without an answer.
   * @returns whether they had moved. @throws StoreUnavailableError
   */
  async readCursors({ account, id, taken, replay }: Endpoint): Promise<boolean> {
    const entity = await whileReachable(() => this.#repository.findOneBy({ account, id }));
    if (entity === null) return false;
    const stored = endpointOf(entity, this.#dependencies.box);
    this.moved(stored, { taken: stored.taken, replay: stored.replay });
    return stored.taken !== taken || stored.replay?.from !== replay?.from;
  }

  async enable(endpoint: Endpoint, by: string): Promise<Endpoint> {
    if (endpoint.disabledBecause === null) return endpoint;
    await this.#record(endpoint, 'enabled', { by });
    return this.update(endpoint, {
      disabledBecause: null,
      stateSince: this.#dependencies.clock.now(),
      failingSince: null,
    });
  }

  async disable(endpoint: Endpoint, by: string): Promise<Endpoint> {
    if (endpoint.disabledBecause !== null) return endpoint;
    await this.#record(endpoint, 'disabled', { by });
    return this.#disabled(endpoint, 'it was disabled by hand');
  }

  /** Disables a failing endpoint. */
  async giveUp(endpoint: Endpoint, because: string, failure: LastFailure): Promise<Endpoint> {
    if (endpoint.disabledBecause !== null) return endpoint;
    await this.#record(endpoint, 'disabled', { by: 'process', reason: because }, failure);
    return this.#disabled(endpoint, because);
  }

  async rotate(endpoint: Endpoint, by: string): Promise<Endpoint> {
    await this.#record(endpoint, 'rotated', { by });
    return this.update(endpoint, { secrets: rotated(endpoint.secrets, this.#dependencies.clock.now()) });
  }

  #doubt(id: string): void {
    this.#inDoubt.add(id);
    const [oldest] = this.#inDoubt;
    if (this.#inDoubt.size > MOST_ENDPOINTS && oldest !== undefined) this.#inDoubt.delete(oldest);
  }

  /**
   * Deletes an endpoint with its deliveries. @throws StoreUnavailableError; the endpoint then stays, and can be deleted
   * again
   */
  async delete(endpoint: Endpoint, by: string): Promise<void> {
    const { account, id } = endpoint;
    await this.#record(endpoint, 'deleted', { by });
    const present = this.#byId.get(id) ?? endpoint;
    this.#byId.delete(id);
    await whileReachable(() => this.#repository.delete({ account, id })).catch((error: unknown) => {
      this.#byId.set(id, present);
      throw error;
    });
  }

  #disabled(endpoint: Endpoint, because: string): Promise<Endpoint> {
    return this.update(endpoint, { disabledBecause: because, stateSince: this.#dependencies.clock.now() });
  }

  async #record(
    { account, id, url, types }: Pick<Endpoint, 'account' | 'id' | 'url' | 'types'>,
    change: WebhookChanged['change'],
    attribution: Attribution,
    failure?: LastFailure,
  ): Promise<void> {
    const about = { id, change, origin: new URL(url).origin, types, ...(failure !== undefined && { failure }) };
    await this.#dependencies.record?.(
      account,
      { type: 'WebhookChanged', ...about, ...attribution },
      this.#dependencies.clock.now(),
    );
  }

  #checkUrl(url: string): void {
    try {
      this.#dependencies.destinations.checkUrl(url);
    } catch (error) {
      if (!(error instanceof DestinationRefusedError)) throw error;
      throw invalidField('url', error.message);
    }
  }
}

/** The fields that a change sets. */
const givenFields = (change: WebhookChange): Partial<WebhookChange> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** @throws StartError if stored secrets need the key of the data folder while LAUREL_SECRETS_KEY is set */
function refuseUnusedKey(box: SecretBox, entities: readonly WebhookEndpointEntity[]): void {
  const { unused } = box;
  if (unused === null) return;
  const opened = (by: Pick<SecretBox, 'open'>) => entities.filter(({ id, secrets }) => by.open(secrets, id) !== null);
  const needing = opened(unused.box).length;
  if (needing === 0) return;
  const why = `the secrets of ${needing} of ${entities.length} webhooks are encrypted with the key in ${unused.file}, not with LAUREL_SECRETS_KEY`;
  const remedy =
    opened(box).length === 0
      ? 'remove LAUREL_SECRETS_KEY to use that file, or set it to the text of the file'
      : 'some need either key: move that file away to use LAUREL_SECRETS_KEY, and then give these webhooks new secrets';
  throw new StartError(`${why}: ${remedy}`);
}

/** Until when the previous secret signs, or null if it does not. */
export function rotatedUntil({ secrets }: Endpoint, now: Instant): string | null {
  const until = secrets.find((secret) => secret.until !== null)?.until ?? null;
  return until === null || until <= now ? null : formatInstant(until);
}
