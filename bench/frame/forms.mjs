import { median } from './surroundings.mjs';
import { FORMS, startForm } from './topologies.mjs';

/** Starts each form, with a broker and a database of its own; `closing` gets what stops them, also if a later one fails. */
export async function startForms(names, options, closing) {
  for (const name of names)
    if (!(name in FORMS)) throw new Error(`${name} is none of ${Object.keys(FORMS).join(', ')}`);
  const forms = [];
  for (const name of names) {
    const form = await startForm(name, options);
    closing.push(form.stop);
    forms.push(form);
    console.log(`${form.title}: ready`);
  }
  return forms;
}

/** For an event, by process. */
export const microseconds = (before, after, events) =>
  new Map([...after].map(([name, ms]) => [name, ((ms - before.get(name)) * 1_000) / events]));

export const mediansOf = (some, fields) =>
  Object.fromEntries(fields.map((field) => [field, rounded(median(some.map((one) => one[field])))]));

/** `microseconds` of CPU for an event over all processes, and those of each. */
export function cpuMedians(some) {
  const of = (read) => rounded(median(some.map(({ cpu }) => read(cpu))));
  return {
    microseconds: of((cpu) => [...cpu.values()].reduce((sum, one) => sum + one, 0)),
    processes: Object.fromEntries([...some[0].cpu.keys()].map((name) => [name, of((cpu) => cpu.get(name))])),
  };
}

export const rounded = (value) => Number(value.toPrecision(3));
