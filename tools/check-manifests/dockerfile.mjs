import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';

const file = () =>
  DockerfileParser.parse(readFileSync(fileURLToPath(new URL('../../docker/Dockerfile', import.meta.url)), 'utf8'));

/** The default of the argument NODE, the version that every stage is based on. */
export function nodeOfImage() {
  const [argument] = file()
    .getARGs()
    .map((instruction) => instruction.getProperty());
  if (argument?.getName() !== 'NODE') throw new Error('docker/Dockerfile does not begin with the argument NODE');
  return argument.getValue();
}

/** The ENV instructions of the image: name → value. */
export const imageVariables = () =>
  new Map(
    file()
      .getENVs()
      .flatMap((instruction) => instruction.getProperties())
      .map((property) => [property.getName(), property.getValue()]),
  );

/** The ENTRYPOINT of the image, without arguments. */
export const entrypointOfImage = () => JSON.parse(file().getENTRYPOINTs().at(-1).getRawArgumentsContent());
