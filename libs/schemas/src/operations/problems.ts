import { IMPORT_OPEN, invalidRequest, type Problem, type ProblemCode, problemOf, TOO_MANY_BOOSTS } from '../problem.ts';

/** When an error is answered (specification, section 2), and an example of its sentence and its own fields. */
type Described = readonly [when: string, detail: string, extra?: Parameters<typeof problemOf>[2]];

const unknown = (what: string): Described => [
  `There is no ${what} with this key.`,
  `There is no ${what} 'lesons' (did you mean 'lessons'?).`,
];

const INVALID = invalidRequest([
  { path: 'user.tz', message: 'must be the name of an IANA time zone, or UTC' },
  { path: 'value', message: 'is required' },
]);
const EVENT_ID = '01a1fd77-d074-753a-836c-87e905fbb1f9';
const INCIDENT_ID = '5f0c7c1e-52b8-4b0e-9d0b-3a4f6c2e8d11';

const DESCRIBED: Readonly<Record<ProblemCode, Described>> = {
  unknown_path: ['There is nothing at this path.', 'There is nothing at this path.'],
  method_not_allowed: [
    'The path is there, the method is not; `Allow` names those that are.',
    'This path is served for GET, HEAD only.',
  ],
  unauthorized: ['The API key is missing, unknown, expired or revoked.', 'The API key in X-API-KEY was revoked.'],
  forbidden: ['The API key lacks the scope.', 'The API key lacks the scope admin.'],
  rate_limited: [
    'The API key has made more requests within a minute than it may.',
    'This key may make 60 requests a minute; ask again when Retry-After has passed.',
  ],
  unsupported_media_type: [
    'The body is not JSON by its type, or is compressed.',
    'The Content-Type must be application/json, not text/plain.',
  ],
  body_too_large: [
    'The body is over 64 KiB (a correction: 320 KiB, a configuration: 1 MiB, a batch: 8 MiB), or a line of a stream is over 64 KiB.',
    'The body is larger than this route takes.',
  ],
  malformed_body: [
    'The body is empty, not JSON, not UTF-8, nested more than 64 levels deep, or no object.',
    'The body is not JSON: expected a value at line 1, column 10, found }.',
  ],
  malformed_request: ['HTTP itself is broken.', 'The Host header is missing.'],
  request_timeout: [
    'The request took too long, or nothing happened on a stream for two minutes.',
    'The request did not arrive in time.',
  ],
  expectation_failed: [
    'The header `Expect` asks for something that is not known.',
    'Only Expect: 100-continue is understood.',
  ],
  headers_too_large: ['The path or the headers are too large.', 'The request line and headers are too large.'],
  unknown_metric: unknown('metric'),
  unknown_user: ['There is no user.', 'There is no user with this id.'],
  unknown_achievement: unknown('achievement'),
  unknown_points_system: unknown('points system'),
  unknown_level: unknown('level'),
  unknown_leaderboard: unknown('leaderboard'),
  unknown_run: ['The date is outside of the leaderboard’s start and end.', 'There is no run on this date.'],
  unknown_rebuild: ['There is no rebuild.', 'There is no rebuild with this id.'],
  unknown_verification: ['There is no verification.', 'There is no verification with this id.'],
  unknown_configuration: ['There is no such version.', 'There is no configuration version with this number.'],
  unknown_session: ['There is no session.', 'There is no session with this id.'],
  unknown_key: ['There is no API key.', 'There is no API key with this id.'],
  unknown_webhook: ['There is no webhook.', 'There is no webhook with this id.'],
  unknown_delivery: [
    'The webhook has no such delivery, or it is kept no longer.',
    'The endpoint has no delivery with this id.',
  ],
  unknown_event: ['There is no event.', 'There is no event with this id.'],
  unknown_spend: [
    'The user has no spend with this id in this points system.',
    'There is no spend with this id in this points system.',
  ],
  invalid_request: [
    'Fields or parameters are missing, of a wrong type or out of bounds; `errors` lists every one.',
    INVALID.detail,
    { errors: INVALID.errors },
  ],
  insufficient_points: [
    'The user had too few points. Nothing was taken, and the key is used up: whoever tries again sends a new one.',
    'The user has 40 Gems, 80 too few; nothing was taken. Use a new idempotency key to try again.',
    { eventId: EVENT_ID, balance: 40, missing: 80, idempotentReplayed: false },
  ],
  already_refunded: [
    'Less is left of the spend than the refund asks for. Nothing was given, and the key is used up.',
    'Of this spend 20 Gems are left to refund; nothing was given. Use a new idempotency key to try again.',
    { eventId: EVENT_ID, left: 20, idempotentReplayed: false },
  ],
  not_active: [
    'The achievement is not active now: `activeFrom` and `activeUntil` of the configuration say when it is. Nothing is recorded.',
    'The achievement is not active now; nothing was recorded.',
  ],
  too_many_boosts: [
    'The user has 20 boosts of their own in this points system that are not finished.',
    TOO_MANY_BOOSTS.detail,
  ],
  import_open: [
    'An import is open: until it is finished, nobody gets a grant, a correction or an erasure.',
    IMPORT_OPEN.detail,
  ],
  stale_preview: [
    'The preview is of another request, or one of its users was corrected since.',
    'The preview is of another request, or one of its users was corrected since: preview the correction again.',
  ],
  stale_plan: [
    'Another configuration was published since the plan was made, or the plan is of another document; nothing was published.',
    'Another configuration was published since this plan was made, or it is the plan of another document: plan it again.',
  ],
  cursor_expired: [
    'What comes behind the cursor is not kept any more; the sentence names the oldest cursor that is.',
    'Outcomes behind cursor 12 are not kept any more; the oldest cursor is 48.',
  ],
  not_in_this_topology: [
    'The processes of this installation cannot answer that; the sentence names the missing piece.',
    'No process of this installation sends webhooks: start an outgoing service, and give LAUREL_OUTGOING_URL to the ingestion gateways.',
  ],
  overloaded: [
    'Too much is waiting already: for the intake, or, in the case of reads below `/admin` and of the console, for the database. Nothing was recorded.',
    'The intake is full; nothing was recorded.',
  ],
  unavailable: ['The database cannot be reached; nothing was recorded.', 'The store cannot be reached; ask again.'],
  starting: [
    'The process starts and serves nothing but `/healthz` yet; nothing was recorded. The sentence names the step.',
    'The service is starting: opening the database, for 2 s.',
  ],
  outcome_unknown: [
    'The connection to the database broke, and whether the event was recorded is not known. A retry with the same idempotency key is safe; one without may count twice.',
    `Whether the event ${EVENT_ID} was recorded is unknown. A retry with the same idempotency key is safe.`,
    { eventId: EVENT_ID },
  ],
  spend_undecided: [
    'Whether the spend succeeds cannot be decided at present. A retry with the same idempotency key is safe, and tells.',
    'The spend cannot be decided yet; ask again with the same idempotency key.',
  ],
  refund_undecided: [
    'Whether the refund succeeds cannot be decided at present. A retry with the same idempotency key is safe, and tells.',
    'The refund cannot be decided yet; ask again with the same idempotency key.',
  ],
  state_damaged: [
    'What is stored of this user cannot be read; nothing was recorded. It names the command that repairs it. Replays are answered.',
    'The stored points state of user "ada" of account default is damaged; run: laurel rebuild points',
  ],
  internal: [
    'Our bug; the log has more under the `incidentId`.',
    `Something went wrong on our side; incident ${INCIDENT_ID}.`,
    { incidentId: INCIDENT_ID },
  ],
};

/** For each code: when it is answered, and an example of the answer. */
export const PROBLEMS = Object.fromEntries(
  Object.entries(DESCRIBED).map(([code, [when, detail, extra]]) => [
    code,
    { when, example: problemOf(code as ProblemCode, detail, extra) },
  ]),
) as Readonly<Record<ProblemCode, { readonly when: string; readonly example: Problem }>>;
