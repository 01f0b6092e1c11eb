import { StoreUnavailableError } from '@laurel/kernel';
import { errorCode } from './error-code.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });

it.each([
  [refused, 'ECONNREFUSED'],
  [new StoreUnavailableError('the database cannot be reached', { cause: refused }), 'ECONNREFUSED'],
  [new AggregateError([refused, new Error('another address')]), 'ECONNREFUSED'],
  [Object.assign(new Error('terminating connection'), { code: '57P01' }), '57P01'],
  [
    Object.assign(new Error('no leader'), { name: 'KafkaJSProtocolError', type: 'LEADER_NOT_AVAILABLE' }),
    'LEADER_NOT_AVAILABLE',
  ],
  [
    Object.assign(new Error('Closed connection'), { name: 'KafkaJSConnectionClosedError' }),
    'KafkaJSConnectionClosedError',
  ],
  [Object.assign(new Error('retries'), { name: 'KafkaJSNumberOfRetriesExceeded', cause: refused }), 'ECONNREFUSED'],
  [Object.assign(new Error('host db.internal is away'), { code: 'db.internal:5432' }), null],
  [new Error('password=secret'), null],
  ['text', null],
  [null, null],
])('errorCode of %s is %s', (error, code) => {
  expect(errorCode(error)).toBe(code);
});

it('errorCode ends for an error that caused itself', () => {
  const error = new Error('it caused itself');
  error.cause = error;
  expect(errorCode(error)).toBeNull();
});
