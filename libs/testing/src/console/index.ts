export { HOSTILE_CONFIGURATION, HOSTILE_NAMES, HOSTILE_REASONS } from './hostile-names.ts';
export { createKey, grantByKeyboard, openDraft, plan, publish, revokeKey, showsEachOnce, signOut } from './journeys.ts';
export { PAGES, USER, type ConsolePage, type Named } from './pages.ts';
export { startBrowser, Visit } from './visit.ts';
