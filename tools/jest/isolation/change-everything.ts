import { AsyncResource } from 'node:async_hooks';
import { jest } from '@jest/globals';
import { ConsoleLogger, Logger } from '@nestjs/common';
import pg from 'pg';
import { getMetadataArgsStorage } from 'typeorm';
import { z } from 'zod';
import { count } from './counter.ts';

const listeners = (): number => process.listenerCount('SIGUSR2');
const home = process.cwd();

/** Two test files call this: the one that runs second fails if it sees changes of the first. */
export function changeEverything(): void {
  it('finds a source as it is when it is loaded', () => expect(count()).toBe(1));

  it('finds the globals as they were, and changes them', () => {
    expect(globalThis).not.toHaveProperty('leaked');
    expect(Set.prototype).not.toHaveProperty('leaked');
    expect(typeof structuredClone).toBe('function');
    expect(Math.hypot(3, 4)).toBe(5);
    expect(Math.cbrt(8)).toBe(2);
    Object.assign(globalThis, { leaked: true, structuredClone: undefined });
    Object.assign(Set.prototype, { leaked: true });
    jest.spyOn(Math, 'hypot').mockReturnValue(0);
    Math.cbrt = () => 0;
  });

  it('finds the process as it was, and changes it', () => {
    expect(process.env['LEAKED']).toBeUndefined();
    expect(process.env['PATH']).toBeDefined();
    expect(process.cwd()).toBe(home);
    expect(home).not.toBe('/');
    expect(listeners()).toBe(0);
    expect(process.exitCode).toBeUndefined();
    process.env['LEAKED'] = '1';
    delete process.env['PATH'];
    process.chdir('/');
    process.on('SIGUSR2', () => undefined);
  });

  it('pays for no async context but its own', () => {
    const contexts = Object.getOwnPropertySymbols(new AsyncResource('test')).map(({ description }) => description);
    expect(contexts.filter((name) => name === 'kResourceStore').length).toBeLessThanOrEqual(1);
  });

  it('finds the packages as they were, and changes them', async () => {
    expect(Logger['staticInstanceRef']).toBeInstanceOf(ConsoleLogger);
    Logger.overrideLogger(false);
    expect(jest.isMockFunction(Logger.prototype.warn)).toBe(false);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await expect(new pg.Pool({ host: '/nowhere' }).connect()).rejects.toThrow();
    jest.spyOn(pg.Pool.prototype, 'connect').mockResolvedValue(undefined as never);
    expect(getMetadataArgsStorage().tables).toEqual([]);
    getMetadataArgsStorage().tables.push({ target: 'leaked', type: 'regular' });
    expect(Object.keys(z.toJSONSchema(z.globalRegistry).schemas)).toEqual([]);
    z.string().meta({ id: 'leaked' });
  });

  it('finds the matchers as they were, and adds one', () => {
    expect(expect(1)).not.toHaveProperty('toLeak');
    expect.extend({ toLeak: () => ({ pass: true, message: () => '' }) });
  });
}
