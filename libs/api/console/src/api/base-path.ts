/** What stands before `/console` in the address, where LAUREL_PUBLIC_URL has a path: this script is `BASE/console/assets/…`. */
export const BASE_PATH = new URL('../..', import.meta.url).pathname.slice(0, -1);
