import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMedians, mediansOf, microseconds, startForms } from '../frame/forms.mjs';
import { writeHistory } from '../frame/history.mjs';
import { importInto } from '../frame/run-import.mjs';

const SETTLE_MS = 2_000;

/**
 * What an import by the command costs in each form of an installation, in turns. Each round imports the next part of the history;
 * the first part only warms up.
 *
 * CPU is that of the form's own processes, so what the others do meanwhile does not count.
 */
export async function distributedImport({ rounds, forms: names, importEvents, history, config, partitions }) {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-bench-'));
  chmodSync(folder, 0o755);
  const closing = [];
  try {
    const written = writeHistory(folder, { history, config, events: (rounds + 1) * importEvents });
    const lines = readFileSync(written.file, 'utf8').trimEnd().split('\n');
    const size = Math.floor(lines.length / (rounds + 1));
    const options = { folder, configuration: readFileSync(written.config, 'utf8'), partitions };
    const running = (await startForms(names, options, closing)).map((form) => ({ form, imports: [] }));
    for (let round = 0; round <= rounds; round++) {
      const file = join(folder, `history-${round}.ndjson`);
      writeFileSync(file, `${lines.slice(round * size, (round + 1) * size).join('\n')}\n`);
      for (const { form, imports } of running) {
        const before = form.cpu();
        const { rate } = importInto(form, { file, events: size }, 'recorded');
        // The answer to the last batch comes before the last areas have applied it.
        await sleep(SETTLE_MS);
        if (round > 0) imports.push({ rate, cpu: microseconds(before, form.cpu(), size) });
        console.log(`${round === 0 ? 'warm-up' : `round ${round}`}, ${form.title}: ${Math.round(rate)}/s`);
      }
    }
    return {
      note: `${size} events of ${written.title} in each of ${rounds} rounds, after as many to warm up; ${partitions} partitions.`,
      forms: running.map(({ form: { name, title }, imports }) => ({
        ...{ name, title },
        ...mediansOf(imports, ['rate']),
        ...cpuMedians(imports),
      })),
    };
  } finally {
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}
