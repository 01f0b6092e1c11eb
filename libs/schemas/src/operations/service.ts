import { z } from 'zod';
import { count } from '../fields.ts';
import { auditPage } from '../audit.ts';
import { digest, serviceStatus } from '../administration.ts';
import { rebuild, rebuildRequest } from '../rebuild.ts';
import { verification } from '../verification.ts';
import { accountState } from '../account-state.ts';
import { logHead, logProof } from '../log.ts';
import { operationsOf } from './operation.ts';
import { ENTRIES_CURSOR, EVENT, inPath, inQuery, upTo } from './parameters.ts';

const SINCE_SIZE = inQuery('since', count.meta({ description: '`size` of an earlier answer.' }));
const REBUILD = inPath('id', z.uuid().meta({ description: 'The rebuild’s id.' }));
const ONLY_LOG = inQuery(
  'only',
  z
    .enum(['log'])
    .optional()
    .meta({ description: '`log`: verify only the log, against its hash. Cannot be combined with `full`.' }),
);
const FULL = inQuery(
  'full',
  z.enum(['true', 'false']).meta({
    description: '`true`: fold every user’s events, and compare the result with every stored row. Absent: `false`.',
  }),
);
const VERIFICATION = inPath('id', z.uuid().meta({ description: 'The verification’s id.' }));
const AUDIT_LIMIT = inQuery('limit', upTo(1, 100, 50, 'How many entries to show.'));

export const SERVICE_OPERATIONS = operationsOf('Operations', {
  getStatus: {
    method: 'get',
    path: '/admin/v1/status',
    scope: 'admin',
    summary: 'Show the state of the service',
    answers: { 200: { description: 'The service as of now.', schema: serviceStatus } },
  },
  getDigest: {
    method: 'get',
    path: '/admin/v1/digest',
    scope: 'admin',
    summary: 'Hash everything that is stored',
    description: 'Computed from the tables, which takes as long as reading all of them.',
    answers: { 200: { description: 'A hash for each area.', schema: digest } },
  },
  getState: {
    method: 'get',
    path: '/admin/v1/state',
    scope: 'admin',
    summary: 'Export the read models',
    description: 'The whole account as of now, streamed: it may be as large as the account.',
    answers: { 200: { description: 'The read models.', schema: accountState } },
  },
  listAudit: {
    method: 'get',
    path: '/admin/v1/audit',
    scope: 'admin',
    summary: 'Read the audit log',
    description:
      'Everything that callers, or the process on its own, have done: publications, imports, keys, and every other event with an actor. Newest first.',
    parameters: [AUDIT_LIMIT, ENTRIES_CURSOR],
    answers: { 200: { description: 'A page of entries.', schema: auditPage } },
    problems: ['invalid_request'],
  },
  getLogHead: {
    method: 'get',
    path: '/admin/v1/log/head',
    scope: 'admin',
    summary: 'Show the hash of the log',
    description:
      'The root of a Merkle tree (RFC 6962) over what is stored of every record. Keep it elsewhere: with `since`, a later answer proves that the log still begins with what it held then.',
    parameters: [SINCE_SIZE],
    answers: { 200: { description: 'The hash.', schema: logHead } },
    problems: ['invalid_request'],
  },
  getLogProof: {
    method: 'get',
    path: '/admin/v1/log/proofs/{eventId}',
    scope: 'admin',
    summary: 'Prove that an event is in the log',
    description: 'Proved by the current hash of the log.',
    parameters: [EVENT],
    answers: { 200: { description: 'The proof.', schema: logProof } },
    problems: ['unknown_event'],
  },
  startRebuild: {
    method: 'post',
    path: '/admin/v1/rebuilds',
    scope: 'admin',
    summary: 'Rebuild read models',
    description:
      'Rebuilds read models from the first record. With `verify`, it compares the result with what is stored at one moment, and then discards it. Refused with 422 while a rebuild is running, or if the requested areas cannot be rebuilt alone.',
    body: { schema: rebuildRequest, example: { areas: ['leaderboards'] } },
    answers: { 202: { description: 'Started. Ask for its progress by its id.', schema: rebuild } },
  },
  getRebuild: {
    method: 'get',
    path: '/admin/v1/rebuilds/{id}',
    scope: 'admin',
    summary: 'Show the progress of a rebuild',
    description: 'Rebuilds are remembered until the process ends.',
    parameters: [REBUILD],
    answers: { 200: { description: 'The rebuild.', schema: rebuild } },
    problems: ['unknown_rebuild'],
  },
  startVerification: {
    method: 'post',
    path: '/admin/v1/verifications',
    scope: 'admin',
    summary: 'Verify what is stored',
    description:
      'Hashes the log again, and compares it with what users, achievements, points and leaderboards hold, all as of one moment. With `full` it also folds the events of every user and compares with every stored row, which takes about as long as a rebuild. With `only=log` it compares nothing but the log with its hash. It changes nothing. One at a time: refused with 422 while one is under way.',
    parameters: [FULL, ONLY_LOG],
    answers: { 202: { description: 'Started. Ask for its progress by its id.', schema: verification } },
    problems: ['invalid_request'],
  },
  getVerification: {
    method: 'get',
    path: '/admin/v1/verifications/{id}',
    scope: 'admin',
    summary: 'Show the result of a verification',
    description: 'Verifications are remembered until the process ends.',
    parameters: [VERIFICATION],
    answers: { 200: { description: 'The verification.', schema: verification } },
    problems: ['unknown_verification'],
  },
});
