import { isAnswerOfServer } from './server-answer.ts';

const failed = (severity: string, code: string): Error => Object.assign(new Error('it failed'), { severity, code });

describe('an error of the Postgres driver', () => {
  it.each([
    ['ERROR', '42P01'],
    ['FEHLER', '42P01'],
    ['ОШИБКА', '22P02'],
    ['ERREUR', '57014'],
  ])('is an answer to a statement with severity %s and code %s', (severity, code) => {
    expect(isAnswerOfServer(failed(severity, code))).toBe(true);
  });

  it.each([
    ['FATAL', 'XX000'],
    ['PANIC', 'XX000'],
    ['ВАЖНО', '57P01'],
    ['FATAL', '25P03'],
    ['SCHWERWIEGEND', '53300'],
  ])('ends the connection with severity %s and code %s', (severity, code) => {
    expect(isAnswerOfServer(failed(severity, code))).toBe(false);
  });

  it('ends the connection if it has no severity', () => {
    expect(isAnswerOfServer(Object.assign(new Error('connection reset'), { code: 'ECONNRESET' }))).toBe(false);
  });
});
