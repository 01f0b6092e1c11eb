import type { WebhookStatus } from '@laurel/schemas';
import { Metrics } from '@laurel/runtime';
import { observeWebhooks, webhooksNote } from './observe-webhooks.ts';
import type { Webhooks } from './webhooks.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

const status = (id: string, more: Partial<WebhookStatus> = {}): WebhookStatus => ({
  ...{ id, url: 'https://secret.internal/x', state: 'enabled', disabledBecause: null, failingSince: null },
  ...{
    lastSuccessAt: null,
    behind: 0,
    unfinished: 0,
    heldBack: 0,
    abandoned: 0,
    oldestAt: null,
    warnings: [],
    ...more,
  },
});
const webhooksOf = (...latest: WebhookStatus[]) =>
  ({
    ...{ latest, inProgress: 3, attempts: { delivered: 40, failed: 5 } },
    disabled: latest.filter(({ state }) => state === 'disabled'),
  }) as unknown as Webhooks;

describe('the monitoring of webhooks', () => {
  it('shows the sums over all webhooks and the lag of each by its id', async () => {
    const metrics = new Metrics('standalone', 'public');
    const one = status('a', {
      ...{ behind: 70, unfinished: 12, heldBack: 3, abandoned: 2 },
      ...{ oldestAt: '2026-11-21T09:58:30.000Z', lastSuccessAt: '2026-11-21T09:00:00.000Z' },
    });
    let sending: Webhooks | null = webhooksOf(one, status('b', { state: 'disabled' }));
    const notes = new Map<string, string | (() => string | null)>();
    const health = { note: (name: string, text: string | (() => string | null)) => void notes.set(name, text) };
    observeWebhooks({ metrics, health, clock: { now: () => NOW } }, () => sending);
    const noted = () => [...notes].map(([name, text]) => [name, typeof text === 'string' ? text : text()]);
    expect(noted()).toEqual([['webhooks', expect.stringMatching(/^a webhook is disabled/)]]);
    const shown = (await metrics.text())
      .split('\n')
      .filter((line) => line.startsWith('laurel_'))
      .map((line) => line.replace(',process="standalone"', '').replace('{process="standalone"}', ''));
    expect(shown).toEqual([
      ...['laurel_webhooks_disabled 1', 'laurel_webhook_requests 3'],
      ...['laurel_webhook_successes 40', 'laurel_webhook_failures 5'],
      ...['laurel_webhook_enabled{webhook="a"} 1', 'laurel_webhook_enabled{webhook="b"} 0'],
      ...['laurel_webhook_behind{webhook="a"} 70', 'laurel_webhook_behind{webhook="b"} 0'],
      ...['laurel_webhook_unfinished{webhook="a"} 12', 'laurel_webhook_unfinished{webhook="b"} 0'],
      ...['laurel_webhook_held_back{webhook="a"} 3', 'laurel_webhook_held_back{webhook="b"} 0'],
      ...['laurel_webhook_abandoned{webhook="a"} 2', 'laurel_webhook_abandoned{webhook="b"} 0'],
      ...['laurel_webhook_lag_seconds{webhook="a"} 90', 'laurel_webhook_lag_seconds{webhook="b"} 0'],
      `laurel_webhook_last_success_timestamp_seconds{webhook="a"} ${NOW / 1_000 - 3_600}`,
      'laurel_webhook_last_success_timestamp_seconds{webhook="b"} 0',
    ]);
    sending = null;
    const silent = (await metrics.text()).split('\n').filter((line) => /^laurel_webhook.* [1-9]/.test(line));
    expect(silent).toEqual([]);
    expect(noted()).toEqual([['webhooks', null]]);
  });

  it('adds a note, without addresses, when one is disabled or five minutes behind', () => {
    const late = (id: string, minutes: number, more: Partial<WebhookStatus> = {}) =>
      status(id, { oldestAt: new Date(NOW - minutes * 60_000).toISOString(), ...more });
    const noteOf = (...all: WebhookStatus[]) => webhooksNote(webhooksOf(...all), NOW);
    expect(noteOf()).toBeNull();
    expect(noteOf(status('a'), late('b', 5))).toBeNull();
    expect(noteOf(status('a'), late('b', 6))).toBe(
      'a webhook is behind since 2026-11-21T09:54:00.000Z: laurel webhooks list',
    );
    expect(noteOf(late('a', 7), late('b', 90), late('c', 600, { state: 'disabled' }))).toBe(
      'a webhook is disabled, 2 webhooks are behind since 2026-11-21T08:30:00.000Z: laurel webhooks list',
    );
  });
});
