import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';

/** The folder for pictures of every page, overwritten by each run. */
const PICTURES = 'coverage/console';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Limit for a hanging condition; a slow machine may need long. */
const LIMIT_MS = 120_000;
/** More than the focusable elements of any page. */
const MOST_TABS = 300;
/** Turns a report of a policy violation into a console message, which counts as a complaint. */
const TELL_REPORTS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('the policy ' + violatedDirective + ' forbade ' + blockedURI))`;

interface BrowserTools {
  findBrowser(): string | null;
  readonly HOW_TO_INSTALL: string;
}

/** @throws Error that says how to install one, if there is no browser */
export async function startBrowser(): Promise<Browser> {
  const tools = new URL('../../../../tools/browser.mjs', import.meta.url);
  const { findBrowser, HOW_TO_INSTALL } = (await import(tools.href)) as BrowserTools;
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error(`There is no browser. ${HOW_TO_INSTALL}`);
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** A fresh browser at the console of a service. */
export class Visit {
  readonly baseUrl: string;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #complaints: string[] = [];

  private constructor(baseUrl: string, context: BrowserContext, page: Page) {
    this.baseUrl = baseUrl;
    this.context = context;
    this.page = page;
    page.on('console', (message) => this.#complaints.push(message.text()));
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && origin !== baseUrl) this.#complaints.push(`a request to ${origin}`);
    });
  }

  static async begin(
    browser: Browser,
    baseUrl: string,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<Visit> {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, ...options });
    context.setDefaultTimeout(LIMIT_MS);
    await context.addInitScript(TELL_REPORTS);
    return new Visit(baseUrl, context, await context.newPage());
  }

  /** Complaints: console messages, errors, forbidden content, requests to other hosts. Each is returned once. */
  complaints(): readonly string[] {
    return this.#complaints.splice(0);
  }

  async end(): Promise<void> {
    await this.context.close();
  }

  /** @param path the part after `/console` */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.baseUrl}/console${path}`);
    await this.page.waitForSelector('h1');
  }

  /** Opens a page, and waits for all its requests. */
  async openWhole(path: string): Promise<void> {
    await this.open(path);
    await this.settled();
  }

  async settled(): Promise<void> {
    await this.page.waitForSelector('.skeleton', { state: 'detached' });
  }

  async shows(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async enterKey(key: string): Promise<void> {
    await this.open('');
    await this.page.fill('#key', key);
    await this.page.keyboard.press('Enter');
  }

  async signIn(key: string): Promise<void> {
    await this.enterKey(key);
    await this.shows('Live events');
  }

  async picture(name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  }

  /** By how many pixels the page is wider than the window. */
  sideways(): Promise<number> {
    return this.page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
  }

  /** Evaluates a script from outside the page, because the page itself allows no further scripts. */
  async evaluate(expression: string): Promise<string> {
    const session = await this.context.newCDPSession(this.page);
    const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
    await session.detach();
    return String(result.value);
  }

  /** The findings of axe. */
  async violations(): Promise<readonly string[]> {
    await this.evaluate(AXE);
    const found = await this.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(RULES)} })
      .then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => id + ' ' + nodes[0].html)))`);
    return JSON.parse(found) as string[];
  }

  /** The cells of a table, row by row. @param caption the table's caption */
  async rows(caption: string): Promise<readonly (readonly string[])[]> {
    const rows = await this.page.getByRole('region', { name: caption, exact: true }).locator('tbody tr').all();
    return Promise.all(rows.map((row) => row.locator('td').allTextContents()));
  }

  /** Moves the focus to an element by keyboard. @throws Error if the keyboard cannot reach it */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    const focused = target.and(this.page.locator(':focus'));
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      if ((await focused.count()) > 0) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${String(target)}`);
  }

  /** Moves the focus to the element, and presses Enter. */
  async enterBy(target: Locator): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.press('Enter');
  }
}
