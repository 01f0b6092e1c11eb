import { z } from 'zod';
import { configurationDocument, documentAmount } from './configuration-document.ts';

describe('the schema of the configuration document', () => {
  const schema = z.toJSONSchema(configurationDocument, { io: 'input' });

  it('can be expressed as JSON Schema, with its limits', () => {
    expect(schema).toMatchObject({
      required: ['version', 'metrics'],
      additionalProperties: false,
      properties: {
        metrics: { minItems: 1, items: { properties: { name: { minLength: 1, maxLength: 255 } } } },
        leaderboards: { items: { properties: { maxParticipants: { minimum: 1, maximum: 1_000_000, default: 1000 } } } },
      },
    });
  });

  it('refuses unknown fields at every level', () => {
    const maps = JSON.stringify(schema).match(/"type":"object","propertyNames"/g) ?? [];
    const objects =
      JSON.stringify(schema)
        .match(/"type":"object"/g)
        ?.slice(maps.length) ?? [];
    const closed = JSON.stringify(schema).match(/"additionalProperties":false/g) ?? [];
    expect(objects.length).toBeGreaterThan(10);
    expect(closed).toHaveLength(objects.length);
  });

  it('accepts its own output', () => {
    const given = configurationDocument.parse({
      version: 1,
      metrics: [{ key: 'a', name: 'A' }],
      points: [{ key: 'xp', name: 'XP', triggers: [{ type: 'time', unit: 'day', interval: 1, points: 1 }] }],
      leaderboards: [{ key: 'top', name: 'Top', rankBy: 'streak', start: '2024-01-01' }],
    });
    expect(configurationDocument.parse(JSON.parse(JSON.stringify(given)))).toEqual(given);
  });
});

describe('documentAmount', () => {
  it.each([
    [0.000001, 1n],
    [2.5, 2_500_000n],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991_000_000n],
    [0.0000001, null],
    [2 ** 53, null],
    [Infinity, null],
  ])('converts %s to exactly %s millionths', (value, amount) => {
    expect(documentAmount(value)).toBe(amount);
  });
});
