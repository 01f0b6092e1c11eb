/** The path before all paths of this service in browsers, such as `/laurel`, or empty. */
export const basePathOf = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');

/** The path without the base path: a proxy may pass on either form. */
export const withoutBasePath = (url: string, basePath: string): string =>
  basePath !== '' && url.startsWith(basePath) && /^(?:[/?]|$)/.test(url.slice(basePath.length))
    ? url.slice(basePath.length).replace(/^(?!\/)/, '/')
    : url;
