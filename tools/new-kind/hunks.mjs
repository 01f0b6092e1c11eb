/**
 * A patch in the format of `git diff`, hunk by hunk.
 *
 * @param {string} patch
 * @returns {readonly { file: string, header: string, title: string, body: string, added: number }[]} `title`: the first line that it adds
 */
export function hunksOf(patch) {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [header, ...bodies] = part.split(/^(?=@@ )/m);
      const file = /^\+\+\+ b\/(.+)$/m.exec(header)?.[1] ?? '';
      return bodies.map((body) => {
        const added = body.split('\n').filter((line) => line.startsWith('+'));
        return { file, header, title: added[0]?.slice(1).trim() ?? '', body, added: added.length };
      });
    });
}

/** @param {ReturnType<typeof hunksOf>} hunks in the order of their patch */
export function patchOf(hunks) {
  let header = '';
  return hunks
    .map((hunk) => {
      const isFirst = hunk.header !== header;
      header = hunk.header;
      return `${isFirst ? header : ''}${hunk.body}`;
    })
    .join('');
}
