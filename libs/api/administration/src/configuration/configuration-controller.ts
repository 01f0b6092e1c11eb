import { Controller, Inject } from '@nestjs/common';
import { LARGEST_DOCUMENT, type Publication } from '@laurel/configuration';
import {
  attributionOf,
  ProblemError,
  problemOf,
  type ConfigurationPlanAnswer,
  type ConfigurationVersionAnswer,
  type PublishedConfigurationAnswer,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, jsonBody, Route } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { publishedAnswer, versionAnswer } from './configuration-answers.ts';
import { readDocument, readPublication } from './read-document.ts';

/**
 * Limit in bytes. A request with the largest file is longer than the file, because of all defaults and the quotes of
 * JSON.
 */
const PUBLICATION_BODY_LIMIT = 4 * LARGEST_DOCUMENT;

/** Lists, shows, plans and publishes versions of an account's configuration (specification, section 9). */
@Controller()
export class ConfigurationController {
  readonly #ports: Pick<AdministrationPorts, 'configurations' | 'logger'>;

  constructor(@Inject(ADMINISTRATION_PORTS) ports: Pick<AdministrationPorts, 'configurations' | 'logger'>) {
    this.#ports = ports;
  }

  @Route(operations.listConfigurations)
  list(@Call() { account }: ApiCall): ConfigurationVersionAnswer[] {
    const publications = this.#ports.configurations.publications(account);
    return publications.map((publication, index) => versionAnswer(publication, index === publications.length - 1));
  }

  @Route(operations.getConfiguration)
  async show(@Call() { account, path: { version } }: ApiCall<'version'>): Promise<PublishedConfigurationAnswer> {
    const found = versionNamed(this.#ports.configurations.publications(account), version);
    if (found) return publishedAnswer(found, await this.#ports.configurations.textOf(account, found));
    throw new ProblemError(problemOf('unknown_configuration', 'No configuration was published with this number.'));
  }

  @Route(operations.planConfiguration, { bodyLimit: PUBLICATION_BODY_LIMIT })
  async plan(@Call() { account, request }: ApiCall): Promise<ConfigurationPlanAnswer> {
    const { document } = await readDocument(jsonBody(request));
    return this.#ports.configurations.plan(account, document);
  }

  @Route(operations.publishConfiguration, { bodyLimit: PUBLICATION_BODY_LIMIT })
  async publish(@Call() { account, by, request, reply }: ApiCall): Promise<PublishedConfigurationAnswer> {
    const body = jsonBody(request);
    const written = await readDocument(body);
    const { accept, plan, reason } = readPublication(body);
    const attribution = attributionOf(by, reason);
    const { configurations, logger } = this.#ports;
    const published = await configurations.publish(account, written, { accept, plan, attribution });
    if (published === null) throw new ProblemError(STALE_PLAN);
    const { publication, created, text } = published;
    const { version } = publication;
    if (created) logger.info({ requestId: request.id, account, version, ...attribution }, 'configuration published');
    reply.code(created ? 201 : 200);
    return publishedAnswer(publication, text);
  }
}

const STALE_PLAN = problemOf(
  'stale_plan',
  'Another configuration was published since this plan was made, or it is the plan of another document: plan it again.',
);

/** @param name the number of a version, or `current` */
function versionNamed(publications: readonly Publication[], name: string): Publication | undefined {
  return name === 'current' ? publications.at(-1) : publications.find(({ version }) => String(version) === name);
}
