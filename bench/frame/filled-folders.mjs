import { join } from 'node:path';
import { inService, nothingIsDue } from '../../tools/recount/nothing-is-due.mjs';
import { importInto } from './run-import.mjs';

/** Folders of stopped Laurels that hold a history, made when first asked for. Nothing is due in them: their logs stay as they are. */
export class FilledFolders {
  #folders = new Map();

  /** @returns {Promise<string>} the candidate's folder, for `Candidates.start` */
  async of(name, history, candidates) {
    if (!this.#folders.has(name)) {
      const service = await candidates.start(name);
      importInto(service, history, 'recorded');
      await inService(join(service.folder, 'data'), nothingIsDue);
      await service.stop();
      this.#folders.set(name, service.folder);
    }
    return this.#folders.get(name);
  }
}
