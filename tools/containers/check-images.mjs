// Checks the content of the built images, and how they run without further settings.

/** Sources, the compiler, and of our own what only tests and builds need. */
const USELESS =
  "find /app -name '*.ts' -o -name '*.[cm]ts' -o -name '*.tsx' -o -name typescript" +
  " -o ! -path '*/node_modules/*' \\( -name '*.test.js' -o -name '*.tsbuildinfo' \\)";

/**
 * Checks the images that were built from this checkout, which have the registry `localhost`.
 *
 * @throws {Error} that names the problem of an image
 */
export async function checkImages({ podman }, say) {
  const ids = (
    await podman('images', '--filter', 'dangling=false', '--filter', 'reference=localhost/laurel*', '--quiet')
  ).split('\n');
  const images = JSON.parse(await podman('inspect', '--type', 'image', ...new Set(ids.filter((id) => id !== ''))));
  for (const { RepoTags, Size, Config, Healthcheck } of images) {
    const [name] = RepoTags;
    if (!/^[1-9]\d*:[1-9]\d*$/.test(Config.User)) throw new Error(`${name} runs as ${Config.User || 'root'}`);
    if (Healthcheck === undefined) throw new Error(`${name} has no health check`);
    const useless = await podman('run', '--rm', '--entrypoint', 'sh', name, '-c', USELESS);
    if (useless !== '') throw new Error(`${name} holds what is of no use in it:\n${useless}`);
    say(`${name}: ${Math.round(Size / 1_000_000)} MB`);
  }
}
