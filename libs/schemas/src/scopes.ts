/** What a key may be used for. A route takes any of its scopes. */
export const SCOPES = ['ingest', 'read', 'support', 'admin', 'export'] as const;
export type Scope = (typeof SCOPES)[number];
