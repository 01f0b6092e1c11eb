import type { Locator } from 'playwright-core';
import type { Visit } from './visit.ts';

/** Opens the editor with the version in force. */
export async function openDraft(visit: Visit): Promise<{ write(text: string): Promise<void> }> {
  await visit.openWhole('/configuration');
  const editor = visit.page.locator('.cm-content');
  await editor.waitFor();
  return {
    write: async (text) => {
      await editor.click();
      await visit.page.keyboard.press('Control+a');
      await visit.page.keyboard.insertText(text);
    },
  };
}

export const plan = (visit: Visit): Promise<void> =>
  visit.page.getByRole('button', { name: 'Plan', exact: true }).click();

/** Plans the open draft, publishes it, and waits until it is the version in force. @returns the number of the version */
export async function publish(visit: Visit): Promise<number> {
  await plan(visit);
  const button = visit.page.getByRole('button', { name: /^Publish version \d+$/ });
  const version = Number(/\d+/.exec((await button.textContent()) ?? '')?.[0]);
  await button.click();
  await visit.page.getByRole('heading', { name: `Version ${version}`, exact: true }).waitFor();
  return version;
}

/** Creates a key with the default scopes. @returns the key, which is shown once */
export async function createKey(visit: Visit, label: string): Promise<string> {
  await visit.openWhole('/keys');
  await visit.page.getByLabel('Label', { exact: true }).fill(label);
  await visit.page.getByRole('button', { name: 'Create key' }).click();
  return (await visit.page.locator('.secret').textContent()) ?? '';
}

export async function revokeKey(visit: Visit, label: string): Promise<void> {
  visit.page.once('dialog', (dialog) => void dialog.accept());
  await visit.page.getByRole('button', { name: `Revoke ${label}` }).click();
  await visit.page.getByRole('row', { name: label }).getByText('revoked', { exact: true }).waitFor();
}

/** Waits until the live feed shows the newest of these users, then compares: newest first, each once. @param users their links in the feed */
export async function showsEachOnce(users: Locator, recorded: readonly string[]): Promise<void> {
  await users.getByText(recorded.at(-1) ?? '', { exact: true }).waitFor();
  expect(await users.allTextContents()).toEqual(recorded.toReversed());
}

export async function signOut(visit: Visit): Promise<void> {
  await visit.page.getByRole('button', { name: 'Sign out' }).click();
  await visit.shows('Sign in to Laurel');
}
