/** The message of any thrown value. */
export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
