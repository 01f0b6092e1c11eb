import { Client, type Json } from '../http-suite/client.ts';
import type { Topology } from './topology.ts';

/** All outcomes that can be read, in order, in pieces. */
export async function toldOutcomes({ url, apiKey }: Topology): Promise<readonly string[]> {
  const client = new Client(() => ({ baseUrl: url, apiKey }));
  const bodies: string[] = [];
  for (let cursor = '0', more = true; more;) {
    const { status, text, headers } = await client.send('GET', `/admin/v1/outcomes?limit=1000&after=${cursor}`);
    if (status !== 200) throw new Error(text);
    const lines = text.split('\n').filter((line) => line !== '');
    bodies.push(...lines);
    more = lines.length === 1_000;
    cursor = headers.get('laurel-cursor') ?? cursor;
  }
  return bodies;
}

/** The id of the first outcome in a text. */
export const outcomeIdIn = (text: string): string => /"id":"([\da-f-]{36})","type"/.exec(text)?.[1] ?? text;

/** What both topologies say alike: `sequence` counts one's own; `user`, and what a recap tells beside the week, are as the reader found them. */
export function comparableOutcome(body: string): Json {
  const { sequence: _, user, recap, ...rest } = JSON.parse(body) as Json;
  const { points: _points, streakLength: _length, ...week } = recap ?? {};
  return { ...rest, user: user?.id, ...(recap && { recap: week }) };
}
