import type { AreaName, Configuration, MissingRuns, Replayed, ViewRequest } from '@laurel/kernel';
import { ofState } from '../folding/damaged-state.ts';
import { userKey, type Document } from '../folding/document.ts';
import type { Batch } from './batch.ts';
import { inTurn } from './boards-turns.ts';
import type { Chain } from './chain.ts';

/**
 * The answer to a replayed request: the user's present state at `request.at`, with nothing recorded. The boards may add
 * to it later, see `inTurn`.
 * @throws DamagedStateError if an area cannot work with its state
 */
export function viewOfReplay(
  chain: Chain,
  batch: Batch,
  request: ViewRequest,
  configuration: Configuration,
): Pick<Replayed, 'sections' | 'pending'> {
  const document = batch.documentOf(userKey(request)) as Document;
  const sections: Record<string, unknown> = {};
  const pending: AreaName[] = [];
  for (const [index, area] of chain.userAreas.entries()) {
    if (batch.failures.has(area.name)) {
      pending.push(...chain.areaNames.slice(index));
      return { sections, pending };
    }
    sections[area.name] = ofState(request, area, () => area.view(document[index], request, configuration));
  }
  inTurn(batch, () => viewBoards());
  return { sections, pending };

  function viewBoards(): MissingRuns | null {
    const { name } = chain.boards;
    if (batch.failures.has(name)) pending.push(name);
    else {
      const viewed = batch.boards.view(request, configuration);
      if ('missing' in viewed) return viewed;
      sections[name] = viewed;
    }
    return null;
  }
}
