/**
 * The surroundings of a process before it starts anything: environment, clock, folders, port, the local socket of a
 * service. Loads no framework, so that a command line which needs only these starts fast.
 */
export { createClock } from './clock.ts';
export { dataFolders, formerDataFolder, withFormerFolder } from './data-folders.ts';
export { type Environment, EnvironmentError, readEnvironment } from './environment/environment.ts';
export { misspelledVariables, unknownVariables } from './environment/unknown-variables.ts';
export { checkPort, PortError } from './http/port-check.ts';
export { localSocketPath } from './http/local-socket.ts';
export { type Line, LineSplitter } from './http/line-splitter.ts';
export { isBlank, LONGEST_LINE, NDJSON, withoutMark } from './http/ndjson.ts';
