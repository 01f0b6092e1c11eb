import { join } from 'node:path';
import { importInto } from './run-import.mjs';

/** Data folders of stopped Laurels that hold a history, made when first asked for. */
export class FilledFolders {
  #folders = new Map();

  /** @returns {Promise<string>} the candidate's data folder */
  async of(name, history, candidates) {
    if (!this.#folders.has(name)) {
      const service = await candidates.start(name);
      importInto(service, history, 'recorded');
      await service.stop();
      this.#folders.set(name, join(service.folder, 'data'));
    }
    return this.#folders.get(name);
  }
}
