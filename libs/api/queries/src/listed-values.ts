import { parse, unescape } from 'node:querystring';

/**
 * `decodeURIComponent` throws for an invalid escape. The parser of other parameters leaves such escapes unchanged, so
 * this does as well.
 */
const RAW = { decodeURIComponent: (text: string) => text, maxKeys: 0 };

/**
 * The values of a list parameter, which is repeated or separated by commas. Only a literal comma separates; an escaped
 * one (`%2C`) belongs to a value. This reads the URL, because the router's query no longer distinguishes them.
 */
export function listedValues(url: string, name: string): readonly string[] {
  const start = url.indexOf('?');
  const query = start === -1 ? '' : url.slice(start + 1);
  const given = Object.entries(parse(query, '&', '=', RAW)).filter(([written]) => unescape(written) === name);
  return given.flatMap(([, values]) => [values ?? []].flat()).flatMap((text) => text.split(',').map(unescape));
}
