/** The embedded server cannot be used; the message is for the operator. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
}

/** Another living process holds the data folder. */
export class DataFolderInUseError extends EmbeddedPostgresError {
  override readonly name = 'DataFolderInUseError';

  constructor(
    readonly dataDir: string,
    /** null if the holder has not written its process id yet, or if it cannot be read. */
    readonly holderPid: number | null,
  ) {
    super(
      `The data folder ${dataDir} is in use by ${holderPid === null ? 'another process' : `process ${holderPid}`}. ` +
        'Stop that process first, or choose another folder with LAUREL_DATA_DIR.',
    );
  }
}

/** The `code` of a system or driver error. Not by `instanceof`, because such errors may come from another realm. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;

export const isErrno = (error: unknown, ...codes: readonly string[]): boolean => codes.includes(codeOf(error) ?? '');
