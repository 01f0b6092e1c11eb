/** The path before `/console`, if LAUREL_PUBLIC_URL has one. The address of this script is `BASE/console/assets/…`. */
export const BASE_PATH = new URL('../..', import.meta.url).pathname.slice(0, -1);
