import { previewCorrectionRequest } from './corrections.ts';
import { grantToManyRequest } from './grants-to-many.ts';
import { mistakenFields } from './mistaken-fields.ts';
import { batchItemNames, metricEventRequest, namedUser, userUpdateRequest } from './requests.ts';

const event = (more: object = {}, user: object = {}) => ({ user: { id: 'u', ...user }, value: 1, ...more });
const inEvent = (more: object, user: object = {}) => mistakenFields(metricEventRequest, event(more, user));

describe('a field that was probably meant to be another', () => {
  it.each([
    ['in another case', { Value: 1 }, 'Value', 'value'],
    ['with underscores', { idempotency_key: 'k' }, 'idempotency_key', 'idempotencyKey'],
    ['with dashes, as the header is written', { 'Idempotency-Key': 'k' }, 'Idempotency-Key', 'idempotencyKey'],
    ['with a letter too few', { atributes: {} }, 'atributes', 'attributes'],
    ['with a letter too many', { valuee: 1 }, 'valuee', 'value'],
    ['with another letter', { timestemp: 1 }, 'timestemp', 'timestamp'],
    ['with two letters swapped', { vlaue: 1 }, 'vlaue', 'value'],
    ['with a letter missing in another case', { IdempotencKey: 'k' }, 'IdempotencKey', 'idempotencyKey'],
    ['of the user, beside the user', { user_id: 'u' }, 'user_id', 'user.id'],
    ['of the user by another name, beside the user', { timeZone: 'UTC' }, 'timeZone', 'user.tz'],
  ])('is named, %s', (_, more, path, meant) => {
    expect(inEvent(more)).toEqual([{ path, message: `is unknown: use ${meant}` }]);
  });

  it.each([
    ['timezone', 'tz'],
    ['time_zone', 'tz'],
    ['TZ', 'tz'],
    ['t_z', 'tz'],
    ['userId', 'id'],
    ['ID', 'id'],
    ['Name', 'name'],
    ['emails', 'email'],
    ['emailAddress', 'email'],
    ['attribute', 'attributes'],
  ])('is named within the user: %s', (name, meant) => {
    const path = `user.${name}`;
    expect(inEvent({}, { [name]: 'x' })).toEqual([{ path, message: `is unknown: use user.${meant}` }]);
    expect(mistakenFields(namedUser, { id: 'u', [name]: 'x' })).toEqual([
      { path: name, message: `is unknown: use ${meant}` },
    ]);
  });

  it('is named in a batch item, including its instant', () => {
    const item = { ...event(), metrics: 'a', occurred_at: 'now', Key: 'a' };
    expect(mistakenFields(batchItemNames, item)).toEqual([
      { path: 'metrics', message: 'is unknown: use metric' },
      { path: 'occurred_at', message: 'is unknown: use timestamp' },
      { path: 'Key', message: 'is unknown: use key' },
    ]);
  });

  it('is not named if the meant field has no place there', () => {
    expect(mistakenFields(userUpdateRequest, { userId: 'u', id: 'u' })).toEqual([]);
  });
});

describe('a field that resembles no known one', () => {
  it.each(['source', 'use', 'users', 'values1', 'nme', 'i', 'valuation', '__proto__', 'constructor', 'toString', ''])(
    'is ignored: %s',
    (name) => {
      const body = JSON.parse(`{"user":{"id":"u",${JSON.stringify(name)}:1},"value":1,${JSON.stringify(name)}:1}`);
      expect(mistakenFields(metricEventRequest, body)).toEqual([]);
    },
  );

  it('is ignored within attributes, whose keys are the caller’s own', () => {
    expect(inEvent({ attributes: { timezone: 'x', Value: 'y' } }, { attributes: { timezone: 'x' } })).toEqual([]);
  });

  it('is ignored if it is too long to be a name', () => {
    expect(inEvent({ ['_'.repeat(1_000_000) + 'value']: 1 })).toEqual([]);
  });
});

it('mistakenFields names the fields of each item of a list', () => {
  const corrections = [{ eventId: 'a', ocurredAt: 'now' }, null, { eventID: 'b' }];
  expect(mistakenFields(previewCorrectionRequest, { corrections })).toEqual([
    { path: 'corrections.0.ocurredAt', message: 'is unknown: use corrections.0.occurredAt' },
    { path: 'corrections.2.eventID', message: 'is unknown: use corrections.2.eventId' },
  ]);
});

it('mistakenFields names a field that would otherwise apply to everybody', () => {
  const item = { path: 'userIds', message: 'is unknown: use users' };
  expect(mistakenFields(grantToManyRequest, { kind: 'excused', userIds: ['ada'] })).toEqual([item]);
});

it('mistakenFields names at most a hundred fields', () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`val${String.fromCharCode(200 + index)}e`, 1]),
  );
  expect(inEvent(many)).toHaveLength(100);
});

it('mistakenFields ignores values that are not objects', () => {
  for (const user of [null, 'u', 7, []]) expect(mistakenFields(metricEventRequest, { user, value: 1 })).toEqual([]);
  for (const body of [null, 'x', [{ Value: 1 }]]) expect(mistakenFields(metricEventRequest, body)).toEqual([]);
});

describe('a body full of unknown fields', () => {
  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1]));
  const vlaue = { path: 'vlaue', message: 'is unknown: use value' };

  it('is searched up to its first thousand unknown fields, wherever they are', () => {
    expect(inEvent({ ...unknown(999), vlaue: 1 })).toEqual([vlaue]);
    expect(inEvent({ ...unknown(1_000), vlaue: 1 })).toEqual([]);
    expect(inEvent({ ...unknown(500), vlaue: 1 }, unknown(499))).toEqual([vlaue]);
    expect(inEvent({ ...unknown(500), vlaue: 1 }, unknown(500))).toEqual([]);
  });
});
