import { parseDocument } from '@laurel/configuration';
import { configurationDocument, pointsTriggerDocument } from '@laurel/schemas';
import { HISTORY_CONFIGURATION } from './histories.ts';

it('the configuration of the histories has a points trigger of every kind, so that the laws of the engine cover it', () => {
  const { document } = parseDocument(HISTORY_CONFIGURATION, 'history');
  const triggers = configurationDocument.parse(document).points.flatMap((system) => system.triggers);
  const kinds = pointsTriggerDocument.options.map(({ shape }) => shape.type.value);
  expect(new Set(triggers.map(({ type }) => type))).toEqual(new Set(kinds));
});
