/** The path before every path of this service in browsers, such as `/laurel`; empty: none. */
export const basePathOf = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');

/** The path as the service knows it: a proxy may pass it on as it came, or without what stands before it. */
export const withoutBasePath = (url: string, basePath: string): string =>
  basePath !== '' && url.startsWith(basePath) && /^(?:[/?]|$)/.test(url.slice(basePath.length))
    ? url.slice(basePath.length).replace(/^(?!\/)/, '/')
    : url;
