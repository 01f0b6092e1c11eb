// The image's health check: exits with 0 if /readyz, or the path that is given, answers 200. What it answers is printed for
// `docker inspect`.
const { LAUREL_HOST: host = '', LAUREL_PORT: port = '' } = process.env;
const reachable = host === '' || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port || 3000}${process.argv[2] ?? '/readyz'}`;

const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  async (response) => ({ ready: response.status === 200, text: await response.text() }),
  (error) => ({ ready: false, text: String(error.cause?.message ?? error.message) }),
);
console.log(answer.text.slice(0, 2_000));
process.exitCode = answer.ready ? 0 : 1;
