/**
 * The command that clones the last commit of a repository as a user gets it: files that nobody has committed are missing, and nothing
 * is installed or built.
 *
 * @param {string} repository path
 * @param {string} folder path of the clone; it must not exist
 * @returns {readonly string[]}
 */
export const cloneCommand = (repository, folder) => ['git', 'clone', '--quiet', '--no-hardlinks', repository, folder];
