import codes from '@eventstore/db-client/generated/code_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import grpc from '@grpc/grpc-js';
import type { ServerDuplexStream, ServerReadableStream, sendUnaryData } from '@grpc/grpc-js';
import anys from 'google-protobuf/google/protobuf/any_pb.js';
import empties from 'google-protobuf/google/protobuf/empty_pb.js';
import { isCarriedOut, isSilent, type FakeFault } from './fake-faults.ts';
import type { ExpectedRevision, FakeAppendResult, FakeLog, ProposedEvent } from './fake-log.ts';
import { bytes, serverError, textOf } from './fake-messages.ts';
import { plannedError, type FakeEndpoint } from './fake-refusals.ts';

const LARGEST_APPEND = 1024 * 1024;

/** The state of the server that appends use. */
export interface AppendDependencies {
  readonly log: FakeLog;
  leader(): FakeEndpoint | null;
  nextFault(stream: string): FakeFault;
  /** The refusal of every append now; null if appends are accepted. */
  refusal(metadata: grpc.Metadata): grpc.ServiceError | null;
  cut(): void;
}

/** One append per call: first the options, then the events. */
export function handleAppend(
  dependencies: AppendDependencies,
  call: ServerReadableStream<AppendReq, AppendResp>,
  answer: sendUnaryData<AppendResp>,
): void {
  const { log, nextFault, cut } = dependencies;
  const requests: AppendReq[] = [];
  call.on('error', () => undefined);
  call.on('data', (request: AppendReq) => requests.push(request));
  call.on('end', () => {
    const options = requests[0]?.getOptions();
    if (!options) return answer(serverError(grpc.status.INVALID_ARGUMENT, 'options come first'));
    const stream = textOf(options.getStreamIdentifier());
    const events = requests.slice(1).map((request) => proposed(request.getProposedMessage()));
    const problem = dependencies.refusal(call.metadata) ?? problemOf(events);
    if (problem) return answer(problem);
    const fault = nextFault(stream);
    const result = isCarriedOut(fault)
      ? log.append(stream, expectedBy(options), events, fault !== 'unreplicated')
      : null;
    if (fault.startsWith('cut')) return cut();
    if (isSilent(fault) || result?.kind === 'dropped') return;
    if (result === null || !isAnswered(fault)) return answer(plannedError(fault, dependencies.leader()));
    answer(null, appendResponse(result, options, fault));
  });
}

/** Many appends on one stream of requests, distinguished by correlation ids. */
export function handleBatchAppend(
  { log, nextFault, cut }: AppendDependencies,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
): void {
  const open = new Map<string, BatchAppendReq[]>();
  call.on('error', () => undefined);
  call.on('end', () => call.end());
  call.on('data', (request: BatchAppendReq) => {
    const id = request.getCorrelationId()?.getString() ?? '';
    const requests = [...(open.get(id) ?? []), request];
    open.set(id, requests);
    if (!request.getIsFinal()) return;
    open.delete(id);
    const options = requests[0]?.getOptions();
    if (!options) return void call.destroy(serverError(grpc.status.INVALID_ARGUMENT, 'options come first'));
    const stream = textOf(options.getStreamIdentifier());
    const events = requests.flatMap((one) => one.getProposedMessagesList().map(proposed));
    const fault = nextFault(stream);
    const result = isCarriedOut(fault) ? log.append(stream, batchExpectedBy(options), events) : null;
    if (fault.startsWith('cut')) return cut();
    if (result === null || result.kind === 'dropped' || !isAnswered(fault)) return;
    const response = batchResponse(result, batchExpectedBy(options));
    response.setCorrelationId(request.getCorrelationId());
    response.setStreamIdentifier(options.getStreamIdentifier());
    call.write(response);
  });
}

const isAnswered = (fault: FakeFault): boolean => fault === 'none' || fault === 'placeless';

/** A result of an append that is answered. */
type Answered = Exclude<FakeAppendResult, { readonly kind: 'dropped' }>;

interface Message {
  getId(): { getString(): string } | undefined;
  getMetadataMap(): { getEntryList(): [string, string][] };
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

const proposed = (message: Message | undefined): ProposedEvent => ({
  id: message?.getId()?.getString() ?? '',
  metadata: message?.getMetadataMap().getEntryList() ?? [],
  data: bytes(message?.getData_asU8()),
  customMetadata: bytes(message?.getCustomMetadata_asU8()),
});

function problemOf(events: readonly ProposedEvent[]): grpc.ServiceError | null {
  for (const name of ['type', 'content-type'])
    if (events.some(({ metadata }) => !metadata.some(([key]) => key === name)))
      return serverError(grpc.status.INVALID_ARGUMENT, `${name} is missing`, {
        exception: 'missing-required-metadata-property',
        'required-metadata-properties': name,
      });
  const size = events.reduce((sum, { data, customMetadata }) => sum + data.length + customMetadata.length, 0);
  if (size <= LARGEST_APPEND) return null;
  return serverError(grpc.status.INVALID_ARGUMENT, `Maximum Append Size of ${LARGEST_APPEND} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(LARGEST_APPEND),
  });
}

function expectedBy(options: AppendReq.Options): ExpectedRevision {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return options.hasAny() ? 'any' : BigInt(options.getRevision());
}

function batchExpectedBy(options: BatchAppendReq.Options): ExpectedRevision {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return options.hasAny() ? 'any' : BigInt(options.getStreamPosition());
}

function appendResponse(result: Answered, options: AppendReq.Options, fault: FakeFault): AppendResp {
  const response = new streams.AppendResp();
  if (result.kind === 'appended') {
    const success = new streams.AppendResp.Success();
    success.setCurrentRevision(String(result.revision));
    const position = new streams.AppendResp.Position();
    position.setCommitPosition(String(result.position));
    position.setPreparePosition(String(result.position));
    if (fault === 'placeless') success.setNoPosition(new shared.Empty());
    else success.setPosition(position);
    return response.setSuccess(success);
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (result.current === null) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(result.current));
  if (options.hasNoStream()) wrong.setExpectedNoStream(new shared.Empty());
  else if (options.hasStreamExists()) wrong.setExpectedStreamExists(new shared.Empty());
  else wrong.setExpectedRevision(options.getRevision());
  return response.setWrongExpectedVersion(wrong);
}

function batchResponse(result: Answered, expected: ExpectedRevision): BatchAppendResp {
  const response = new streams.BatchAppendResp();
  if (result.kind === 'appended') {
    const success = new streams.BatchAppendResp.Success();
    success.setCurrentRevision(String(result.revision));
    const position = new shared.AllStreamPosition();
    position.setCommitPosition(String(result.position));
    position.setPreparePosition(String(result.position));
    return response.setSuccess(success.setPosition(position));
  }
  const wrong = new shared.WrongExpectedVersion();
  if (result.current === null) wrong.setCurrentNoStream(new empties.Empty());
  else wrong.setCurrentStreamRevision(String(result.current));
  if (expected === 'no_stream') wrong.setExpectedNoStream(new empties.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new empties.Empty());
  else wrong.setExpectedStreamPosition(String(expected));
  const details = new anys.Any();
  details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion');
  const error = new statuses.Status();
  error.setCode(codes.Code.FAILED_PRECONDITION);
  error.setMessage('WrongExpectedVersion');
  return response.setError(error.setDetails(details));
}
