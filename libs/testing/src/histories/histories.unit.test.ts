import { parseDocument } from '@laurel/configuration';
import { POINTS_TRIGGER_TYPES } from '@laurel/kernel';
import { configurationDocument } from '@laurel/schemas';
import { HISTORY_CONFIGURATION } from './histories.ts';

it('the configuration of the histories has a points trigger of every type, so that the laws cover them all', () => {
  const { document } = parseDocument(HISTORY_CONFIGURATION, 'history');
  const triggers = configurationDocument.parse(document).points.flatMap((system) => system.triggers);
  expect(new Set(triggers.map(({ type }) => type))).toEqual(new Set(POINTS_TRIGGER_TYPES));
});
