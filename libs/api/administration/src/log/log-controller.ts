import { Controller, Inject } from '@nestjs/common';
import {
  isUuid,
  ProblemError,
  invalidRequest,
  mistakenParameters,
  problemOf,
  type LogHead,
  type LogProof,
  operations,
} from '@laurel/schemas';
import { rootOf, type Hash } from '@laurel/event-store';
import { type ApiCall, Call, invalidField, Route } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';

/** The hash of the log, and proofs based on it (specification, section 11). */
@Controller()
export class LogController {
  readonly #log: AdministrationPorts['logHash'];

  constructor(@Inject(ADMINISTRATION_PORTS) { logHash }: Pick<AdministrationPorts, 'logHash'>) {
    this.#log = logHash;
  }

  @Route(operations.getLogHead)
  async head(@Call() { query }: ApiCall): Promise<LogHead> {
    const mistaken = mistakenParameters(['since'], query);
    if (mistaken.length > 0) throw new ProblemError(invalidRequest(mistaken));
    const { since } = query;
    if (since === undefined) return headAnswer(await this.#log.proofs.head(), null);
    const size = typeof since === 'string' && /^\d{1,15}$/.test(since) ? Number(since) : null;
    const proof = size === null ? null : await this.#consistency(size);
    if (proof === null) throw invalidField('since', 'must be a number of records that the log has had');
    return headAnswer(proof.head, proof.path);
  }

  @Route(operations.getLogProof)
  async proof(@Call() { account, path: { eventId } }: ApiCall<'eventId'>): Promise<LogProof> {
    const { proofs, findPosition } = this.#log;
    const position = isUuid(eventId) ? await findPosition(account, eventId) : null;
    const proof = position === null ? null : await proofs.inclusion(position);
    if (proof === null)
      throw new ProblemError(problemOf('unknown_event', 'The hash of the log covers no event with this id.'));
    const { frontier } = proof.head;
    return {
      eventId: eventId.toLowerCase(),
      position: proof.position,
      index: proof.index,
      record: proof.text,
      path: proof.path.map(hex),
      head: { size: frontier.size, root: hex(rootOf(frontier)) },
    };
  }

  async #consistency(size: number) {
    try {
      return await this.#log.proofs.consistency(size);
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }
}

const hex = (hash: Hash): string => hash.toString('hex');

const headAnswer = (
  { position, frontier }: Awaited<ReturnType<AdministrationPorts['logHash']['proofs']['head']>>,
  path: readonly Hash[] | null,
): LogHead => ({
  size: frontier.size,
  root: hex(rootOf(frontier)),
  position,
  consistency: path === null ? null : path.map(hex),
});
