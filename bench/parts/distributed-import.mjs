import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMedians, inFolder, measureForms, mediansOf, microseconds } from '../frame/forms.mjs';
import { writeHistory } from '../frame/history.mjs';
import { importInto } from '../frame/run-import.mjs';

const SETTLE_MS = 2_000;

/**
 * What an import by the command costs in each form of an installation. Each round imports the next part of the history; the first
 * part only warms up.
 */
export function distributedImport({ rounds, forms, importEvents, history, config, partitions }) {
  return inFolder(async (folder) => {
    const written = writeHistory(folder, { history, config, events: (rounds + 1) * importEvents });
    const lines = readFileSync(written.file, 'utf8').trimEnd().split('\n');
    const events = Math.floor(lines.length / (rounds + 1));
    const [warmUp, ...parts] = Array.from({ length: rounds + 1 }, (_, part) => {
      const file = join(folder, `history-${part}.ndjson`);
      writeFileSync(file, `${lines.slice(part * events, (part + 1) * events).join('\n')}\n`);
      return { file, events };
    });
    const configuration = readFileSync(written.config, 'utf8');
    const measured = await measureForms({ forms, configuration, partitions }, async (form) => {
      await importPart(form, warmUp);
      const imports = [];
      for (const part of parts) imports.push(await importPart(form, part));
      return { ...mediansOf(imports, ['rate']), ...cpuMedians(imports) };
    });
    return {
      note: `${events} events of ${written.title} in each of ${rounds} rounds, after as many to warm up; ${partitions} partitions.`,
      forms: measured,
    };
  });
}

async function importPart(form, part) {
  const before = form.cpu();
  const { rate } = importInto(form, part, 'recorded');
  // The answer to the last batch comes before the last areas have applied it.
  await sleep(SETTLE_MS);
  console.log(`${form.title}: ${Math.round(rate)}/s`);
  return { rate, cpu: microseconds(before, form.cpu(), part.events) };
}
