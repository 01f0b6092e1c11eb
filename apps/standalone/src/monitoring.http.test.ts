import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@laurel/testing/faults';
import { MONITORING, monitoredSeries } from '@laurel/testing/monitoring';
import { serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = 'version: 1\nmetrics: [{ key: runs, name: Runs }]';

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;
/** Both are in Debian's package `prometheus`. */
const itWithPromtool = isInstalled('promtool') ? it : it.skip;
const itWithPrometheus = isInstalled('prometheus') ? it : it.skip;

describe('the monitoring of a standalone service', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveOnFreshDatabase(CONFIGURATION);
    const response = await fetch(`${served.baseUrl}/v1/metrics/runs/event`, {
      method: 'POST',
      headers: { 'x-api-key': served.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ user: { id: 'ada' }, value: 1 }),
    });
    expect(response.status).toBe(201);
    const webhook = await fetch(`${served.baseUrl}/admin/v1/webhooks`, {
      method: 'POST',
      headers: { 'x-api-key': served.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.com/laurel' }),
    });
    expect(webhook.status).toBe(201);
  });
  afterAll(async () => {
    await served.close();
  });

  it('queries only series that the service exposes', async () => {
    // How far each webhook is behind is read again some seconds after the start.
    const text = await eventually(async () => {
      const shown = await (await fetch(`${served.baseUrl}/metrics`)).text();
      return shown.includes('laurel_webhook_enabled{') ? shown : null;
    });
    const present = new Set(text.split('\n').map((line) => /^\w+/.exec(line)?.[0]));
    const asked = await monitoredSeries();
    const names = [...(asked.get('every process') ?? []), ...(asked.get('standalone') ?? [])];
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !present.has(name))).toEqual([]);
  });

  it('uses every series that the service exposes', async () => {
    const text = await (await fetch(`${served.baseUrl}/metrics`)).text();
    const asked = [...(await monitoredSeries()).values()].flatMap((names) => [...names]);
    const isAsked = (name: string) => asked.some((one) => one.replace(/_(?:bucket|sum|count)$/, '') === name);
    const own = [...text.matchAll(/^# TYPE (laurel_\w+) /gm)].map(([, name = '']) => name);
    expect(own.filter((name) => !isAsked(name))).toEqual([]);
  });

  itWithPromtool('has rules and settings that promtool accepts, and alerts that fire when they should', () => {
    for (const args of [
      ['check', 'rules', 'rules.yml'],
      ['check', 'config', 'prometheus.yml'],
      ['test', 'rules', 'rules.test.yml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: MONITORING, encoding: 'utf8' });
      expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') });
    }
  });

  itWithPrometheus('is scraped by a real Prometheus', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-prometheus-'));
    const port = await freePort();
    const target = new URL(served.baseUrl).host;
    const settings = `{ global: { scrape_interval: 1s, evaluation_interval: 1s }, rule_files: ['${MONITORING}/rules.yml'],
      scrape_configs: [{ job_name: laurel, static_configs: [{ targets: ['${target}'] }] }] }`;
    await writeFile(join(folder, 'prometheus.yml'), settings);
    const prometheus = startPrometheus(folder, port);
    try {
      const url = `http://127.0.0.1:${port}/api/v1`;
      const recorded = 'laurel_events_total{outcome="recorded",job="laurel"}';
      expect(await eventually(() => valueOf(url, recorded))).toBe('1');
      expect(await valueOf(url, 'up{job="laurel"}')).toBe('1');
      const { data } = (await (await fetch(`${url}/rules`)).json()) as {
        readonly data: { readonly groups: readonly { readonly rules: readonly { readonly lastError?: string }[] }[] };
      };
      expect(data.groups.flatMap(({ rules }) => rules.flatMap(({ lastError }) => lastError ?? []))).toEqual([]);
    } finally {
      prometheus.kill('SIGKILL');
      await once(prometheus, 'exit');
      await rm(folder, { recursive: true });
    }
  });
});

function startPrometheus(folder: string, port: number): ChildProcess {
  const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
  return spawn('prometheus', [...args, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
}

/** The one value of a query; null while Prometheus does not answer, or has none. */
async function valueOf(url: string, query: string): Promise<string | null> {
  const response = await fetch(`${url}/query?query=${encodeURIComponent(query)}`).catch(() => null);
  if (response === null || !response.ok) return null;
  const { data } = (await response.json()) as {
    readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
  };
  return data.result[0]?.value[1] ?? null;
}

async function eventually(look: () => Promise<string | null>): Promise<string> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
