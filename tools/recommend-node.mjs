// Recommends the active LTS release of Node if an older one is used. Plain JavaScript without dependencies, because it
// runs before anything is installed.
const RECOMMENDED = 26;
/** Releases past their end of life. */
const ENDED = [20];

const major = Number(process.versions.node.split('.')[0]);
if (major < RECOMMENDED) {
  const ended = ENDED.includes(major) ? `Node ${major} is past its end of life. ` : '';
  console.error(`${ended}Laurel recommends Node ${RECOMMENDED}; this is ${process.versions.node}.`);
}
