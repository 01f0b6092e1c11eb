// Changes files as text, so that the rest of them keeps its format.

/** @throws {Error} if the place is not there */
export const insertBefore = (tree, file, place, text) => insert(tree, file, place, text, (found) => found.index);

/** @throws {Error} if the place is not there */
export const insertAfter = (tree, file, place, text) =>
  insert(tree, file, place, text, (found) => found.index + found[0].length);

/** @param {string | RegExp} place only its first occurrence is used */
function insert(tree, file, place, text, indexOf) {
  const content = tree.read(file, 'utf8');
  const found = typeof place === 'string' ? literal(content, place) : place.exec(content);
  if (found === null) throw new Error(`${file}: there is no place to insert ${text.trim()} at`);
  const index = indexOf(found);
  tree.write(file, content.slice(0, index) + text + content.slice(index));
}

function literal(content, place) {
  const index = content.indexOf(place);
  return index < 0 ? null : { 0: place, index };
}
