import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
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
import { Account, Caller, jsonBody, Route } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { publishedAnswer, versionAnswer } from './configuration-answers.ts';
import { readAccept, readDocument, readPlan, readReason } from './read-document.ts';

/** Bytes. The largest file is longer as a request, which has every default and the quotes of JSON. */
const PUBLICATION_BODY_LIMIT = 4 * LARGEST_DOCUMENT;

/** The versions of an account's configuration (specification, section 9): listed, shown, planned, published. */
@Controller()
export class ConfigurationController {
  readonly #ports: Pick<AdministrationPorts, 'configurations' | 'logger'>;

  constructor(@Inject(ADMINISTRATION_PORTS) ports: Pick<AdministrationPorts, 'configurations' | 'logger'>) {
    this.#ports = ports;
  }

  @Route(operations.listConfigurations)
  list(@Account() account: string): ConfigurationVersionAnswer[] {
    const publications = this.#ports.configurations.publications(account);
    return publications.map((publication, index) => versionAnswer(publication, index === publications.length - 1));
  }

  @Route(operations.getConfiguration)
  async show(@Account() account: string, @Param('version') version: string): Promise<PublishedConfigurationAnswer> {
    const found = versionNamed(this.#ports.configurations.publications(account), version);
    if (found) return publishedAnswer(found, await this.#ports.configurations.textOf(account, found));
    throw new ProblemError(problemOf('unknown_configuration', 'No configuration was published with this number.'));
  }

  @Route(operations.planConfiguration, { bodyLimit: PUBLICATION_BODY_LIMIT })
  async plan(@Account() account: string, @Req() request: FastifyRequest): Promise<ConfigurationPlanAnswer> {
    const { document } = await readDocument(jsonBody(request));
    return this.#ports.configurations.plan(account, document);
  }

  @Route(operations.publishConfiguration, { bodyLimit: PUBLICATION_BODY_LIMIT })
  async publish(
    @Account() account: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PublishedConfigurationAnswer> {
    const body = jsonBody(request);
    const written = await readDocument(body);
    const accept = readAccept(body);
    const plan = readPlan(body);
    const attribution = attributionOf(by, readReason(body));
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

/** A number as it is written in JSON, or `current`. */
function versionNamed(publications: readonly Publication[], name: string): Publication | undefined {
  return name === 'current' ? publications.at(-1) : publications.find(({ version }) => String(version) === name);
}
