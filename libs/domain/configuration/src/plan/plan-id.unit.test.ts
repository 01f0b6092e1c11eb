import { planId } from './plan-id.ts';

const FIRST = { version: 1, metrics: [{ key: 'runs', name: 'Runs' }] };
const SECOND = { version: 1, metrics: [{ key: 'runs', name: 'Laps' }] };
const THIRD = { version: 1, metrics: [{ key: 'runs', name: 'Miles' }] };
const published = (version: number, document: unknown) => ({ version, document, publishedAt: version });

it('planId is the same for equal documents, whatever the order of their fields', () => {
  const reordered = { achievements: [], metrics: [{ name: 'Runs', key: 'runs' }], version: 1 };
  expect(planId(published(1, FIRST), SECOND)).toBe(planId(published(1, reordered), structuredClone(SECOND)));
});

it('planId differs if the document, the version in force or its number differs', () => {
  const ids = [
    planId(undefined, SECOND),
    planId(published(1, FIRST), SECOND),
    planId(published(1, THIRD), SECOND),
    planId(published(2, FIRST), SECOND),
    planId(published(1, FIRST), THIRD),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});
