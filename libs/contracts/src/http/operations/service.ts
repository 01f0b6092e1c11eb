import { auditPage } from '../audit.ts';
import { digest, rebuild, rebuildRequest, serviceStatus } from '../administration.ts';
import { accountState } from '../account-state.ts';
import { logHead, logProof } from '../log.ts';
import type { Operation } from './operation.ts';
import { AUDIT_CURSOR, AUDIT_LIMIT, EVENT, REBUILD, SINCE_SIZE } from './parameters.ts';

export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    id: 'getStatus',
    method: 'get',
    path: '/admin/v1/status',
    scope: 'admin',
    tag: 'Operations',
    summary: 'Show how the service is',
    answers: { 200: { description: 'The service as of now.', schema: serviceStatus } },
  },
  {
    id: 'getDigest',
    method: 'get',
    path: '/admin/v1/digest',
    scope: 'admin',
    tag: 'Operations',
    summary: 'Hash everything that is stored',
    description: 'Read from the tables. It takes as long as reading them whole takes.',
    answers: { 200: { description: 'A hash for each area.', schema: digest } },
  },
  {
    id: 'getState',
    method: 'get',
    path: '/admin/v1/state',
    scope: 'admin',
    tag: 'Operations',
    summary: 'Export the read models',
    description: 'The whole account as of now, streamed: it may be as large as the account.',
    answers: { 200: { description: 'The read models.', schema: accountState } },
  },
  {
    id: 'listAudit',
    method: 'get',
    path: '/admin/v1/audit',
    scope: 'admin',
    tag: 'Operations',
    summary: 'List who did what',
    description:
      'What somebody, or the process on its own, has done: publications, imports, keys, and every other event with an actor. Newest first. A log in EventStoreDB cannot answer it.',
    parameters: [AUDIT_LIMIT, AUDIT_CURSOR],
    answers: { 200: { description: 'A page of entries.', schema: auditPage } },
    problems: ['invalid_request', 'not_in_this_topology'],
  },
  {
    id: 'getLogHead',
    method: 'get',
    path: '/admin/v1/log/head',
    scope: 'admin',
    tag: 'Operations',
    summary: 'Show the hash of the log',
    description:
      'The root of a Merkle tree (RFC 6962) over what is stored of every record. Keep it elsewhere: with `since`, a later answer proves that the log still begins with what it held then.',
    parameters: [SINCE_SIZE],
    answers: { 200: { description: 'The hash.', schema: logHead } },
    problems: ['invalid_request'],
  },
  {
    id: 'getLogProof',
    method: 'get',
    path: '/admin/v1/log/proofs/{eventId}',
    scope: 'admin',
    tag: 'Operations',
    summary: 'Prove that an event is in the log',
    description: 'By the hash of the log as it is now. A log in EventStoreDB cannot answer it.',
    parameters: [EVENT],
    answers: { 200: { description: 'The proof.', schema: logProof } },
    problems: ['unknown_event', 'not_in_this_topology'],
  },
  {
    id: 'startRebuild',
    method: 'post',
    path: '/admin/v1/rebuilds',
    scope: 'admin',
    tag: 'Operations',
    summary: 'Apply the log again',
    description:
      'Writes read models anew from the first record on. One at a time: refused with 422 while one is under way, or if the areas asked for cannot be rebuilt alone.',
    body: { schema: rebuildRequest, example: { areas: ['leaderboards'] } },
    answers: { 202: { description: 'It has begun; ask for it by its id.', schema: rebuild } },
  },
  {
    id: 'getRebuild',
    method: 'get',
    path: '/admin/v1/rebuilds/{id}',
    scope: 'admin',
    tag: 'Operations',
    summary: 'Show how far a rebuild is',
    description: 'Rebuilds are known until the process ends.',
    parameters: [REBUILD],
    answers: { 200: { description: 'The rebuild.', schema: rebuild } },
    problems: ['unknown_rebuild'],
  },
];
