import { Controller, Inject } from '@nestjs/common';
import type { Subject } from '@laurel/kernel';
import type { Directory } from '@laurel/ports';
import {
  attributionOf,
  correctEventsRequest,
  type CorrectionAnswer,
  type CorrectionPreviewAnswer,
  invalidRequest,
  previewCorrectionRequest,
  ProblemError,
  problemOf,
  readRequest,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, jsonBody, Route } from '@laurel/runtime';
import { idempotencyHeader } from '../idempotency-header.ts';
import { BOUNDED_INGESTION_PORTS, INGESTION_PORTS, type BoundedIngestionPorts, type IngestionPorts } from '../ports.ts';
import { correctionRefusal } from './correction-refusal.ts';
import { previewAnswer } from './preview-answer.ts';
import { requestedCorrections } from './requested-corrections.ts';

const ELSEWHERE = problemOf(
  'not_in_this_topology',
  'Events are corrected where one process applies them to everything: the standalone service.',
);

/**
 * In bytes. A corrected event takes up to about 140 (its id, a value, an instant and their names), twice as much if the
 * body is indented, and a body may name 1,000. A reason of 1,000 characters takes 12,000 if all are escaped.
 */
const CORRECTIONS_BODY_LIMIT = 320 * 1024;

/** Corrects and retracts recorded events (specification, section 10.10). */
@Controller()
export class CorrectionsController {
  readonly #ports: IngestionPorts;
  readonly #bounded: BoundedIngestionPorts;

  constructor(
    @Inject(INGESTION_PORTS) ports: IngestionPorts,
    @Inject(BOUNDED_INGESTION_PORTS) bounded: BoundedIngestionPorts,
  ) {
    this.#ports = ports;
    this.#bounded = bounded;
  }

  /** Records nothing. */
  @Route(operations.previewCorrection, { bodyLimit: CORRECTIONS_BODY_LIMIT })
  async preview(@Call() { account, bySession, request }: ApiCall): Promise<CorrectionPreviewAnswer> {
    const { data, errors } = readRequest(previewCorrectionRequest, jsonBody(request));
    const asked = data && requestedCorrections(data, errors);
    if (asked === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
    const { corrections, directory } = bySession ? this.#bounded : this.#ports;
    const preview = await here(corrections).preview(account, asked);
    if (preview.kind === 'refused') throw correctionRefusal(preview);
    return previewAnswer(preview, await idsOf(directory, account, preview.users));
  }

  /** Answers 201, or 202 for a replay. */
  @Route(operations.correctEvents, { bodyLimit: CORRECTIONS_BODY_LIMIT })
  async correct(@Call() { account, by, request, reply }: ApiCall): Promise<CorrectionAnswer> {
    const { data, errors } = readRequest(correctEventsRequest, jsonBody(request));
    const header = idempotencyHeader(request, errors);
    const asked = data && requestedCorrections(data, errors);
    if (data === undefined || asked === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
    const attribution = attributionOf(by, data.reason);
    const { key: idempotencyKey = null, quoted: quotedKeys = [] } = header ?? {};
    const order = { ...asked, preview: data.preview, idempotencyKey, quotedKeys, attribution };
    const outcome = await here(this.#ports.corrections).correct(account, order);
    if (outcome.kind === 'refused') {
      const { corrected = [], left = [] } = outcome.progress ?? {};
      const named = [...corrected, ...left.map((subject) => ({ subject }))];
      throw correctionRefusal(outcome, await idsOf(this.#ports.directory, account, named));
    }
    const ids = await idsOf(this.#ports.directory, account, outcome.users);
    const replayed = outcome.kind === 'replayed';
    reply.code(replayed ? 202 : 201);
    return {
      corrections: outcome.users.map(({ subject, eventId }) => ({ userId: ids.get(subject) ?? null, eventId })),
      ...(idempotencyKey !== null && { idempotentReplayed: replayed, idempotencyKey }),
    };
  }
}

/** @throws ProblemError 422 if no process of this topology can correct events */
function here<Corrects>(corrections: Corrects | null): Corrects {
  if (corrections === null) throw new ProblemError(ELSEWHERE);
  return corrections;
}

const idsOf = (
  directory: Pick<Directory, 'idsOf'>,
  account: string,
  users: readonly { readonly subject: Subject }[],
): Promise<ReadonlyMap<Subject, string>> =>
  directory.idsOf(
    account,
    users.map(({ subject }) => subject),
  );
