import { isFromOwnPage, sessionToken } from './sessions.ts';

const TOKEN = 'aZ0-_'.padEnd(43, 'x');

describe('sessionToken', () => {
  it.each([
    [undefined, null],
    ['', null],
    [`laurel_session=${TOKEN}`, TOKEN],
    [`theme=dark; laurel_session=${TOKEN}; x=y`, TOKEN],
    ['laurel_session=made-up', null],
    [`laurel_session=${TOKEN}x`, null],
    ['laurel_session=', null],
    [`other_laurel_session=${TOKEN}`, null],
    ['laurel_session', null],
  ])('reads the cookie header %j as %j', (cookie, token) => {
    expect(sessionToken({ headers: { cookie } })).toBe(token);
  });
});

describe('isFromOwnPage', () => {
  const host = 'laurel.example:3000';
  it.each([
    [{ host }, null, false],
    [{ host, 'sec-fetch-site': 'same-origin' }, null, true],
    [{ host, 'sec-fetch-site': 'same-site' }, null, false],
    [{ host, 'sec-fetch-site': 'cross-site' }, null, false],
    [{ host, 'sec-fetch-site': 'none' }, null, false],
    [{ host, 'sec-fetch-site': 'cross-site', origin: `http://${host}` }, null, false],
    [{ host, origin: `http://${host}` }, null, true],
    [{ host, origin: 'http://laurel.example' }, null, false],
    [{ host, origin: 'https://evil.example' }, null, false],
    [{ host, origin: 'null' }, null, false],
    [{ host: 'inside', origin: 'https://laurel.example' }, 'https://laurel.example/', true],
    [{ host: 'inside', origin: 'http://laurel.example' }, 'https://laurel.example', false],
    [{ host: 'inside', origin: 'https://laurel.example' }, null, false],
  ])('with %j, public at %j, is %j', (headers, publicUrl, expected) => {
    expect(isFromOwnPage({ headers }, publicUrl)).toBe(expected);
  });
});
