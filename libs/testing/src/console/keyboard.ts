import type { Locator } from 'playwright-core';
import type { Visit } from './visit.ts';

/** Uses the console without a mouse: only with Tab, Enter, arrows and typing. */
export class Keyboard {
  readonly #visit: Visit;

  constructor(visit: Visit) {
    this.#visit = visit;
  }

  async signIn(key: string): Promise<void> {
    await this.#visit.open('');
    await this.#typeInto(this.#visit.page.getByLabel('API key'), key);
    await this.#visit.page.keyboard.press('Enter');
    await this.#visit.shows('Live events');
  }

  /** Goes to a page by the navigation. @param name the link's text, which is also the heading */
  async goTo(name: string): Promise<void> {
    const { page } = this.#visit;
    await this.#visit.enterBy(page.getByRole('link', { name, exact: true }));
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await this.#visit.settled();
  }

  /** Finds a user in the list of users, and opens the user's page. @param name the page's heading */
  async findUser({ id, name }: { readonly id: string; readonly name: string }): Promise<void> {
    const { page } = this.#visit;
    await this.goTo('Users');
    await this.#typeInto(page.getByPlaceholder('Id begins with …'), id);
    await this.#visit.enterBy(page.getByRole('link', { name: id, exact: true }));
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }

  /** Grants points on the page of a user. */
  async grant(points: number): Promise<void> {
    const { page } = this.#visit;
    await this.#visit.enterBy(page.getByRole('button', { name: 'Grant …' }));
    const dialog = page.getByRole('dialog');
    await this.#typeInto(dialog.getByLabel('Points (negative takes points away)'), String(points));
    await this.#typeInto(dialog.getByLabel('Reason (recorded in the log)'), 'by the keyboard');
    await this.#visit.enterBy(dialog.getByRole('button', { name: 'Grant', exact: true }));
    await dialog.waitFor({ state: 'hidden' });
  }

  /**
   * On the page of the configuration: writes a metric with a wrong key, follows the problem in the refused plan,
   * corrects the key, and publishes. @returns the number of the version
   */
  async publishMetric(key: string): Promise<number> {
    const { page } = this.#visit;
    const wrong = 'not a key';
    await this.#visit.tabTo(page.locator('.cm-content'));
    // Adds a line after `metrics:`, wherever the editor begins it.
    await this.#press('Control+Home');
    const line = page.locator('.cm-activeLine');
    while ((await line.textContent()) !== 'metrics:') await this.#press('ArrowDown');
    await this.#press('End', 'Enter', 'Shift+Tab', 'Shift+Tab');
    await page.keyboard.type(`  - { key: ${wrong}, name: By the keyboard }`);
    await this.#plan();
    await this.#visit.enterBy(page.getByRole('button', { name: 'text.metrics[0].key', exact: true }));
    await page.locator('.cm-activeLine .cm-lintRange-error', { hasText: wrong }).first().waitFor();
    await this.#press(...Array.from(wrong, () => 'Shift+ArrowRight'));
    await page.keyboard.type(key);
    await this.#plan();
    await this.#typeInto(page.getByLabel('Reason (recorded in the log)'), 'by the keyboard');
    const publish = page.getByRole('button', { name: /^Publish version \d+$/ });
    const version = Number(/\d+/.exec((await publish.textContent()) ?? '')?.[0]);
    await this.#visit.enterBy(publish);
    await page.getByRole('heading', { name: `Version ${version}`, exact: true }).waitFor();
    return version;
  }

  /** Leaves the editor as the page describes. If there are suggestions, the first Escape only closes them. */
  async #plan(): Promise<void> {
    await this.#press('Escape', 'Escape', 'Tab');
    await this.#visit.enterBy(this.#visit.page.getByRole('button', { name: 'Plan', exact: true }));
  }

  /** Creates a key on the page of the keys. @returns the key, which is shown once */
  async createKey(label: string): Promise<string> {
    const { page } = this.#visit;
    await this.#typeInto(page.getByLabel('Label', { exact: true }), label);
    await page.keyboard.press('Enter');
    return (await page.locator('.secret').textContent()) ?? '';
  }

  /**
   * Revokes a key on the page of the keys. The browser asks for confirmation in its own dialog, where Enter says yes.
   */
  async revokeKey(label: string): Promise<void> {
    const { page } = this.#visit;
    page.once('dialog', (dialog) => void dialog.accept());
    await this.#visit.enterBy(page.getByRole('button', { name: `Revoke ${label}`, exact: true }));
    await page.getByRole('row', { name: label }).getByText('revoked', { exact: true }).waitFor();
  }

  async signOut(): Promise<void> {
    await this.#visit.enterBy(this.#visit.page.getByRole('button', { name: 'Sign out' }));
    await this.#visit.shows('Sign in to Laurel');
  }

  async #typeInto(field: Locator, text: string): Promise<void> {
    await this.#visit.tabTo(field);
    await this.#visit.page.keyboard.type(text);
  }

  async #press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#visit.page.keyboard.press(key);
  }
}
