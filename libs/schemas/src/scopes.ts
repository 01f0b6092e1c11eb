/** The scopes of keys. A route accepts any of its scopes. */
export const SCOPES = ['ingest', 'read', 'support', 'admin', 'export'] as const;
export type Scope = (typeof SCOPES)[number];
