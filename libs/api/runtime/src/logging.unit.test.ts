import { createLogger, nestLogger } from './logging.ts';

const CANARY = 'lrl_canary';

function written(level: 'info' | 'debug' = 'info') {
  const lines: string[] = [];
  return { logger: createLogger(level, { write: (line) => void lines.push(line) }), lines };
}

describe('the log', () => {
  it('has one JSON object per line, with the level and time as text', () => {
    const { logger, lines } = written();
    logger.info({ port: 3000 }, 'listening');
    logger.debug('not told');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      port: 3000,
      msg: 'listening',
    });
  });

  it('never shows an API key, wherever headers are logged', () => {
    const { logger, lines } = written();
    const headers = { 'x-api-key': CANARY, 'X-API-KEY': CANARY };
    logger.info({ headers });
    logger.info({ req: { headers } });
    logger.info({ request: { headers } });
    logger.info({ anything: { headers } });
    logger.info(headers);
    logger.info({ apiKey: CANARY, environment: { apiKey: CANARY } });
    expect(lines).toHaveLength(6);
    expect(lines.join('')).not.toContain(CANARY);
    expect(lines.join('')).toContain('[redacted]');
  });

  it('names the type of an error without the number that the bundler appends', () => {
    class QueryFailedError2 extends Error {}
    const { logger, lines } = written();
    logger.error({ err: new QueryFailedError2('no such table') }, 'failed');
    logger.error({ err: 'no error' }, 'failed');
    expect(lines.map((line) => (JSON.parse(line) as { err: unknown }).err)).toEqual([
      expect.objectContaining({ type: 'QueryFailedError', message: 'no such table' }),
      'no error',
    ]);
  });

  it('contains the errors of Nest, and its start messages only at the level debug', () => {
    const { logger, lines } = written();
    nestLogger(logger).log('Mapped {/x, GET} route', 'RouterExplorer');
    nestLogger(logger).error(new Error('broken'), 'Injector');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', context: 'Injector' });
  });
});
