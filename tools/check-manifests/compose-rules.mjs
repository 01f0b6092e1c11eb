// Rules for compose files beyond their schema.

/** @returns {string[]} what is wrong with a compose file, merged and with its variables put in */
export function composeRulesBroken(compose) {
  return Object.entries(compose.services).flatMap(([name, service]) => [
    ...serviceProblems(name, service),
    ...(service.build === undefined ? imageProblems(name, service) : laurelProblems(name, service)),
    ...dependencyProblems(name, service, compose.services),
    ...volumeProblems(name, service, compose.volumes ?? {}),
  ]);
}

const unless = (name, statements) =>
  Object.entries(statements)
    .filter(([, holds]) => !holds)
    .map(([what]) => `${name}: ${what}`);

const serviceProblems = (name, { ports = [], restart, deploy, stop_grace_period: grace }) =>
  unless(name, {
    'it publishes a port to other machines': ports.every((port) => port.startsWith('127.0.0.1:')),
    'it is not started again': restart === 'unless-stopped',
    'it has no limits': deploy?.resources?.limits?.memory !== undefined && deploy.resources.limits.cpus !== undefined,
    'nothing says how long it may take to stop': grace !== undefined,
  });

const imageProblems = (name, { image, healthcheck }) =>
  unless(name, {
    'its image has no exact version': /:\d+(?:\.\d+)+/.test(image ?? ''),
    'it has no health check': healthcheck?.test !== undefined,
  });

const laurelProblems = (name, service) =>
  unless(name, {
    'it is built of something else': service.build.dockerfile === 'docker/Dockerfile' && service.build.context === '..',
    'it can write to its image': service.read_only === true && service.tmpfs?.includes('/tmp'),
    'it keeps capabilities': service.cap_drop?.includes('ALL') && service.cap_add === undefined,
    'it may gain rights': service.security_opt?.includes('no-new-privileges:true'),
    // The health check of the image requests /readyz.
    'its health check is not the image’s': service.healthcheck === undefined,
    'its user is not the image’s': service.user === undefined,
    'its command is not the image’s': service.command === undefined && service.entrypoint === undefined,
  });

const dependencyProblems = (name, { depends_on: needed = {} }, services) =>
  Object.entries(needed).flatMap(([other, { condition }]) =>
    unless(name, {
      [`${other} is not there`]: services[other] !== undefined,
      [`it does not wait until ${other} is healthy`]: condition === 'service_healthy',
    }),
  );

const volumeProblems = (name, { volumes = [] }, declared) =>
  volumes
    .map((volume) => volume.split(':')[0])
    .filter((source) => !/^[./]/.test(source) && !Object.hasOwn(declared, source))
    .map((source) => `${name}: volume ${source} is not declared`);
